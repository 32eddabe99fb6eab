"""understudy recipes: what is registered, what each spends on, and when to choose it."""

from understudy.command.options import Json, Quiet
from understudy.command.voice import Voice, table


def recipes(json: Json = False, quiet: Quiet = False) -> None:
    """List the recipes, one line each: the name, what the budget is spent on, when to choose it."""
    import understudy

    known = understudy.recipes().values()
    document = [{"name": recipe.name, "cost": recipe.cost, "choose": recipe.choose} for recipe in known]
    rows = [[recipe.name, recipe.cost, recipe.choose] for recipe in known]
    Voice(json, quiet).give(document, table(["recipe", "what the budget is spent on", "choose it when"], rows))

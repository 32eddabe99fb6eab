"""dpgan: a generator network against a critic that sees the private rows through noisy gradients only.

A table is shown to the critic by the cells of its columns, which are asked for first: the generator begins near their product.
Shown as numbers between 0 and 1, columns such as capital gains, nearly always 0, came out far worse. Pictures are shown as
their levels, and only the classes are asked for.
"""

from fractions import Fraction

from understudy.game.data.adversary import AdversaryPlayer
from understudy.game.data.bout import Regimen
from understudy.game.data.duel import DUELS
from understudy.game.data.maker import Maker, critic_for, maker_of
from understudy.game.query.critic_steps import CriticSteps
from understudy.game.query.in_turn import InTurn
from understudy.game.query.measure import Measure, Stage
from understudy.game.tempo import Tempo
from understudy.privacy.purse import Purse
from understudy.recipe.recipe import Pairing, Setting, recipe

TEMPO = Tempo(batch=256, least=6, most=600)
TABLES, PICTURES = Regimen(critic_rate=2e-3, maker_rate=5e-5), Regimen(variety=0.05, stress=40.0)
WIDEST, CRITIC = 256, 64  # units; noise grows with the critic's weights, not with the generator's
COLUMNS = Fraction(1, 50)


@recipe(
    "dpgan",
    cost="2 % all columns, or of pictures the label's classes, 98 % noisy gradients of the critic over samples of rows",
    choose="pictures, or the adversarial game of documents 002 and 004; for tables querygan is nearer and faster",
    pictures=True,
    sampled=True,
)
def dpgan(setting: Setting) -> Pairing:
    """Dense networks."""
    if setting.schema.images:
        return adversaries(setting, networks(setting), TEMPO, PICTURES)
    return adversaries(setting, networks(setting, by_cells=True), TEMPO, TABLES)


def adversaries(setting: Setting, maker: Maker, tempo: Tempo, regimen: Regimen) -> Pairing:
    """What is asked first: all columns that are made by their cells, where none is a picture, or the label's classes."""
    purse = setting.purse
    names = maker.columns if by_cells(maker) else maker.columns[len(maker.heads) :]
    steps = steps_of(setting, purse.share(1 - COLUMNS) if names else purse, maker, tempo, regimen)
    player = AdversaryPlayer(maker, steps, regimen)
    if not names:
        return Pairing(steps, player)
    first = Stage("columns", tuple((name,) for name in names))
    return Pairing(InTurn(Measure((first,), purse.share(COLUMNS)), steps), player)


def networks(setting: Setting, channels: int = 0, *, by_cells: bool = False) -> Maker:
    """Of so many channels, or dense ones no wider than four units a coordinate."""
    units = channels or min(WIDEST, 4 * maker_of(setting.schema, 1, by_cells=by_cells).coordinates)
    return maker_of(setting.schema, units, convolving=channels > 0, by_cells=by_cells)


def steps_of(setting: Setting, purse: Purse, maker: Maker, tempo: Tempo, regimen: Regimen) -> CriticSteps:
    """The steps of a critic: as many channels as the generator, or fewer units."""
    critic = critic_for(maker, min(maker.units, CRITIC))
    return CriticSteps(setting.schema, purse, maker, critic, DUELS[regimen.duel].loss, tempo, by_cells(maker))


def by_cells(maker: Maker) -> bool:
    """Whether every column is shown by its cells."""
    return all(head.kind == "cells" for head in maker.heads)

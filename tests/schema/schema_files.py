"""Schema files by name: good ones, and mutants with what the refusal must say.

A mutant is (columns or whole file, words of the rule, words of the remedy, whether JSON Schema can see the fault).
"""

TABLE = '[table]\nunit = "person"\n'
OK = '[columns.ok]\nkind = "boolean"\n'


def column(words: str, name: str = "c") -> str:
    """A file with one good column and one of these words."""
    return f"{TABLE}{OK}[columns.{name}]\n{words}\n"


PLACE = """kind = "place"
latitude = "lat"
longitude = "lon"
south = 47
north = 47.9
west = 8
east = 9
depth = 2"""
EDGE = """kind = "edge"
source = "one"
target = "other"
blocks = { north = ["ann", "bo"], south = ["cy"] }"""
ISLANDS = """{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "MultiPolygon",
"coordinates": [[[[8, 47], [8.4, 47], [8.2, 47.5], [8, 47]]], [[[8.6, 47], [9, 47], [8.8, 47.5], [8.6, 47]]]]}}]}"""


def outlined(text: str) -> str:
    """A place within this outline."""
    return column(f"{PLACE}\noutline = '''{text}'''")


GOOD = {
    "least": TABLE + OK,
    "no rows, and that is public": TABLE + "rows = 0\n" + OK,
    "integer by step": column('kind = "integer"\nmin = 0\nmax = 9\nstep = 2'),
    "integer by bins, strict": column('kind = "integer"\nmin = 0\nmax = 9\nbins = 2\nmissing = [""]\nbad = "missing"'),
    "integer by edges": column('kind = "integer"\nmin = 0\nmax = 9\nedges = [3, 7]'),
    "integer to discover": column('kind = "integer"\ndiscover = true\nbins = 8'),
    "integer not to discover": column('kind = "integer"\ndiscover = false\nmin = 0\nmax = 1'),
    "real": column('kind = "real"\ndecimals = 2\nmin = -0.5\nmax = 9.25\nstep = 0.25'),
    "date": column('kind = "date"\nmin = "2020-01-01"\nmax = "2021-01-01"\nstep = 7\nformat = "%d.%m.%Y"'),
    "date without quotes": column('kind = "date"\nmin = 2020-01-01\nmax = 2021-01-01\nedges = [2020-07-01]'),
    "datetime": column(
        'kind = "datetime"\nmin = "2020-01-01T00:00"\nmax = "2021-01-01T00:00"\nunit = "hour"\ntimezone = "UTC"'
    ),
    "datetime without quotes": column('kind = "datetime"\nmin = 2020-01-01T00:00:00\nmax = 2021-01-01 00:00:00'),
    "datetime with its offset": column(
        'kind = "datetime"\nmin = "2020-01-01"\nmax = "2021-01-01"\ntimezone = "UTC"\nformat = "%Y-%m-%d %H:%M%z"'
    ),
    "days of a two-digit year": column('kind = "date"\nmin = "1970-01-01"\nmax = "2021-01-01"\nformat = "%d.%m.%y"'),
    "a word for missing, to discover": column('kind = "integer"\ndiscover = true\nmissing = ["", "NA"]'),
    "closed list": column('kind = "categorical"\nvalues = ["a", "b"]\nmissing = []'),
    "open list": column('kind = "categorical"\nvalues = ["a"]\nother = "b"\nbad = "other"'),
    "list to discover": column('kind = "categorical"\ndiscover = true\nother = "rest"\nbad = "other"'),
    "ordinal of integers": column('kind = "ordinal"\nvalues = [1, 2]\nother = 9'),
    "boolean": column('kind = "boolean"\ntrue = ["y"]\nfalse = ["n"]\nmissing = [""]'),
    "place": column(PLACE),
    "place within an outline": column(f'{PLACE}\noutline = "POLYGON ((8 47, 9 47, 8.5 47.9, 8 47))"\nmissing = [""]'),
    "place within two islands of a GeoJSON": column(f"{PLACE}\noutline = '''{ISLANDS}'''"),
    "edge": column(EDGE),
    "edge that may be missing": column(f'{EDGE}\nmissing = [""]\nbad = "missing"'),
    "identifier": column('kind = "identifier"\nprefix = "P"\nwidth = 4\ntype = "text"'),
    "table": '[table]\nname = "t"\nunit = "p"\nunit_column = "ok"\nrows_per_unit = 3\nrelation = "replace-one"\n'
    'rows = 5\nignore = ["free text"]\n[csv]\ndelimiter = ";"\nencoding = "cp1252"\nquote = "\'"\n' + OK,
}

MUTANTS = {
    "an edge without nodes": (column(EDGE.partition("blocks")[0]), "no blocks of nodes", "add source", True),
    "an edge of one end": (column(EDGE.replace('target = "other"', "")), "no two columns", "add source", True),
    "an edge whose ends are one column": (column(EDGE.replace("other", "one")), "are one column", "two columns", False),
    "an edge of one node": (column(EDGE.replace('"bo"], south = ["cy"]', "]")), "fewer than two", "list its", False),
    "an empty block": (column(EDGE.replace('["cy"]', "[]")), "an empty block", "list its", True),
    "a block that is no list": (column(EDGE.replace('["cy"]', '"cy"')), "is a list", "brackets", True),
    "a node in two blocks": (column(EDGE.replace('"cy"', '"bo"')), "listed twice", "in one place", False),
    "a missing code that is a node": (column(f'{EDGE}\nmissing = ["bo"]'), "also a node", "one of the lists", False),
    "blocks and their file": (column(f'{EDGE}\nblocks_file = "n.csv"'), "beside a schema file", "as a table", True),
    "a place without its box": (column(PLACE.replace("south = 47", "")), "a side too few", "add latitude", True),
    "a place that names no column": (column(PLACE.replace('longitude = "lon"', "")), "no two columns", "add", True),
    "a place of one column": (column(PLACE.replace('"lon"', '"lat"')), "are one column", "two columns", False),
    "a place beyond the pole": (column(PLACE.replace("47.9", "97")), "more than 90 degrees", "box", True),
    "a place whose south is north": (column(PLACE.replace("47.9", "46")), "min <= max", "check", False),
    "a place cut too often": (column(PLACE.replace("depth = 2", "depth = 9")), "depth is 1 to 8", "in four", True),
    "a place with more cells than ticks": (
        column(f"{PLACE}\ndecimals = 0".replace("47.9", "48")),
        "fewer ticks",
        "more decimals",
        False,
    ),
    "a place to the millimetre": (column(f"{PLACE}\ndecimals = 7"), "at most 6", "fewer", True),
    "an outline elsewhere": (outlined("POLYGON ((47 8, 48 8, 48 9, 47 8))"), "no tick in", "longitude", False),
    "an outline of a line": (outlined("LINESTRING (8 47, 9 47)"), "no POLYGON", "POLYGON", False),
    "an outline that stays open": (outlined("POLYGON ((8 47, 9 47, 9 48, 8 48))"), "not close", "POLYGON", False),
    "an outline of broken brackets": (outlined("POLYGON (((8 47, 9 47, 8 47))"), "brackets", "POLYGON", False),
    "an outline of no corners": (outlined("POLYGON ((a b, c d))"), "brackets", "POLYGON", False),
    "an outline of nothing": (outlined("MULTIPOLYGON ()"), "has no polygon", "POLYGON", False),
    "an outline off the globe": (outlined("POLYGON ((8 47, 999 47, 9 48, 8 47))"), "the globe", "POLYGON", False),
    "an outline of no coordinates": (outlined('{"type": "Polygon"}'), "no GeoJSON", "POLYGON", False),
    "an outline of rings that are none": (
        outlined('{"type": "Polygon", "coordinates": [7]}'),
        "no list of corners",
        "POLYGON",
        False,
    ),
    "an outline and its file": (
        outlined("POLYGON ((8 47, 9 47, 9 48, 8 47))") + 'outline_file = "a"',
        "beside a schema file",
        "as text",
        True,
    ),
    "a code of a place that is a degree": (column(f'{PLACE}\nmissing = ["8.5"]'), "also a value", "narrow", False),
    "a misspelt bound": (column('kind = "integer"\nmin = 0\nmaks = 9'), "no word 'maks'", "it knows", True),
    "no bounds": (column('kind = "integer"'), "no public min and max", "discover = true", True),
    "one bound": (column('kind = "date"\nmin = "2020-01-01"'), "no public min and max", "discover = true", True),
    "a bound of text": (column('kind = "real"\nmin = "0"\nmax = 1'), "are numbers", "correct", True),
    "a bound that is infinite": (column('kind = "real"\nmin = 0\nmax = inf'), "are numbers", "correct", False),
    "a bound that is no number": (column('kind = "real"\nmin = nan\nmax = 1'), "are numbers", "correct", False),
    "a column without a name": (TABLE + OK + '[columns.""]\nkind = "boolean"', "has no name", "header", True),
    "a fraction in an integer column": (column('kind = "integer"\nmin = 0.5\nmax = 1'), "finer", "round", True),
    "more digits than decimals": (
        column('kind = "real"\ndecimals = 1\nmin = 0.25\nmax = 1'),
        "finer",
        "raise decimals",
        False,
    ),
    "more digits than a float carries": (
        column('kind = "real"\ndecimals = 15\nmin = 0\nmax = 11'),
        "15 digits",
        "fewer decimals",
        False,
    ),
    "too many decimals": (column('kind = "real"\ndecimals = 16\nmin = 0\nmax = 1'), "at most 15", "fewer", True),
    "min above max": (column('kind = "integer"\nmin = 9\nmax = 0'), "min <= max", "check", False),
    "both step and bins": (
        column('kind = "integer"\nmin = 0\nmax = 9\nstep = 1\nbins = 2'),
        "exclude each other",
        "keep one",
        True,
    ),
    "both edges and bins": (
        column('kind = "real"\nmin = 0\nmax = 9\nedges = [1]\nbins = 2'),
        "exclude each other",
        "keep one",
        True,
    ),
    "no bins at all": (column('kind = "integer"\nmin = 0\nmax = 9\nbins = 0'), "between 1 and", "another number", True),
    "a step of nothing": (column('kind = "integer"\nmin = 0\nmax = 9\nstep = 0'), "at least one", "larger step", True),
    "a step of a fraction of a day": (
        column('kind = "date"\nmin = "2020-01-01"\nmax = "2021-01-01"\nstep = 1.5'),
        "whole number of days",
        "correct",
        True,
    ),
    "an edge outside": (column('kind = "integer"\nmin = 0\nmax = 9\nedges = [10]'), "outside", "inside", False),
    "edges that are no list": (column('kind = "integer"\nmin = 0\nmax = 9\nedges = 5'), "is a list", "brackets", True),
    "bounds and discovery": (
        column('kind = "integer"\nmin = 0\ndiscover = true'),
        "bounds are given",
        "keep one",
        True,
    ),
    "a thousand and one bins to discover": (
        column('kind = "integer"\ndiscover = true\nbins = 1001'),
        "1 to 1000",
        "another number",
        True,
    ),
    "discover in quotes": (
        column('kind = "integer"\nmin = 0\nmax = 9\ndiscover = "true"'),
        "true or false",
        "without quotes",
        True,
    ),
    "no values": (column('kind = "categorical"'), "no values", "discover = true", True),
    "no values in an ordinal": (column('kind = "ordinal"\nvalues = []'), "no values", "list them", True),
    "values that are one text": (column('kind = "categorical"\nvalues = "abc"'), "is a list", "brackets", True),
    "values of two types": (column('kind = "categorical"\nvalues = ["a", 1]'), "all text or all", "alike", True),
    "values that are fractions": (column('kind = "categorical"\nvalues = [0.5]'), "texts or integers", "quote", True),
    "values that are true": (column('kind = "categorical"\nvalues = [true]'), "texts or integers", "quote", True),
    "a value beyond 64 bits": (column(f'kind = "ordinal"\nvalues = [{2**63}]'), "64 bits", "quotes", True),
    "a value twice": (column('kind = "categorical"\nvalues = ["a", "a"]'), "twice", "once", True),
    "other is listed": (column('kind = "categorical"\nvalues = ["a"]\nother = "a"'), "twice", "once", False),
    "values and discovery": (
        column('kind = "categorical"\nvalues = ["a"]\ndiscover = true'),
        "values are listed",
        "keep one",
        True,
    ),
    "a missing code is a value": (
        column('kind = "categorical"\nvalues = ["a"]\nmissing = ["a"]'),
        "also a value",
        "one of the lists",
        False,
    ),
    "a missing code is other": (
        column('kind = "categorical"\nvalues = ["a"]\nother = "x"\nmissing = ["x"]'),
        "also a value",
        "one of the lists",
        False,
    ),
    "a missing code within the bounds": (
        column('kind = "integer"\nmin = 0\nmax = 99\nmissing = ["99"]'),
        "also a value",
        "narrow",
        False,
    ),
    "missing that is one text": (
        column('kind = "integer"\nmin = 0\nmax = 9\nmissing = ""'),
        "is a list",
        "brackets",
        True,
    ),
    "missing that is a number": (
        column('kind = "integer"\nmin = 0\nmax = 9\nmissing = [-9]'),
        "list of texts",
        "quotes",
        True,
    ),
    "bad is missing without missing codes": (
        column('kind = "integer"\nmin = 0\nmax = 9\nbad = "missing"'),
        "needs missing codes",
        "add missing",
        True,
    ),
    "bad is missing in a list to discover": (
        column('kind = "categorical"\ndiscover = true\nbad = "missing"'),
        "needs missing codes",
        "add missing",
        True,
    ),
    "bad is other in a closed list": (
        column('kind = "categorical"\nvalues = ["a"]\nbad = "other"'),
        "needs an open list",
        "other",
        True,
    ),
    "bad is other in a number": (
        column('kind = "integer"\nmin = 0\nmax = 9\nbad = "other"'),
        "needs an open list",
        "another rule",
        True,
    ),
    "a bad rule that is not known": (
        column('kind = "boolean"\nbad = "drop"'),
        "clamp, missing or other",
        "correct",
        True,
    ),
    "nothing is true": (column('kind = "boolean"\ntrue = []'), "no text stands for true", "give both", True),
    "true is false": (column('kind = "boolean"\ntrue = ["x"]\nfalse = ["x"]'), "true, false", "separate", False),
    "a kind that is not known": (column('kind = "float"'), "its kind is none of", "give it one", True),
    "a kind that is a list": (column('kind = ["integer"]'), "its kind is none of", "give it one", True),
    "no kind": (column("min = 0"), "its kind is none of", "give it one", True),
    "a word of another kind": (column('kind = "boolean"\nmin = 0'), "no word 'min'", "it knows", True),
    "an identifier that may be missing": (
        column('kind = "identifier"\nmissing = [""]'),
        "no word 'missing'",
        "it knows",
        True,
    ),
    "an identifier of another type": (
        column('kind = "identifier"\ntype = "uuid"'),
        "text or integer",
        "correct",
        True,
    ),
    "a width below nothing": (column('kind = "identifier"\nwidth = -1'), "not negative", "correct", True),
    "a date that is none": (
        column('kind = "date"\nmin = "yesterday"\nmax = "2021-01-01"'),
        "ISO dates",
        "2020-01-31",
        True,
    ),
    "a date that is a number": (
        column('kind = "date"\nmin = 2020\nmax = "2021-01-01"'),
        "ISO dates",
        "2020-01-31",
        True,
    ),
    "a format that is none": (
        column('kind = "date"\nmin = "2020-01-01"\nmax = "2021-01-01"\nformat = "YYYY-MM-DD"'),
        "format",
        "%d.%m.%Y",
        False,
    ),
    "a format without a year": (
        column('kind = "date"\nmin = "2020-01-01"\nmax = "2021-01-01"\nformat = "%d.%m."'),
        "format",
        "%d.%m.%Y",
        False,
    ),
    "a format without the minutes that the unit has": (
        column('kind = "datetime"\nmin = "2020-01-01"\nmax = "2021-01-01"\nformat = "%Y-%m-%d %H"'),
        "to the column's unit",
        "coarser unit",
        False,
    ),
    "a format of two-digit years, for more than a hundred": (
        column('kind = "date"\nmin = "1930-01-01"\nmax = "2021-01-01"\nformat = "%d.%m.%y"'),
        "the years of its min and max",
        "four digits",
        False,
    ),
    "a format of years that strptime does not read": (
        column('kind = "date"\nmin = "0999-01-01"\nmax = "2021-01-01"\nformat = "%d.%m.%Y"'),
        "the years of its min and max",
        "from 1000 on",
        False,
    ),
    "an offset without a timezone": (
        column('kind = "datetime"\nmin = "2020-01-01"\nmax = "2021-01-01"\nformat = "%Y-%m-%d %H:%M%z"'),
        "whole date",
        "with a timezone",
        False,
    ),
    "a missing code that discovery may come upon": (
        column('kind = "integer"\ndiscover = true\nmissing = ["", "-9"]'),
        "bounds that are discovered",
        "min and max",
        False,
    ),
    "a missing code of nought to discover": (
        column('kind = "real"\ndiscover = true\nmissing = ["0"]'),
        "bounds that are discovered",
        "min and max",
        False,
    ),
    "a value that the encoding has no letters for": (
        TABLE + '[csv]\nencoding = "ascii"\n[columns.c]\nkind = "categorical"\nvalues = ["\u00e9"]\n',
        "be written in [csv]",
        "utf-8",
        False,
    ),
    "a timezone that is none": (
        column('kind = "datetime"\nmin = "2020-01-01"\nmax = "2021-01-01"\ntimezone = "Swiss"'),
        "timezone 'Swiss'",
        "Europe/Zurich",
        False,
    ),
    "a unit that is none": (
        column('kind = "datetime"\nmin = "2020-01-01"\nmax = "2021-01-01"\nunit = "week"'),
        "second, minute",
        "correct",
        True,
    ),
    "a column that is no section": (TABLE + "[columns]\nc = 1\n" + OK, "not a section", "its kind", True),
    "rows below one": (
        '[table]\nunit = "p"\nunit_column = "ok"\nrows_per_unit = 0\n' + OK,
        "below 1",
        "most rows",
        True,
    ),
    "rows without a unit": ('[table]\nunit = "p"\nrows_per_unit = 2\n' + OK, "needs a unit_column", "name the", True),
    "missing keys without a unit": ('[table]\nunit_missing = ["NA"]\n' + OK, "without a unit_column", "name the", True),
    "a unit that is not declared": ('[table]\nunit_column = "x"\n' + OK, "'x' is not declared", "declare it", False),
    "a public n below nothing": ("[table]\nrows = -1\n" + OK, "not negative", "correct", True),
    "a relation that is none": ('[table]\nrelation = "swap"\n' + OK, "add-remove", "correct", True),
    "a name that is a number": ("[table]\nname = 1\n" + OK, "is a text", "quotes", True),
    "a misspelt table word": ("[table]\nunits = 'p'\n" + OK, "no word 'units'", "it knows", True),
    "a misspelt section": (TABLE + OK + "[csvs]\n", "no word 'csvs'", "it knows", True),
    "no table": (OK, "no [table]", "add it", True),
    "no columns": (TABLE, "no [columns]", "add it", True),
    "only identifiers": (TABLE + '[columns.id]\nkind = "identifier"\n', "no column is left", "at least one", True),
    "a column that is also ignored": (TABLE + 'ignore = ["ok"]\n' + OK, "declared twice", "once", False),
    "a delimiter of two": (TABLE + '[csv]\ndelimiter = "::"\n' + OK, "one character", "correct", True),
    "a delimiter that is the quote": (TABLE + "[csv]\ndelimiter = '\"'\n" + OK, "differ", "correct", False),
    "an encoding that is none": (TABLE + '[csv]\nencoding = "klingon"\n' + OK, "encoding", "utf-8", False),
}

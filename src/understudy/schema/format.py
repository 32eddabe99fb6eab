"""Formats of dates and moments: what is written in one must be read back as the same tick.

A two-digit year holds a hundred years, strptime reads no year before 1000 that %Y writes, and a format without the time of
day holds no minutes. What a format cannot hold is refused before anything is paid, or, where bounds are still to be
discovered, left outside of them.

>>> from understudy.schema.grid import Grid
>>> born = Moment("born", grid=Grid((0,), 0), format="%d.%m.%y")
>>> reads_back(born, 0), [str(EPOCH + timedelta(days=tick))[:10] for tick in span(born)]
(True, ['1969-01-01', '2068-12-31'])
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from understudy.refusal import SchemaRefused
from understudy.schema.column import UNITS, Moment
from understudy.schema.parse import EPOCH, Unreadable, tick_of

SAMPLE = datetime(2001, 2, 3, 4, 5, 6)
FIRST_YEARS, LAST_YEARS = (1, 1000, 1969), (9999, 2068)  # of ISO dates, of %Y, of %y


def reads_back(column: Moment, tick: int) -> bool:
    """Whether a tick is read from its own text."""
    if column.format is None:
        return True
    when = EPOCH + timedelta(seconds=tick * UNITS[column.unit])
    if column.clock and column.timezone is not None:
        when = when.replace(tzinfo=ZoneInfo(column.timezone))
    try:
        return tick_of(column, when.strftime(column.format)) == tick
    except (ValueError, Unreadable):
        return False


def span(column: Moment) -> tuple[int, int]:
    """The first and the last tick of the years that the column's format holds."""
    first = [tick_of(column, datetime(year, 1, 1)) for year in FIRST_YEARS]
    last = [tick_of(column, datetime(year, 12, 31, 23, 59, 59)) for year in LAST_YEARS]
    return next((t for t in first if reads_back(column, t)), first[-1]), next(
        (t for t in last if reads_back(column, t)), last[-1]
    )


def refuse_unreadable_format(column: Moment) -> None:
    """A format must hold every tick between the bounds, to the column's unit."""
    if not reads_back(column, tick_of(column, SAMPLE)):
        raise SchemaRefused(
            "its format does not hold a whole date, to the column's unit",
            'write it like "%d.%m.%Y %H:%M", with a timezone where it has an offset; or take a coarser unit',
        )
    if not (reads_back(column, column.grid.low) and reads_back(column, column.grid.high)):
        raise SchemaRefused(
            "its format does not hold the years of its min and max",
            "write years with four digits, from 1000 on, or leave the format out",
        )

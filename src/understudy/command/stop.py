"""Ctrl-C: the work stops where it can be taken up, and the process ends with the code that is documented.

A compiler of networks that is stopped in the middle of its own work brings the whole process down. So within its frames a
stop waits, a moment at a time, until they are left; everywhere else it comes at once. And since a destructor, or a library
that looks for something, may swallow it, it comes again until it is heard.
"""

import signal
import sys
from types import FrameType

COMPILER = {"jax", "jaxlib"}
MOMENT, AGAIN = 0.05, 1.0  # seconds: until the compiler is asked again, until who did not hear is told again


def patient() -> None:
    """From now on Ctrl-C is heeded so; where it was to be ignored, as by nohup, it still is."""
    sys.unraisablehook = lambda lost: None  # an error that nobody can catch is not printed: it may quote a row
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGALRM, stop)


def stop(_: int, frame: FrameType | None) -> None:
    """Stop now, or, within the compiler, as soon as it is left."""
    if at_work(frame):
        signal.setitimer(signal.ITIMER_REAL, MOMENT)
        return
    signal.setitimer(signal.ITIMER_REAL, AGAIN)
    raise KeyboardInterrupt


def heard() -> None:
    """The stop has come where it was to come: it need not be said again."""
    signal.setitimer(signal.ITIMER_REAL, 0)


def at_work(frame: FrameType | None) -> bool:
    """Whether the compiler is anywhere among those who wait for this frame."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in COMPILER:
            return True
        frame = frame.f_back
    return False

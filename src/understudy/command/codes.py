"""Exit codes: read off the tree of refusals, so that what is documented is what is raised.

>>> CODES[0], CODES[3]
('it is done', 'more privacy was asked for than is left')
"""

from understudy.refusal import Refusal

FAILED, STOPPED, PIPE = 1, 130, 141


def first_words(kind: type[Refusal]) -> str:
    """The first line of a refusal's docstring, as the middle of a sentence."""
    words = (kind.__doc__ or "").partition("\n")[0].rstrip(".")
    return words[:1].lower() + words[1:]


CODES = {
    0: "it is done",
    FAILED: "understudy itself failed; it says no more, because a traceback may hold private values",
    **{kind.code: first_words(kind) for kind in Refusal.__subclasses__()},
    STOPPED: "stopped with Ctrl-C; what was reserved stays charged, and the same command takes a release up again",
    PIPE: "the reader of stdout went away",
}

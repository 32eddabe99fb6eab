"""To be written."""


def write(a):
    pass

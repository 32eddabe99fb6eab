"""What survives of document 001's conclusions. Written by hand, after the results were read."""

CONCLUSIONS = """## Which conclusions survive

To be written."""

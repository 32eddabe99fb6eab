"""The recipe of those who name none. A file of its own, so that help texts need not load the road to print it."""

DEFAULT = "querygan"

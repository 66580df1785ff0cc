"""expedition: a testbed for multi-robot exploration."""

__version__ = "0.1.0"

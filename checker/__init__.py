"""The independent checker: recomputes every published number from the logs and the spec alone, and compares."""

__version__ = "0.1.0"

"""The builder: plays the benchmarks, keeps the logs, computes the builder's own numbers."""

__version__ = "0.1.0"

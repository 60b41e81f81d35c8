"""The good data: small versions of each benchmark, rich in what the contracts allow, without any file of runs/."""

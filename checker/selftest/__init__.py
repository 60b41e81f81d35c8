"""How good is the checker?  Good data is altered on purpose, copy by copy, and what the checker names is counted.

`worlds/` makes the good data from the contracts alone, `operators/` alters it, `trial.py` checks the altered copies,
`run.py` draws and counts, `report.py` writes what came of it (self-test.md in the reference).
"""

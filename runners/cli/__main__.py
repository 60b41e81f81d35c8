"""`python -m runners.cli`: the command line without the installed script."""

from __future__ import annotations

from runners.cli import main

main()

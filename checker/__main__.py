"""`python -m checker`: the same as `countersign-check`."""

from checker.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

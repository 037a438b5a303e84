"""``python -m aslant.cli``: the same as ``python -m aslant``."""

from aslant.cli import main

if __name__ == "__main__":
    main()

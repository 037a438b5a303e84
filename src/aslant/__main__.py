"""``python -m aslant``: the command line."""

from aslant.cli import main

if __name__ == "__main__":
    main()

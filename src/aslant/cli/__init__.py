"""The command line ``aslant``; `aslant.cli.program` runs its commands.

Loading the libraries takes a second or two, so `main` loads them inside its own handler: Ctrl-C is
answered in one line from the first moment on.
"""

import sys
from typing import NoReturn

NEEDED = ("polars", "rich", "typer")
"""The libraries of the extra ``cli``."""


def main() -> NoReturn:
    """Run the command that the program was started with, and end the program."""
    try:
        from aslant.cli.program import run

        sys.exit(run(sys.argv[1:]))
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        print(
            f"Error: the command line needs {error.name}, not installed here: "
            "pip install 'aslant[cli]'.",
            file=sys.stderr,
        )
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr, flush=True)
        sys.exit(130)

"""The command line ``aslant``; `aslant.cli.program` runs its commands.

Loading the libraries takes a second or two, so `main` loads them inside its own handler: Ctrl-C is
answered in one line from the first moment on.
"""

import sys
from typing import NoReturn

# The libraries of the extra ``cli``.
_NEEDED = ("polars", "rich", "typer")


def missing_library(error: ImportError) -> str | None:
    """Return a sentence on a library of the command line that is not installed."""
    name = (error.name or "").partition(".")[0]
    if name not in _NEEDED:
        return None
    return f"the command line needs {name}, not installed here: pip install 'aslant[cli]'."


def main() -> NoReturn:
    """Run the command that the program was started with, and end the program."""
    try:
        from aslant.cli.program import run

        sys.exit(run(sys.argv[1:]))
    except ModuleNotFoundError as error:
        sentence = missing_library(error)
        if sentence is None:
            raise
        print(f"Error: {sentence}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr, flush=True)
        sys.exit(130)

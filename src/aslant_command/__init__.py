"""The program ``aslant``, before its libraries are loaded.

Loading them takes a second or two. Beside the package, because nothing of a package can run before
the package itself is loaded: so Ctrl-C is answered in a line from the first moment on.
"""

import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command that the program was started with, and end the program."""
    try:
        from aslant.cli import main as run
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr, flush=True)
        sys.exit(130)
    run()

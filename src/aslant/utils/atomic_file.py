"""Writing a file that is there whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def write_atomically(path: str | os.PathLike[str], content: bytes | Iterable[bytes]) -> None:
    """Write a file, whole or piece by piece, so that nobody ever sees half of it.

    The content goes to a temporary file in the same folder, which takes the name of the file only
    when everything has reached the disk. Whatever goes wrong before that, the temporary file is
    removed and a file that was there stays as it was.

    Raises
    ------
    OSError
        With one sentence that names the file and the reason.
    """
    # Through a symbolic link the file behind it is written, not the link replaced.
    target = Path(os.path.realpath(path))
    # A name of its own, because that of the file may be as long as names can be.
    temporary = target.with_name(f".aslant-{secrets.token_hex(8)}.tmp")
    try:
        _check_target(target)
        try:
            _write_and_sync(temporary, content)
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException:  # an interrupt, too, leaves nothing behind
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise OSError(error.errno, f"Cannot write {os.fspath(path)!r}: {reason}.") from error


def _check_target(target: Path) -> None:
    """Refuse a folder or a device, which must not be replaced by a file."""
    if target.is_dir():
        raise OSError("it is a folder")
    if target.exists() and not target.is_file():
        raise OSError("it is not a regular file")
    if not target.parent.is_dir():
        raise OSError(f"there is no folder {str(target.parent)!r}")


def _write_and_sync(temporary: Path, content: bytes | Iterable[bytes]) -> None:
    with open(temporary, "xb") as file:
        for piece in [content] if isinstance(content, bytes) else content:
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())

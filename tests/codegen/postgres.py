"""A PostgreSQL server of its own for the tests, in a folder that is removed afterwards."""

from __future__ import annotations

import csv
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def server_programs() -> Path | None:
    """Return the folder of the newest installed server, as Debian's packages lay it out."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    beside = shutil.which("initdb")
    return found[-1].parent if found else Path(beside).parent if beside else None


class Server:
    """A server on a socket in a temporary folder; the super user cannot run one itself."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.user = "postgres" if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="pg"))
        if self.user:
            owner = pwd.getpwnam(self.user)
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
        data = self.folder / "data"
        self._run("initdb", "-D", str(data), "--no-sync", "--auth=trust", "-U", "tester")
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(data), "-w", "-o", options, "-l", log, "start")

    def _run(self, program: str, *arguments: str, text: str | None = None) -> str:
        command = [str(self.programs / program), *arguments]
        done = subprocess.run(
            command, user=self.user, cwd="/", input=text, capture_output=True, text=True
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout

    def query(self, script: str) -> list[list[str]]:
        """Run statements; return the rows of the last one as texts."""
        arguments = ["-h", str(self.folder), "-U", "tester", "-d", "postgres", "-q", "--csv", "-t"]
        out = self._run("psql", *arguments, "-v", "ON_ERROR_STOP=1", "-X", text=script)
        return list(csv.reader(out.splitlines()))

    def load(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Make a table of rows; None is NULL."""
        path = self.folder / "rows.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            for row in rows:
                cells = ["\\N" if value is None else _cell(value) for value in row]
                file.write("\t".join(cells) + "\n")
        path.chmod(0o644)
        self.query(
            f"DROP TABLE IF EXISTS {table};\nCREATE TABLE {table} ({', '.join(columns)});\n"
            f"\\copy {table} FROM '{path}'\n"
        )

    def stop(self) -> None:
        """Stop the server and remove its folder."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


def _cell(value: Any) -> str:
    text = repr(value) if isinstance(value, float) else str(value)
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")

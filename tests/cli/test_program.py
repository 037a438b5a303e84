"""The command line as a program of its own: codes, pipes, Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
import threading

import pytest

from aslant import cli


def start(*arguments, **streams):
    return subprocess.Popen([sys.executable, "-m", "aslant", *arguments], **streams)


def test_program_fits_and_reports(mixed):
    fit = ["fit", "mixed.csv", "--target", "class", "--method", "cart", "--out", "m.aslant"]
    program = start(*fit, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = program.communicate()
    assert program.returncode == 0
    assert "training rows" in out
    # The bar is for terminals only.
    assert err.splitlines() == [
        "Columns: 2 number, 1 category.",
        "Rows: 90. Target: 2 classes, no 45, yes 45.",
        "Saved to m.aslant.",
    ]


def test_entry_point_ends_the_program_with_the_code(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["aslant", "grow"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "Error: No such command 'grow'.\n"


def test_ctrl_c_while_libraries_are_loaded(monkeypatch, capsys):
    class CtrlC:
        def find_spec(self, name, path=None, target=None):
            raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "aslant.cli.program", raising=False)
    monkeypatch.setattr(sys, "meta_path", [CtrlC()])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130
    assert capsys.readouterr().err == "Interrupted.\n"


def test_closed_pipe_is_silent():
    program = start("datasets", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    program.stdout.close()  # as `head` does when it has seen enough
    assert program.stderr.read() == ""
    program.stderr.close()
    assert program.wait() == 141


def wait_for_ctrl_c_again():
    # A shell that runs the tests in the background has told its children to ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read_until_the_end(terminal):
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:  # the end, on Linux
        pass
    return shown


def test_ctrl_c_during_a_long_fit(folder):
    pty = pytest.importorskip("pty", reason="needs a system with pseudo-terminals")
    terminal, side = pty.openpty()
    program = start(
        *("fit", "--method", "sadt", "--set", "patience=1000000000", "--out", "m.aslant"),
        stdout=subprocess.PIPE,
        stderr=side,
        env={**os.environ, "TERM": "xterm"},
        preexec_fn=wait_for_ctrl_c_again,
    )
    os.close(side)
    guard = threading.Timer(900, program.kill)  # fail rather than hang
    guard.start()
    shown = b""
    while not re.search(rb"Growing sadt.*\d:\d\d:\d[1-9]|Error", shown):  # the bar's clock runs
        shown += os.read(terminal, 65536)
    program.send_signal(signal.SIGINT)
    shown += read_until_the_end(terminal)
    os.close(terminal)
    out, _ = program.communicate()
    guard.cancel()
    assert program.returncode == 130
    assert out == b""
    assert shown.decode().rstrip().endswith("Interrupted.")
    assert "Traceback" not in shown.decode()
    assert list(folder.iterdir()) == []

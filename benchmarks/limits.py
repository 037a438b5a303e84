"""A time limit for one step of a benchmark."""

from __future__ import annotations

import math
import resource
import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any


def within(seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of work in a process of its own, None if it takes more CPU time."""
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(sender, seconds, work, arguments))
    process.start()
    sender.close()  # so that the end of the process is the end of the pipe
    try:
        result = receiver.recv()
    except EOFError:
        result = None
    process.join()
    if process.exitcode not in (0, -signal.SIGXCPU):
        raise RuntimeError(f"a step of the benchmark ended with code {process.exitcode}")
    return result


def _do(sender: Connection, seconds: float, work: Callable[..., Any], arguments: Any) -> None:
    limit = math.ceil(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    sender.send(work(*arguments))

"""A time limit for one step of a benchmark."""

from __future__ import annotations

import math
import resource
import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

CUT_OFF = "cut off"


def within(seconds: float, work: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of work in a process of its own, None if it takes more CPU time."""
    result, reason = attempt(seconds, work, *arguments)
    if reason not in ("", CUT_OFF):
        raise RuntimeError(f"a step of the benchmark {reason}")
    return result


def attempt(seconds: float, work: Callable[..., Any], *arguments: Any) -> tuple[Any, str]:
    """Return the result of work in a process of its own, or None and how the process ended."""
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(sender, seconds, work, arguments))
    process.start()
    sender.close()  # so that the end of the process is the end of the pipe
    result = None
    patience = 60.0 + 10.0 * seconds  # for work that hangs without using the CPU
    try:
        if receiver.poll(patience):
            result = receiver.recv()
        else:
            process.kill()
            return None, f"gave no answer within {patience:g} s"
    except EOFError:
        pass
    finally:
        process.join()
        receiver.close()
    return result, _ending(process.exitcode)


def _ending(code: int | None) -> str:
    if code in (0, None):
        return ""
    if code == -signal.SIGXCPU:
        return CUT_OFF
    if code < 0:
        return f"ended with {signal.Signals(-code).name}"
    return f"ended with code {code}"


def _do(sender: Connection, seconds: float, work: Callable[..., Any], arguments: Any) -> None:
    limit = math.ceil(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    sender.send(work(*arguments))

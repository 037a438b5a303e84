"""Every run of the tests is the same run.

An estimator with ``random_state=None`` draws its seed from NumPy's global generator, which every
test finds in the same state. Hypothesis tries the same examples every time, however long they take
on a busy machine. Ctrl-C works. Linear algebra and OpenMP use one thread in every worker of
pytest-xdist, since each core has a worker of its own.
"""

from __future__ import annotations

import os
import signal

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

# What a shell starts in the background ignores Ctrl-C, and so would all processes of the tests.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Workers, which are started later, inherit these; here NumPy may have read them already.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

settings.register_profile(
    "same examples",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same examples")


@pytest.fixture(autouse=True)
def _same_random_state_for_every_test() -> None:
    np.random.seed(0)

"""Every run of the tests is the same run.

An estimator with ``random_state=None`` draws its seed from NumPy's global generator, which every
test finds in the same state. Hypothesis tries the same examples every time.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("same examples", derandomize=True)
settings.load_profile("same examples")


@pytest.fixture(autouse=True)
def _same_random_state_for_every_test() -> None:
    np.random.seed(0)

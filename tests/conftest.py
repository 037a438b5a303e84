"""Every test starts from the same state of NumPy's global generator.

An estimator with ``random_state=None`` draws its seed there; without this its test would meet other
folds in every run.
"""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _same_random_state_for_every_test() -> None:
    np.random.seed(0)

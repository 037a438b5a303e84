"""Tries an installed aslant, in an environment that has nothing but it: no pandas, no matplotlib.

Run by ``make wheel`` for the wheel of this machine, and by cibuildwheel for each that it builds.
The command line is tried if what it needs is installed.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_diabetes, load_iris

import aslant


def main() -> None:
    """Fit, predict, save, load, export, report; from Python and from a shell."""
    assert "site-packages" in aslant.__file__, aslant.__file__
    X, y = load_iris(return_X_y=True)
    tree = aslant.AutoTreeClassifier(random_state=0, effort="low").fit(X, y)
    assert tree.score(X, y) > 0.9
    module: dict[str, object] = {}
    exec(aslant.export_code(tree, "python"), module)
    assert [module["predict"](row) for row in X.tolist()] == tree.predict(X).tolist()  # type: ignore[operator]
    assert "<html" in aslant.report(tree, X, y)  # whose files must have been packed
    numbers, target = load_diabetes(return_X_y=True)
    regressor = aslant.LeastSquaresTreeRegressor(max_depth=2).fit(numbers, target)
    assert np.isfinite(regressor.predict(numbers)).all()
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "model.aslant")
        aslant.save(tree, model)
        assert (aslant.load(model).predict(X) == tree.predict(X)).all()
        if importlib.util.find_spec("polars") is not None:
            for arguments in (["--version"], ["show", model], ["export", model, "--to", "c"]):
                subprocess.run([sys.executable, "-m", "aslant", *arguments], check=True)
    unlocked = not getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"aslant {aslant.__version__} works in {sys.prefix}", "without the GIL" * unlocked)


if __name__ == "__main__":
    main()

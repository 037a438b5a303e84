"""The picture of docs/guide/control.md: a violation without the constraint, none with it.

python benchmarks/constraint_figure.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from aslant import AutoTreeClassifier

FIGURE = Path(__file__).parent.parent / "docs" / "figures" / "monotone.png"


def main() -> None:
    rng = np.random.default_rng(0)
    rows = pd.DataFrame(
        {
            "income": rng.lognormal(3, 0.5, 800),
            "debt": rng.gamma(2, 8, 800),
            "age": rng.integers(18, 80, 800).astype(float),
        }
    )
    odds = 0.09 * rows.debt - 0.08 * rows.income - 0.001 * (rows.age - 45) ** 2
    y = (odds + np.sin(rows.debt / 4) + rng.normal(size=800) > 0).astype(int)
    debts = np.linspace(0.0, 60.0, 121)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for axis, signs in zip(axes, (None, {"debt": 1}), strict=True):
        tree = AutoTreeClassifier(monotonic_cst=signs, leaf="constant", random_state=0).fit(rows, y)
        for _, row in rows.iloc[:40].iterrows():
            varied = pd.DataFrame([row] * len(debts)).assign(debt=debts)
            probability = tree.predict_proba(varied)[:, 1]
            axis.plot(debts, probability, color="0.7", linewidth=0.8)
            falls = np.append(np.diff(probability) < -1e-9, False)
            falling = np.where(falls | np.roll(falls, 1), probability, np.nan)
            axis.plot(debts, falling, color="tab:red", linewidth=1.2)
        axis.set_title("no constraint" if signs is None else 'monotonic_cst={"debt": 1}')
        axis.set_xlabel("debt")
    axes[0].set_ylabel("probability of default")
    figure.savefig(FIGURE, dpi=110)


if __name__ == "__main__":
    main()

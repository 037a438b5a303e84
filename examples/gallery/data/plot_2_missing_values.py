"""
When missing values carry information
=====================================

A laboratory value is missing more often for patients who are well: nobody ordered the test. With
``missing="auto"``, the default, a column gets an indicator feature if its missingness depends on
the class. Here the dependence grows from none to strong.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from aslant import QUESTClassifier, export_text

rng = np.random.default_rng(0)


def draw(dependence, n=2000):
    """Return patients whose lab value is missing in 30 % of the rows on average."""
    ill = rng.random(n) < 0.5
    table = pd.DataFrame(
        {"age": rng.normal(50 + 4 * ill, 12), "lab": rng.normal(1 + 0.8 * ill, 1.0)}
    )
    table.loc[rng.random(n) < 0.3 + 0.3 * dependence * np.where(ill, -1, 1), "lab"] = np.nan
    return table, np.where(ill, "ill", "well")


dependences = np.linspace(0, 1, 6)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
tables = [(draw(dependence), draw(dependence)) for dependence in dependences]
for missing in ("node_mean", "indicator", "auto"):
    scores = [QUESTClassifier(missing=missing, random_state=0).fit(*a).score(*b) for a, b in tables]
    ax.plot(dependences, scores, "o-", label=f"missing={missing!r}")
ax.set(xlabel="dependence of missingness on the class", ylabel="accuracy on other rows")
ax.legend()

# %%
# **What the figure tells.** On the left missingness carries no information, and the indicator
# neither helps nor hurts. On the right the mean of the node hides the most informative fact about
# the row, and the indicator keeps it. ``"auto"`` is close to the better of the two everywhere.

tree = QUESTClassifier(max_leaf_nodes=4, random_state=0).fit(*tables[-1][0])
print(export_text(tree))

# %%
# **What the text tells.** A test that names ``lab is missing`` reads the indicator. The words in
# parentheses say how a test treats a missing value: the mean of the node replaces it.

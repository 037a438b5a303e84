"""
Categories and missing values
=============================

Text columns are categories, None and NaN are missing values; no preprocessing is needed.
"""

import numpy as np
import pandas as pd

from aslant import CARTClassifier, export_text, plot_tree

rng = np.random.default_rng(0)
n = 400
table = pd.DataFrame(
    {
        "color": rng.choice(["red", "green", "blue"], n),
        "age": rng.normal(40, 12, n).round(),
        "income": rng.lognormal(10, 0.5, n).round(-2),
    }
)
buys = (table["color"] == "red") ^ (table["age"] > 45)
table.loc[rng.random(n) < 0.3 * buys, "income"] = np.nan  # informative missingness
tree = CARTClassifier(max_depth=3).fit(table, np.where(buys, "buys", "passes by"))
print(export_text(tree))

# %%

plot_tree(tree)

# %%
# **What the output tells.** A category is tested as a set of levels. The first test is on
# missingness: the amount of the income has no effect, but here it is missing only for those who
# buy, and the tree uses that. Check such a test before you trust it: it may be an artifact of how
# the data were collected.

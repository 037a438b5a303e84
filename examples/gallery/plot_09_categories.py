"""
Categories and missing values
=============================

Columns of text are categories, None and NaN are missing values; nothing needs preparation.
"""

import numpy as np
import pandas as pd

from aslant import CARTClassifier, export_text, plot_tree

rng = np.random.default_rng(0)
n = 400
table = pd.DataFrame(
    {
        "colour": rng.choice(["red", "green", "blue"], n),
        "age": rng.normal(40, 12, n).round(),
        "income": rng.lognormal(10, 0.5, n).round(-2),
    }
)
buys = (table["colour"] == "red") ^ (table["age"] > 45)
table.loc[rng.random(n) < 0.3 * buys, "income"] = np.nan  # who buys tells less
tree = CARTClassifier(max_depth=3).fit(table, np.where(buys, "buys", "passes by"))
print(export_text(tree))

# %%

plot_tree(tree)

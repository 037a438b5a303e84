"""
A model as SQL and as C
=======================

``export_code`` writes a fitted model as source code that predicts without aslant. Here the query
runs in SQLite and in DuckDB, the C function is compiled and called, and both are compared with
``predict_proba`` on every row.
"""

import ctypes
import sqlite3
import subprocess
import tempfile
from pathlib import Path

import duckdb
import numpy as np
from sklearn.datasets import load_wine

from aslant import AutoTreeClassifier, export_code

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
X.columns = [name.replace("/", "_") for name in X.columns]
tree = AutoTreeClassifier(leaf="constant", random_state=0).fit(X, y)
expected = tree.predict_proba(X)


def largest_difference(probabilities):
    """Return how far the probabilities are from those of the fitted tree."""
    return f"{np.abs(np.asarray(probabilities) - expected).max():.1e}"


# %%
# A query reads a table and returns the prediction and the probabilities. ``keep`` names columns of
# the table that are returned with them.

database = sqlite3.connect(":memory:")
X.to_sql("wines", database, index_label="id")
query = export_code(tree, "sql", name="wines", keep=["id"], dialect="sqlite")
print(query[:600], "...")
answers = sorted(database.execute(query).fetchall())  # by the first column, the id
print("SQLite:", largest_difference([answer[2:] for answer in answers]))

wines = X.reset_index(names="id")
query = export_code(tree, "sql", name="wines", keep=["id"], dialect="duckdb")
answers = sorted(duckdb.sql(query).fetchall())
print("DuckDB:", largest_difference([answer[2:] for answer in answers]))

# %%
# **What the output tells.** The query is one statement: its first step computes the gates, the next
# ones the probabilities. The last two lines compare both databases with ``predict_proba``.
#
# C code has no dependencies and allocates nothing.

code = export_code(tree, "c", name="wine")
with tempfile.TemporaryDirectory() as folder:
    source, library = Path(folder, "wine.c"), Path(folder, "wine.so")
    source.write_text(code)
    subprocess.run(
        ["cc", "-std=c99", "-O2", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True
    )
    compiled = ctypes.CDLL(str(library))
    doubles = ctypes.POINTER(ctypes.c_double)
    found = np.zeros_like(expected)
    for row, probabilities in zip(X.to_numpy(), found, strict=True):
        compiled.wine_predict_proba(
            np.ascontiguousarray(row).ctypes.data_as(doubles), probabilities.ctypes.data_as(doubles)
        )
print(f"C: {largest_difference(found)}, {len(code.splitlines())} lines")

# %%
# **What the output tells.** The figures are the largest differences of any probability of any row.
# The tree is soft, so its gates are exponentials, which differ in the last bits between
# mathematical libraries; for a tree with hard tests the differences are exactly zero. So the
# exported code predicts what the validated model predicts.

"""
Sparse text
===========

Which part of SciPy does a documentation string come from? The texts are real and need no download:
they are the docstrings of the installed library. Word counts are a sparse matrix, which CART, OC1
and the forests read without a dense copy.
"""

import inspect

import scipy.linalg
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.stats
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import train_test_split

from aslant import CARTClassifier, ObliqueRandomForestClassifier, export_text, plot_tree

texts, y = [], []
for part in (scipy.linalg, scipy.optimize, scipy.signal, scipy.sparse, scipy.stats):
    for name in part.__all__:
        text = inspect.getdoc(getattr(part, name)) or ""
        if len(text) > 200:
            texts.append(text.split("Examples\n")[0])
            y.append(part.__name__)

vectorizer = CountVectorizer(binary=True, min_df=5, token_pattern=r"[a-z]{3,}")
X = vectorizer.fit_transform(texts)
share = X.nnz / (X.shape[0] * X.shape[1])
print(f"{X.shape[0]} texts, {X.shape[1]} words, {share:.1%} of the matrix is not zero")

# %%
# **What the line tells.** Most texts contain few of the words, so a dense matrix would hold mostly
# zeros.
#
# A small tree names the most informative words.

X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
tree = CARTClassifier(max_leaf_nodes=8).fit(X_train, y_train)
words = vectorizer.get_feature_names_out()
print(export_text(tree, feature_names=words))
plot_tree(tree, feature_names=words)

# %%
# **What the text tells.** A word is a feature of 0 or 1, so ``<= 0.5`` means that the text does not
# contain it. Each leaf counts the training texts of its class and all that reach it.

forest = ObliqueRandomForestClassifier(random_state=0).fit(X_train, y_train)
for name, model in (("one tree of 8 leaves", tree), ("forest of 100 trees", forest)):
    print(f"{name}: accuracy {model.score(X_test, y_test):.3f} on other texts")

# %%
# **What the figures tell.** A tree of eight leaves reads a handful of words and ignores the rest of
# the vocabulary; a forest of many trees reads more of it and is more accurate. The small tree is a
# summary of the words that separate the classes.

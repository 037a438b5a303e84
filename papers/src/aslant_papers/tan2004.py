"""Oblique trees by minimum message length.

P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, AI 2004: Advances in Artificial
Intelligence, LNAI 3339. A hundred random divisions, 90 % of the rows for training. Probabilities
are leaf frequencies with one more row of each class (Laplace), for all methods.

"MML oblique tree" is the paper's search and formula (`MMLTreeClassifier.as_published`); the rows
that are not counted have our sweep and a code that can be decoded.

What the paper's figures say, where its text does not
    *Every attribute is a number.* The sizes of C4.5's trees, twice C5's leaves less one on every
    set, are those of binary trees, and C4.5 has a branch for every level of a category. Codes of
    levels are read as numbers, text such as ``30-39`` in the order of its numbers. Credit is
    `german_credit_numeric`, the file of 24 numbers.

    *D*, the dimension in which a direction is stated, is "the number of input attributes" in the
    text. With it (``direction="paper_all"``) trees of most sets are a single leaf, where the
    published ones have two to seven; the row that is counted has the attributes of the test. That
    is an inference.
"""

from __future__ import annotations

from aslant.comparison.splits import RandomDivisions
from aslant_papers.protocol import (
    Data,
    Paper,
    PaperTable,
    TableColumn,
    TableMethod,
    published,
    spec,
)

_MML = "MML oblique tree"

TABLE_1 = PaperTable(
    number=1,
    title="Accuracy, code length of the test labels, and size",
    plan=RandomDivisions(runs=100, train_share=0.9),
    columns=(
        TableColumn("Balance", Data("balance_scale", as_numbers=True)),
        TableColumn("Bupa", Data("bupa", as_numbers=True)),
        TableColumn("Breast Cancer", Data("breast_cancer_ljubljana", as_numbers=True)),
        TableColumn("Wisconsin", Data("breast_cancer_wisconsin", as_numbers=True)),
        TableColumn("Credit", Data("german_credit_numeric")),
        TableColumn("Lung Cancer", Data("lung_cancer", as_numbers=True)),
        TableColumn("Cleveland", Data("cleveland_heart", as_numbers=True)),
        TableColumn("Sonar", Data("sonar", as_numbers=True)),
        TableColumn("Wine", Data("wine", as_numbers=True)),
    ),
    methods=(
        TableMethod(_MML, published("MMLTreeClassifier")),
        TableMethod(
            "MML, D as in the text",
            published("MMLTreeClassifier", direction="paper_all"),
            published=_MML,
            counted=False,
        ),
        TableMethod("our MML", spec("MMLTreeClassifier"), published=_MML, counted=False),
        TableMethod(
            "our MML, ten trees averaged",
            spec("MMLTreeClassifier", n_estimators=10, combine="average", rounds=1),
            published=_MML,
            counted=False,
        ),
        TableMethod("C4.5", spec("C45Classifier")),
    ),
    measures=("accuracy", "rcl", "leaves", "nodes"),
    not_reproduced={"C5": "a closed program"},
    remark="The published size of C4.5's trees is about twice C5's: it must count all nodes.",
)

PAPER = Paper(
    name="tan2004",
    citation="Tan and Dowe, MML Inference of Oblique Decision Trees, 2004",
    tables=(TABLE_1,),
)

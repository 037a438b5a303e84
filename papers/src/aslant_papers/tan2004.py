"""Oblique trees by minimum message length.

P. J. Tan and D. L. Dowe, *MML Inference of Oblique Decision Trees*, AI 2004: Advances in Artificial
Intelligence, LNAI 3339. A hundred random divisions, 90 % of the rows for training. Probabilities
are leaf frequencies with one more row of each class (Laplace), for all methods.

"MML oblique tree" is the paper's search and formula (`MMLTreeClassifier.as_published`); the rows
that are not counted have our sweep and a code that can be decoded.
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
        TableColumn("Balance", Data("balance_scale")),
        TableColumn("Bupa", Data("bupa")),
        TableColumn("Breast Cancer", Data("breast_cancer_ljubljana")),
        TableColumn("Wisconsin", Data("breast_cancer_wisconsin")),
        TableColumn("Credit", Data("german_credit")),
        TableColumn("Lung Cancer", Data("lung_cancer")),
        TableColumn("Cleveland", Data("cleveland_heart")),
        TableColumn("Sonar", Data("sonar")),
        TableColumn("Wine", Data("wine")),
    ),
    methods=(
        TableMethod(_MML, published("MMLTreeClassifier")),
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

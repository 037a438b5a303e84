"""The OC1 paper.

S. K. Murthy, S. Kasif and S. Salzberg, *A System for Induction of Oblique Decision Trees*, Journal
of Artificial Intelligence Research 2, 1994. Ten 5-fold cross-validations; accuracy is the share of
all rows classified correctly, leaves are the mean over the fifty trees. Trees of table 2 are not
pruned. The artificial data are drawn again for every cross-validation, because one draw alone moves
the size of a POL tree by half.

The experiments are those that the text reports without a table: what the six impurity measures do,
how accuracy grows with restarts and jumps, what the order of the coefficients changes, and whether
ten restarts and 200 jumps find the plane of LS10; and figure 5. The text does not say on which data
the others are: ours are the paper's public ones, with fewer runs where a tree takes seconds.
"""

from __future__ import annotations

from aslant.comparison.splits import Folds
from aslant_papers.plans import AllRows
from aslant_papers.protocol import (
    Data,
    Paper,
    PaperTable,
    Spec,
    TableColumn,
    TableMethod,
    published,
    spec,
)

TEN_TIMES_FIVE = Folds(runs=10, folds=5)
FEWER_RUNS = Folds(runs=3, folds=5)
# A tenth of the rows for pruning, the root split always stays: OC1's own way.
PRUNE_SET = spec("CostComplexity", validation=0.1, keep_root=True)
OC1_AP = spec("CARTClassifier", criterion="twoing", pruning=PRUNE_SET)
ARTIFICIAL = ("LS10", "POL", "RCB")
# An earlier program than that of Brodley and Utgoff's paper: see docs/algorithms/thermal.md.
LMDT = published(
    "LMDTClassifier", learner=published("Thermal", unit="errors", checked="instance"), pruning=None
)
CRITERIA = ("entropy", "gini", "twoing", "max_minority", "sum_minority", "sum_of_variances")
EFFORTS = ((0, 0), (0, 20), (20, 0), (20, 20))
RESTARTS = (1, 2, 5, 10, 20, 50, 100)
JUMPS = (0, 1, 2, 5, 10, 20)
ORDERS = ("sequential", "best", "random")

_REAL = (
    TableColumn("Cancer", Data("breast_cancer_wisconsin_683")),
    TableColumn("Iris", Data("iris")),
    TableColumn("Housing", Data("boston_housing")),
    TableColumn("Diabetes", Data("pima_diabetes")),
)
_DRAWN = tuple(TableColumn(name, Data(name.lower(), redrawn=True)) for name in ARTIFICIAL)

TABLE_1 = PaperTable(
    number=1,
    title="OC1 and other systems on real data",
    plan=TEN_TIMES_FIVE,
    columns=(
        TableColumn("Bright S/G", Data("star_galaxy_bright")),
        TableColumn("Dim S/G", Data("star_galaxy_dim")),
        *_REAL,
    ),
    methods=(
        TableMethod("OC1", published("OC1Classifier")),
        TableMethod("CART-LC", published("CARTLCClassifier")),
        TableMethod("OC1-AP", OC1_AP),
        TableMethod(
            "CART-AP",
            spec("CARTClassifier", criterion="twoing", pruning=spec("CostComplexity", cv=10)),
        ),
        # The paper uses the C4.5 of the book, before the correction for continuous attributes.
        TableMethod("C4.5", spec("C45Classifier", threshold_cost=False)),
        TableMethod("our OC1", spec("OC1Classifier"), published="OC1", counted=False),
        TableMethod("our CART-LC", spec("CARTLCClassifier"), published="CART-LC", counted=False),
    ),
    measures=("accuracy", "leaves"),
)


def unpruned_oc1(restarts: int, jumps: int, **changes: object) -> Spec:
    """Return OC1 as in table 2; 0 restarts means the axis-parallel start alone."""
    return published(
        "OC1Classifier", restarts=max(1, restarts), jumps=jumps, pruning=None, **changes
    )


def our_unpruned_oc1(restarts: int, jumps: int) -> Spec:
    """Return our OC1 with this effort."""
    return spec("OC1Classifier", restarts=max(1, restarts), jumps=jumps, pruning=None)


TABLE_2 = PaperTable(
    number=2,
    title="The effect of randomisation in OC1 (restarts:jumps) on artificial data",
    plan=TEN_TIMES_FIVE,
    columns=_DRAWN,
    methods=(
        *(TableMethod(f"OC1 {r}:{j}", unpruned_oc1(r, j)) for r, j in EFFORTS),
        TableMethod("LMDT", LMDT),
        TableMethod("SADT", published("SADTClassifier", move="single")),
        TableMethod(
            "SADT, all coefficients", published("SADTClassifier"), published="SADT", counted=False
        ),
        *(
            TableMethod(
                f"our OC1 {r}:{j}",
                our_unpruned_oc1(r, j),
                published=f"OC1 {r}:{j}",
                counted=False,
            )
            for r, j in EFFORTS
        ),
    ),
    measures=("accuracy", "leaves", "hyperplanes"),
    remark=(
        "The published RCB rows cannot be reached with the original program either, except the "
        "size at 20:20. SADT moves all coefficients at once by the text of section 2; on LS10 that "
        "finds the plane, which the published row does not. The row that is counted moves one at "
        "a time: an inference."
    ),
)


def criterion_rows(system: str) -> dict[str, str]:
    """Return the labels of a system's rows in the experiments with impurity measures."""
    return {criterion: f"{system} ({criterion})" for criterion in CRITERIA}


def _with_criteria(system: str, estimator: Spec) -> tuple[TableMethod, ...]:
    """Return a system with each of the six impurity measures."""
    plain = dict(estimator.parameters)
    return tuple(
        TableMethod(
            label,
            Spec(
                estimator.name,
                tuple(sorted({**plain, "criterion": criterion}.items())),
                estimator.as_published,
            ),
        )
        for criterion, label in criterion_rows(system).items()
    )


EXPERIMENTS = (
    PaperTable(
        number="figure 5",
        title="One split of the eight points of figure 5, where CART-LC gets stuck",
        plan=AllRows(runs=20),
        columns=(TableColumn("figure 5", Data("local_minimum")),),
        methods=(
            TableMethod("CART-LC", published("CARTLCClassifier", pruning=None, max_depth=1)),
            TableMethod("OC1, no jump", unpruned_oc1(0, 0, max_depth=1)),
            TableMethod("OC1, 5 jumps", unpruned_oc1(0, 5, max_depth=1)),
            TableMethod("our CART-LC", spec("CARTLCClassifier", pruning=None, max_depth=1)),
            TableMethod(
                "our OC1, 5 jumps",
                spec("OC1Classifier", restarts=1, jumps=5, pruning=None, max_depth=1),
            ),
        ),
        measures=("accuracy",),
    ),
    PaperTable(
        number="separator",
        title="Ten restarts and 200 jumps on LS10",
        plan=FEWER_RUNS,
        columns=_DRAWN[:1],
        methods=(
            TableMethod("OC1 10:200", unpruned_oc1(10, 200)),
            TableMethod("our OC1 10:200", our_unpruned_oc1(10, 200), counted=False),
        ),
        measures=("accuracy", "leaves", "hyperplanes"),
    ),
    PaperTable(
        number="criteria",
        title="OC1 20:20 with the six impurity measures on artificial data",
        plan=FEWER_RUNS,
        columns=_DRAWN,
        methods=_with_criteria("OC1", unpruned_oc1(20, 20)),
        measures=("accuracy", "leaves", "hyperplanes"),
    ),
    PaperTable(
        number="criteria on real data",
        title="OC1 and OC1-AP with the six impurity measures on real data",
        plan=FEWER_RUNS,
        columns=_REAL,
        methods=(
            *_with_criteria("OC1", published("OC1Classifier")),
            *_with_criteria("OC1-AP", OC1_AP),
        ),
        measures=("accuracy", "leaves"),
    ),
    PaperTable(
        number="restarts",
        title="OC1 with five jumps and from 1 to 100 starting points",
        plan=FEWER_RUNS,
        columns=(*_DRAWN[1:], *_REAL[2:]),
        methods=tuple(
            TableMethod(f"restarts={r}", published("OC1Classifier", restarts=r)) for r in RESTARTS
        ),
        measures=("accuracy", "leaves"),
    ),
    PaperTable(
        number="jumps",
        title="OC1 from the axis-parallel start alone with 0 to 20 jumps",
        plan=FEWER_RUNS,
        columns=(*_DRAWN, *_REAL),
        methods=tuple(
            TableMethod(f"jumps={j}", published("OC1Classifier", restarts=1, jumps=j))
            for j in JUMPS
        ),
        measures=("accuracy", "leaves"),
    ),
    PaperTable(
        number="orders",
        title="OC1 20:20 with three orders of the coefficients",
        plan=FEWER_RUNS,
        columns=_DRAWN[1:],
        methods=tuple(TableMethod(order, unpruned_oc1(20, 20, order=order)) for order in ORDERS),
        measures=("accuracy", "leaves"),
    ),
)

PAPER = Paper(
    name="murthy1994",
    citation="Murthy, Kasif and Salzberg, A System for Induction of Oblique Decision Trees, 1994",
    tables=(TABLE_1, TABLE_2),
    experiments=EXPERIMENTS,
)

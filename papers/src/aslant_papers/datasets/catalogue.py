"""The data sets of the papers: their names, their shapes, and where else copies are.

Shapes are those of the files the papers used. They serve twice: `available` shows them, and a
copy from OpenML is refused unless it has them, so that a wrong identifier can never pass for
the right data. OpenML's identifiers and labels are the widely quoted ones; they have not been
tried against the server (shuttle's, 40685, was seen in public code), so the shape check is what
stands behind them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# The papers, as the command `reproduce` names them.
OC1 = "murthy1994"
BRODLEY = "brodley1995"
HINTON = "hinton1996"
TAN = "tan2004"
HHCART = "wickramarachchi2016"


@dataclass(frozen=True)
class OpenMLCopy:
    """How to make the papers' data set from a data set on OpenML.

    Attributes
    ----------
    identifier : int
        The data set's number on OpenML.
    labels : mapping of str to str, optional
        From OpenML's label to the papers' label; rows with any other label are left out. Not
        given: the labels are the same.
    cut : float, optional
        The target on OpenML is a number: class 1 below the cut, class 2 from it upwards.
    feature_prefix : str
        Only columns whose names begin so are features.
    complete_rows_only : bool
        Leave out rows with missing values.
    """

    identifier: int
    labels: Mapping[str, str] | None = None
    cut: float | None = None
    feature_prefix: str = ""
    complete_rows_only: bool = False


@dataclass(frozen=True)
class Entry:
    """Facts about one data set, known before a copy of it is opened.

    Attributes
    ----------
    name : str
        The name that `load` takes.
    rows, features, classes, missing : int
        Its shape; `missing` counts missing cells.
    papers : tuple of str
        The papers that use it.
    categorical : tuple of int
        The positions of the categorical features.
    openml : OpenMLCopy, optional
        The copy on OpenML, if there is one from which the papers' data follow.
    no_openml : str
        If there is not, why.
    """

    name: str
    rows: int
    features: int
    classes: int
    missing: int = 0
    papers: tuple[str, ...] = ()
    categorical: tuple[int, ...] = ()
    openml: OpenMLCopy | None = None
    no_openml: str = ""


GENERATED = (
    Entry("ls10", 2000, 10, 2, papers=(OC1,)),
    Entry("pol", 2000, 2, 2, papers=(OC1,)),
    Entry("rcb", 2000, 2, 8, papers=(OC1,)),
    Entry("local_minimum", 8, 2, 2, papers=(OC1,)),
    Entry("led", 1000, 7, 10, papers=(BRODLEY,)),
    Entry("waveform", 5000, 21, 3, papers=(HINTON,)),
)

_WISCONSIN = {"benign": "2", "malignant": "4"}
_GLASS = {
    "build wind float": "1",
    "build wind non-float": "2",
    "vehic wind float": "3",
    "containers": "5",
    "tableware": "6",
    "headlamps": "7",
}
_GLASS_FLOAT = {
    "build wind float": "float",
    "vehic wind float": "float",
    "build wind non-float": "non_float",
}
_VOWELS = ("hid", "hId", "hEd", "hAd", "hYd", "had", "hOd", "hod", "hUd", "hud", "hed")
_VOWEL = {word: str(code) for code, word in enumerate(_VOWELS)}
_HEART = (1, 2, 5, 6, 8, 10, 12)

# One data set, one entry: a table reads better than the formatter's layout.
# fmt: off
RECORDED = (
    Entry(
        "adult", 48842, 14, 2, missing=6465, papers=(HHCART,),
        categorical=(1, 3, 5, 6, 7, 8, 9, 13), openml=OpenMLCopy(1590),
    ),
    Entry(
        "australian_credit", 690, 14, 2, papers=(HHCART,),
        categorical=(0, 3, 4, 5, 7, 8, 10, 11), openml=OpenMLCopy(40981),
    ),
    Entry("balance_scale", 625, 4, 3, papers=(TAN, HHCART), openml=OpenMLCopy(11)),
    Entry(
        "bank_marketing", 45211, 16, 2, papers=(HHCART,),
        categorical=(1, 2, 3, 4, 6, 7, 8, 10, 15),
        openml=OpenMLCopy(1461, labels={"1": "no", "2": "yes"}),
    ),
    # The regression target of OpenML's copy is the median value of homes, in thousands.
    Entry("boston_housing", 506, 13, 2, papers=(OC1, HHCART), openml=OpenMLCopy(531, cut=21.0)),
    Entry(
        "breast_cancer_ljubljana", 286, 9, 2, missing=9, papers=(TAN,),
        categorical=tuple(range(9)), openml=OpenMLCopy(13),
    ),
    Entry(
        "breast_cancer_wisconsin", 699, 9, 2, missing=16, papers=(BRODLEY, TAN),
        openml=OpenMLCopy(15, labels=_WISCONSIN),
    ),
    Entry(
        "breast_cancer_wisconsin_683", 683, 9, 2, papers=(OC1, HINTON, HHCART),
        openml=OpenMLCopy(15, labels=_WISCONSIN, complete_rows_only=True),
    ),
    Entry(
        "bupa", 345, 6, 2, papers=(BRODLEY, HINTON, TAN, HHCART),
        no_openml="OpenML's copy has another target (the number of drinks)",
    ),
    Entry(
        "cleveland_heart", 303, 13, 2, missing=6, papers=(BRODLEY, TAN), categorical=_HEART,
        no_openml="OpenML's copy differs in some labels and missing values",
    ),
    Entry(
        "credit_approval", 690, 15, 2, missing=67,
        categorical=(0, 3, 4, 5, 6, 8, 9, 11, 12), openml=OpenMLCopy(29),
    ),
    # Tan & Dowe's "Credit": their accuracies are German credit's, but the paper does not say
    # which of its two codings they used.
    Entry(
        "german_credit", 1000, 20, 2, papers=(TAN,),
        categorical=(0, 2, 3, 5, 6, 8, 9, 11, 13, 14, 16, 18, 19),
        openml=OpenMLCopy(31, labels={"good": "1", "bad": "2"}),
    ),
    Entry(
        "german_credit_numeric", 1000, 24, 2, papers=(TAN,),
        no_openml="no copy on OpenML is known to have this coding",
    ),
    # Brodley & Utgoff report 213 rows.
    Entry("glass", 214, 9, 6, papers=(BRODLEY, HHCART), openml=OpenMLCopy(41, labels=_GLASS)),
    Entry("glass_float", 163, 9, 2, papers=(HINTON,), openml=OpenMLCopy(41, labels=_GLASS_FLOAT)),
    Entry("haberman", 306, 3, 2, papers=(HHCART,), openml=OpenMLCopy(43)),
    Entry(
        "heart_statlog", 270, 13, 2, papers=(HHCART,), categorical=_HEART,
        openml=OpenMLCopy(53, labels={"absent": "1", "present": "2"}),
    ),
    Entry(
        "hepatitis", 155, 19, 2, missing=167, papers=(BRODLEY,), categorical=(*range(1, 13), 18),
        openml=OpenMLCopy(55, labels={"DIE": "1", "LIVE": "2"}),
    ),
    Entry("ionosphere", 351, 34, 2, papers=(HINTON,), openml=OpenMLCopy(59)),
    Entry("iris", 150, 4, 3, papers=(OC1, HINTON)),
    Entry("letter", 20000, 16, 26, papers=(HHCART,), openml=OpenMLCopy(6)),
    Entry(
        "lung_cancer", 32, 56, 3, missing=5, papers=(TAN,), categorical=tuple(range(56)),
        openml=OpenMLCopy(163),
    ),
    Entry("new_thyroid", 215, 5, 3, papers=(HINTON,), openml=OpenMLCopy(40682)),
    Entry(
        "pima_diabetes", 768, 8, 2, papers=(OC1, HINTON, HHCART),
        openml=OpenMLCopy(37, labels={"tested_negative": "0", "tested_positive": "1"}),
    ),
    Entry("segment", 2310, 19, 7, papers=(BRODLEY,), openml=OpenMLCopy(36)),
    Entry("shuttle", 58000, 9, 7, papers=(HHCART,), openml=OpenMLCopy(40685)),
    Entry(
        "sonar", 208, 60, 2, papers=(HINTON, TAN),
        openml=OpenMLCopy(40, labels={"Mine": "M", "Rock": "R"}),
    ),
    Entry("star_galaxy_bright", 2462, 14, 2, papers=(OC1,), no_openml="no public copy is known"),
    Entry("star_galaxy_dim", 4192, 14, 2, papers=(OC1,), no_openml="no public copy is known"),
    Entry("vehicle", 846, 18, 4, papers=(HINTON,), openml=OpenMLCopy(54)),
    # OpenML's copy also has the speaker and the speaker's sex.
    Entry(
        "vowel", 990, 10, 11, papers=(BRODLEY, HINTON),
        openml=OpenMLCopy(307, labels=_VOWEL, feature_prefix="Feature"),
    ),
    Entry("wine", 178, 13, 3, papers=(HINTON, TAN, HHCART)),
)
# fmt: on

CATALOGUE: Mapping[str, Entry] = {entry.name: entry for entry in (*GENERATED, *RECORDED)}

ALIASES: Mapping[str, str] = {
    "australian": "australian_credit",
    "balance": "balance_scale",
    "bank": "bank_marketing",
    "boston": "boston_housing",
    "breast": "breast_cancer_wisconsin",
    "breast_ljubljana": "breast_cancer_ljubljana",
    "bright": "star_galaxy_bright",
    "cancer": "breast_cancer_wisconsin_683",
    "cleveland": "cleveland_heart",
    "credit": "german_credit",
    "crx": "credit_approval",
    "diabetes": "pima_diabetes",
    "dim": "star_galaxy_dim",
    "german": "german_credit",
    "heart": "heart_statlog",
    "housing": "boston_housing",
    "income": "adult",
    "letters": "letter",
    "liver": "bupa",
    "ljubljana": "breast_cancer_ljubljana",
    "lung": "lung_cancer",
    "pima": "pima_diabetes",
    "statlog": "australian_credit",
    "survival": "haberman",
    "thyroid": "new_thyroid",
    "wisconsin": "breast_cancer_wisconsin",
}
"""Names under which the papers print their results."""

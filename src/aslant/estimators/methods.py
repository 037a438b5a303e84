"""The methods by name: what the command line and the comparisons offer.

Adding a method takes one line in `METHODS`; the contract tests then run on it.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aslant.estimators import BaseTree
from aslant.estimators.auto import AutoTreeClassifier, AutoTreeRegressor
from aslant.estimators.boosting import (
    ObliqueGradientBoostingClassifier,
    ObliqueGradientBoostingRegressor,
)
from aslant.estimators.forest import (
    ObliqueExtraTreesClassifier,
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
)
from aslant.estimators.published import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    CARTLCRegressor,
    CARTRegressor,
    FisherTreeClassifier,
    HHCARTClassifier,
    HHCARTRegressor,
    KDTClassifier,
    LeastSquaresTreeRegressor,
    LMDTClassifier,
    LTUTreeClassifier,
    MMLTreeClassifier,
    OC1Classifier,
    OC1Regressor,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.utils.checks import check_choice


@dataclass(frozen=True)
class Method:
    """A published system.

    Attributes
    ----------
    estimator : type
        The estimator class that holds the paper's defaults.
    description : str
        What it does, in one line.
    paper : str
        Who published it, and when.
    """

    estimator: type[BaseTree]
    description: str
    paper: str

    def parameters(self) -> dict[str, Any]:
        """Return the names of the parameters with their defaults."""
        return dict(self.estimator().get_params())

    def make(self, parameters: Mapping[str, Any]) -> Any:
        """Return the estimator with these parameters.

        Raises
        ------
        ValueError
            If there is no such parameter; the message names the nearest one there is.
        """
        known = self.parameters()
        for name in parameters:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
                hint = f" Did you mean {near[0]!r}?" if near else ""
                raise ValueError(f"{self.estimator.__name__} has no parameter {name!r}.{hint}")
        return self.estimator().set_params(**parameters)


METHODS: dict[str, Method] = {
    "auto": Method(
        AutoTreeClassifier,
        "two trees pruned and fitted as a whole in several ways; cross-validation chooses",
        "Jordan and Jacobs 1994; Suarez and Lutsko 1999",
    ),
    "cart": Method(
        CARTClassifier,
        "axis-parallel tests by gini, nothing pruned",
        "Breiman, Friedman, Olshen and Stone 1984",
    ),
    "c45": Method(
        C45Classifier,
        "axis-parallel tests by gain ratio, a branch per category level, error-based pruning",
        "Quinlan 1993",
    ),
    "oc1": Method(
        OC1Classifier,
        "hill-climbing on the coefficients, with random jumps and restarts",
        "Murthy, Kasif and Salzberg 1994",
    ),
    "cart_lc": Method(
        CARTLCClassifier,
        "CART's linear combinations: deterministic cycles over the coefficients",
        "Breiman, Friedman, Olshen and Stone 1984",
    ),
    "sadt": Method(
        SADTClassifier,
        "simulated annealing of the coefficients",
        "Heath, Kasif and Salzberg 1993",
    ),
    "fisher": Method(
        FisherTreeClassifier,
        "thresholds along Fisher's linear discriminant, error-based pruning",
        "Lopez-Chau, Cervantes, Lopez-Garcia and Garcia Lamont 2013",
    ),
    "quest": Method(
        QUESTClassifier,
        "splits from discriminant analysis, without search; cross-validated pruning",
        "Loh and Shih 1997",
    ),
    "hhcart": Method(
        HHCARTClassifier,
        "thresholds on rows reflected along the eigenvectors of each class's covariance",
        "Wickramarachchi, Robertson, Reale, Price and Brown 2016",
    ),
    "pole_pair": Method(
        PolePairClassifier,
        "perpendicular bisectors of pairs of rows of different classes",
        "Hinton and Revow 1996",
    ),
    "kdt": Method(
        KDTClassifier,
        "several trees of a randomised search on the same rows, and their vote",
        "Heath, Kasif and Salzberg 1993",
    ),
    "lmdt": Method(
        LMDTClassifier,
        "linear machines by thermal training, a branch per class, features eliminated",
        "Utgoff and Brodley 1991",
    ),
    "ltu": Method(
        LTUTreeClassifier,
        "threshold units by least squares",
        "Brodley and Utgoff 1995",
    ),
    "mml": Method(
        MMLTreeClassifier,
        "tests of up to three features, made while a message about tree and classes gets shorter",
        "Tan and Dowe 2004",
    ),
    "forest": Method(
        ObliqueRandomForestClassifier,
        "a random forest of single features and ridge discriminants, drawn afresh at every node",
        "Breiman 2001, with a search of our own",
    ),
    "extra_trees": Method(
        ObliqueExtraTreesClassifier,
        "a forest whose thresholds are drawn at random, of single features and discriminants",
        "Geurts, Ernst and Wehenkel 2006, with a search of our own",
    ),
    "boosting": Method(
        ObliqueGradientBoostingClassifier,
        "gradient boosting on histograms; a ridge-Newton direction competes at every split",
        "Friedman 2001, with a search of our own",
    ),
}


#: The methods for regression.
REGRESSION_METHODS: dict[str, Method] = {
    "auto": Method(
        AutoTreeRegressor,
        "trees of means and linear leaves fitted as a whole; cross-validation chooses",
        "Jordan and Jacobs 1994; Suarez and Lutsko 1999",
    ),
    "cart": Method(
        CARTRegressor,
        "axis-parallel tests by squared error, nothing pruned",
        "Breiman, Friedman, Olshen and Stone 1984",
    ),
    "oc1": Method(
        OC1Regressor,
        "hill-climbing on the coefficients by squared error, with random jumps and restarts",
        "Murthy, Kasif and Salzberg 1994",
    ),
    "cart_lc": Method(
        CARTLCRegressor,
        "CART's linear combinations by squared error",
        "Breiman, Friedman, Olshen and Stone 1984",
    ),
    "hhcart": Method(
        HHCARTRegressor,
        "thresholds on reflected rows, those above and below the mean being the classes",
        "Wickramarachchi, Robertson, Reale, Price and Brown 2016",
    ),
    "least_squares": Method(
        LeastSquaresTreeRegressor,
        "thresholds along the ridge regression of the target; cross-validated pruning",
        "Brodley and Utgoff 1995",
    ),
    "forest": Method(
        ObliqueRandomForestRegressor,
        "a random forest of single features and ridge regressions, drawn afresh at every node",
        "Breiman 2001, with a search of our own",
    ),
    "extra_trees": Method(
        ObliqueExtraTreesRegressor,
        "a forest whose thresholds are drawn at random, of single features and ridge regressions",
        "Geurts, Ernst and Wehenkel 2006, with a search of our own",
    ),
    "boosting": Method(
        ObliqueGradientBoostingRegressor,
        "gradient boosting on histograms; a ridge-Newton direction competes at every split",
        "Friedman 2001, with a search of our own",
    ),
}

#: What trees predict, and the methods that do.
TASKS: dict[str, dict[str, Method]] = {
    "classification": METHODS,
    "regression": REGRESSION_METHODS,
}


def find_method(name: str, task: str | None = None) -> Method:
    """Return the method of this name; ``CART-LC`` is ``cart_lc``.

    Parameters
    ----------
    name : str
        The method.
    task : {'classification', 'regression'}, optional
        What it is to predict. By default classes, or numbers if it predicts nothing else.

    Raises
    ------
    ValueError
        If there is no such method; the message names the nearest one there is.
    """
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    if task is None:
        offered = REGRESSION_METHODS | METHODS
    else:
        check_choice("task", task, tuple(TASKS))
        offered = TASKS[task]
        if key not in offered and key in REGRESSION_METHODS | METHODS:
            other = "classes" if task == "regression" else "numbers"
            raise ValueError(
                f"The method {key!r} predicts {other} only: for {task} there are "
                f"{', '.join(map(repr, offered))}."
            )
    check_choice("method", key, tuple(offered))
    return offered[key]


def method_table() -> list[dict[str, Any]]:
    """Return what there is to say about every method, one record for each."""
    records = []
    for name in METHODS | REGRESSION_METHODS:
        of_classes, of_numbers = METHODS.get(name), REGRESSION_METHODS.get(name)
        method = of_classes or of_numbers
        assert method is not None
        records.append(
            {
                "name": name,
                "estimator": "none" if of_classes is None else of_classes.estimator.__name__,
                "regressor": "none" if of_numbers is None else of_numbers.estimator.__name__,
                "description": method.description,
                "paper": method.paper,
            }
        )
    return records

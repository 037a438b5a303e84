"""The scikit-learn boundary: validate, encode, weigh, grow, prune, predict.

`TreeClassifier` holds what all estimators share; `ObliqueDecisionTreeClassifier` is the generic
tree with any search, any criterion and any pruning. The published systems are in `aslant.systems`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache, cached_property
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt
from joblib import effective_n_jobs
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Bunch, check_random_state
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import ThreadpoolController

from aslant import _core
from aslant.checks import check_choice, check_no_effect, check_number
from aslant.encoding import FeatureEncoder, Options, check_labels, check_prune_rows
from aslant.parameters import parameters
from aslant.progress import row_counter
from aslant.prune import PRUNERS, Grown, Pruner, prune_by_alpha, pruning_path
from aslant.prune.base import Mask
from aslant.refine import REFINEMENTS, JointFit
from aslant.sample import Sample
from aslant.search import CRITERIA, SEARCHES, SplitSearch
from aslant.smoothing import check_smoothing, node_probabilities
from aslant.split import Split
from aslant.tree import Tree
from aslant.weights import row_weights

# What stands in for a missing value.
MISSING = ("auto", "node_mean", "training_mean", "indicator")
_INDICATOR: dict[str, Literal["telling", "always"]] = {"auto": "telling", "indicator": "always"}
# More threads than this are never started, whatever `n_jobs` asks for.
_MOST_THREADS = 256


@cache
def _blas() -> ThreadpoolController:
    """Return the means to keep BLAS to one thread: its own take longer to wake than the work lasts.

    Eigenvectors of a node's few columns are all that is asked of it, and from several threads.
    """
    return ThreadpoolController()


@parameters
class BaseTreeClassifier(ClassifierMixin, BaseEstimator):
    """What estimators of one tree and of several share; not to be used itself.

    Parameters
    ----------
    pruning : str, Pruner or None, default=None
        ``"cost_complexity"``, ``"reduced_error"``, ``"pessimistic"``, ``"error_based"``,
        ``"multivariate"`` or ``"mml"``: a pruner of `aslant.prune` with its own defaults; or such
        an object, with parameters of its choice. None prunes nothing.
    refine : str, JointFit or None, default=None
        After growing and pruning, ``"joint"`` fits all tests and leaves together, on all rows; an
        `aslant.refine.JointFit` has parameters of its own. Trees with linear machines cannot be
        refined.
    max_depth : int or None, default=None
        Greatest depth of a leaf.
    min_samples_split : int or float, default=2
        Rows a node needs to be split; a float is a fraction of all rows.
    min_samples_leaf : int or float, default=1
        Rows every child must hold; a float is a fraction of all rows.
    min_weight_fraction_leaf : float, default=0.0
        Share of the total weight every child must hold.
    min_impurity_decrease : float, default=0.0
        Least score of a split, weighted by the share of the rows at the node.
    max_leaf_nodes : int or None, default=None
        Grow best-first, up to this many leaves.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the classes; they change proportions, not the number of cases.
    ccp_alpha : float, default=0.0
        Minimal cost-complexity pruning after growth (and after `pruning`), as in scikit-learn.
    categorical_features : 'from_dtype', None, mask, indices or names, default='from_dtype'
        Features that are categories. By default types and values decide: categorical and text
        columns of a data frame, columns of text in an array of objects. Columns that look like
        identifiers or free text are refused unless they are named here.
    min_frequency : int, float or None, default=None
        Levels with fewer rows (a float: a smaller share of the rows) are merged into one, "other",
        which is also what levels unseen in training then count as.
    max_levels : int or None, default=30
        A category with more levels than this is treated as `many_levels` says.
    many_levels : {'shares', 'merge'}, default='shares'
        Each level of such a category stands for the shares of the classes among its rows, learned
        out of fold; or only the most frequent levels are kept and the others merged into "other".
    date_parts : sequence of {'year', 'month', 'day', 'weekday', 'hour'}, default=()
        Parts of dates that become features beside the days since 1970.
    missing : {'auto', 'node_mean', 'training_mean', 'indicator'}, default='auto'
        What stands in for a missing value: the mean of the node, or of the training set as in OC1.
        With "indicator" a feature that has missing values is joined by one that says where they
        are; with "auto" only if that differs between the classes (chi-squared test).
    smoothing : float or 'laplace', default=4.0
        Rows of a prior opinion that are mixed into the class frequencies of a leaf, for
        `predict_proba` only; 0 gives the frequencies, "laplace" as many rows as there are classes.
    smoothing_prior : {'uniform', 'root', 'parent'}, default='uniform'
        The prior opinion: all classes alike, the frequencies of all training rows, or those of the
        node above, smoothed in turn. With the latter two the most probable class of a small leaf
        may differ from its majority, which is what `predict` gives.
    search_rows : int or None, default=None
        A node with more rows than this is searched on a random sample of so many, and the test is
        finished on all rows by the search's own rules. Faster on large data, and another tree. None
        searches all rows.
    search_finish : {'threshold', 'coefficients'}, default='threshold'
        With `search_rows`: the threshold of a test is the best for all rows; or its coefficients
        too are moved, one after the other, to their best places on all rows.
    random_state : int, RandomState or None, default=None
        Seed of everything random. The same seed gives the same tree for any `n_jobs`.
    n_jobs : int or None, default=None
        Threads; None is 1, -1 all cores.
    verbose : int or callable, default=0
        Progress on the standard error stream, or ``verbose(rows_done, n_rows)``.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the data had names that are all text.
    n_samples_fit_ : int
        Training rows, those held out for pruning included.
    column_spread_ : ndarray of shape (n_columns,)
        Standard deviation of every encoded column over the training rows.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of each feature in the total decrease of impurity. A test's decrease is divided among
        its features by the size of their coefficients times their standard deviations.
    encoder_ : FeatureEncoder
        How columns became numbers; ``encoder_.columns_`` tells the kind of each, its levels, which
        of them were merged, and the share of missing values.
    n_hyperplanes_ : int
        Hyperplanes considered while growing.
    """

    # Classes whose docstrings describe parameters that a subclass shares with them.
    _documented_in: ClassVar[tuple[type[Any], ...]] = ()

    pruning: str | Pruner | None = None
    refine: str | JointFit | None = None
    max_depth: int | None = None
    min_samples_split: float = 2
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    class_weight: Any = None
    ccp_alpha: float = 0.0
    categorical_features: Any = "from_dtype"
    min_frequency: float | None = None
    max_levels: int | None = 30
    many_levels: str = "shares"
    date_parts: Sequence[str] = ()
    missing: str = "auto"
    smoothing: float | str = 4.0
    smoothing_prior: str = "uniform"
    search_rows: int | None = None
    search_finish: Literal["threshold", "coefficients"] = "threshold"
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int | Callable[[int, int], None] = 0

    # ------------------------------------------------------------------ fitting

    def _make_refinement(self) -> JointFit | None:
        if self.refine is None or isinstance(self.refine, JointFit):
            return self.refine
        if not isinstance(self.refine, str):
            raise TypeError(
                f"refine must be None, a name or an object from aslant.refine, got {self.refine!r}."
            )
        check_choice("refine", self.refine, tuple(REFINEMENTS))
        return REFINEMENTS[self.refine]()

    def _make_pruner(self) -> Pruner | None:
        if self.pruning is None or isinstance(self.pruning, Pruner):
            return self.pruning
        if not isinstance(self.pruning, str):
            raise TypeError(
                "pruning must be None, a name or an object from aslant.prune, got "
                f"{self.pruning!r}."
            )
        check_choice("pruning", self.pruning, tuple(PRUNERS))
        return PRUNERS[self.pruning]()

    def _draw_seed(self) -> int:
        try:
            generator = check_random_state(self.random_state)
        except ValueError:
            raise ValueError(
                "random_state must be None, a whole number from 0 to 2**32 - 1 or a RandomState, "
                f"got {self.random_state!r}."
            ) from None
        return int(generator.randint(2**31 - 1))

    def _n_threads(self) -> int:
        if self.n_jobs is not None:
            check_number("n_jobs", self.n_jobs, -np.inf, whole=True)
            if self.n_jobs == 0:
                raise ValueError(
                    "n_jobs must be None, a number of threads or, counted from all cores down, "
                    "-1, -2, ..., got 0."
                )
        return min(effective_n_jobs(self.n_jobs), _MOST_THREADS)

    def _prepare(self, X: Any, y: Any, sample_weight: Any, prune_rows: Any = None) -> Sample:
        """Validate and encode; sets classes_, encoder_ and the scikit-learn attributes."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None."
            )
        check_smoothing(self.smoothing, self.smoothing_prior)
        options = self._encoding_options()
        self.encoder_, encoded = FeatureEncoder.fit(self, X, self.categorical_features, options)
        y = check_labels(y, len(encoded))
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        weight = row_weights(sample_weight, self.class_weight, y)
        chosen = None if prune_rows is None else check_prune_rows(prune_rows, len(y))
        names = [str(label) for label in self.classes_.tolist()]
        encoded = self.encoder_.learn_classes(encoded, codes, weight, names)
        sample = Sample(encoded, codes.astype(np.int32), weight, self.n_classes_, chosen)
        # A row of weight zero is no row at all.
        sample = sample if (weight > 0).all() else sample.take(weight > 0)
        self.n_samples_fit_ = len(sample)
        self.column_spread_ = _spread(self.encoder_, sample)
        return sample

    def _encoding_options(self) -> Options:
        """Return how columns become numbers, from the parameters."""
        check_choice("missing", self.missing, MISSING)
        return Options(
            self.min_frequency,
            self.max_levels,
            self.many_levels,
            self.date_parts,
            _INDICATOR.get(self.missing, "never"),
        )

    def _progress(self, n_rows: int) -> Callable[[int], None] | None:
        """Return what the growth loop calls now and then, with the rows that reached a leaf."""
        if callable(self.verbose):
            report = self.verbose
            return lambda done: report(done, n_rows)
        if not isinstance(self.verbose, bool | np.bool_):
            check_number("verbose", self.verbose, 0, whole=True)
        if not self.verbose:
            return None
        return row_counter(type(self).__name__, n_rows)

    # ------------------------------------------------------------------ predicting

    def _encoded(self, X: Any) -> npt.NDArray[np.floating[Any]]:
        check_is_fitted(self)
        return self.encoder_.transform(self, X)

    def _check_before_predicting(self) -> None:
        """Raise one clear error if a parameter that predictions depend on is not valid."""
        self._n_threads()
        check_smoothing(self.smoothing, self.smoothing_prior)

    def __call__(self, X: Any) -> npt.NDArray[np.float64]:
        """Return `predict_proba`: what explainers that take any function explain, as shap's do."""
        return self.predict_proba(X)

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the logarithms of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    # ------------------------------------------------------------------ keeping

    def _trees_to_state(self) -> dict[str, Any]:
        """Return the trees as plain values and arrays."""
        raise NotImplementedError

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        """Set the trees from what `_trees_to_state` returned."""
        raise NotImplementedError

    def _to_state(self) -> dict[str, Any]:
        """Everything that fitting learned, as plain values and arrays."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        return {
            "classes": self.classes_,
            "n_features_in": self.n_features_in_,
            "feature_names_in": None if names is None else [str(name) for name in names],
            "encoder": self.encoder_.to_state(),
            "n_samples_fit": getattr(self, "n_samples_fit_", None),
            "column_spread": getattr(self, "column_spread_", None),
            **self._trees_to_state(),
        }

    def _from_state(self, state: dict[str, Any]) -> Self:
        """Become fitted again from what `_to_state` returned."""
        self.classes_ = state["classes"]
        self.n_classes_ = len(self.classes_)
        self.n_features_in_ = _whole(state["n_features_in"])
        if state["feature_names_in"] is not None:
            self.feature_names_in_ = np.array(state["feature_names_in"], dtype=object)
        self.encoder_ = FeatureEncoder.from_state(state["encoder"])
        # Files of version 1 may not know these two.
        if state.get("n_samples_fit") is not None:
            self.n_samples_fit_ = _whole(state["n_samples_fit"])
        if state.get("column_spread") is not None:
            self.column_spread_ = np.asarray(state["column_spread"], dtype=np.float64)
        self._trees_from_state(state)
        return self

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Show the tree below scikit-learn's table of parameters in a notebook."""
        from aslant.export.page import notebook_html

        bundle: dict[str, Any] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += notebook_html(self)
        return bundle

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = False
        return tags


@parameters
class TreeClassifier(BaseTreeClassifier):
    """What every estimator of one tree shares; not to be used itself.

    A subclass says which search to run (`_make_search`).

    Attributes
    ----------
    tree_ : Tree
        The tree, as flat arrays: see `aslant.tree.Tree`.
    """

    # ------------------------------------------------------------------ what subclasses say

    def _make_search(self) -> SplitSearch:
        raise TypeError(f"{type(self).__name__} does not say which search to run")

    def _make_test_search(self) -> SplitSearch:
        """Return the search that learns a test anew from columns that were chosen already."""
        return self._make_search()

    def _criterion_of(self, search: SplitSearch) -> str:
        criterion = getattr(self, "criterion", None)
        if criterion is None:
            return search.default_criterion
        if criterion == "log_loss":  # scikit-learn's other name
            criterion = "entropy"
        check_choice("criterion", criterion, CRITERIA)
        if criterion not in search.criteria:
            raise ValueError(
                f"{type(search).__name__} works with criterion "
                f"{', '.join(map(repr, search.criteria))} only, got {criterion!r}."
            )
        return criterion

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None, prune_rows: Any = None) -> Self:
        """Grow and prune a tree.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Weights, not negative.
        prune_rows : array-like of bool of shape (n_samples,), optional
            The rows that pruning judges by; the tree is grown on the others. Without it a pruning
            that needs such rows chooses its share of them itself.

        Returns
        -------
        self
            The fitted estimator.
        """
        sample = self._prepare(X, y, sample_weight, prune_rows)
        return self._fit_sample(sample, self._draw_seed())

    def _fit_sample(self, sample: Sample, seed: int) -> Self:
        self.tree_ = self._build_tree(sample, seed)
        self.feature_importances_ = self._importances(self.tree_, self.column_spread_)
        return self

    def _importances(self, tree: Tree, spread: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the importance of each input feature, with that of what is derived from it."""
        source = self.encoder_.source
        own = _importances(tree, spread)
        return np.bincount(source, own, self.n_features_in_).astype(np.float64)

    def _build_tree(self, sample: Sample, seed: int) -> Tree:
        """Grow on what pruning leaves, then prune, then refine on all rows."""
        pruner = self._checked_pruner(sample)
        refinement = self._make_refinement()
        if refinement is not None:
            refinement.check()
        check_number("ccp_alpha", self.ccp_alpha, 0.0)
        training, held_out = sample, None
        if pruner is not None and pruner.held_out > 0.0:
            training, held_out = sample.hold_out(pruner.held_out, seed)
            if len(training) == 0 or len(held_out) == 0:  # too few rows to spare any
                training, held_out, pruner = sample, None, None
        tree, self.n_hyperplanes_ = self._grow(training, seed)
        if pruner is not None:
            again = _GrowAgain(self, training, seed)
            grown = Grown(tree, training, held_out, again.tree, again.test, seed)
            tree = self._with_impurity(pruner.prune(grown))
        if refinement is not None:
            by_training_mean = self.missing == "training_mean"
            refined = refinement.refine(tree, sample, fill_with_training_mean=by_training_mean)
            tree = self._with_impurity(refined)
        if self.ccp_alpha > 0.0:
            tree = prune_by_alpha(tree, _impurity_risk(tree), self.ccp_alpha)
        return tree

    def _checked_pruner(self, sample: Sample) -> Pruner | None:
        """Return the pruner, which must judge by held-out rows if the caller chose such rows."""
        pruner = self._make_pruner()
        if pruner is not None:
            pruner.check()
        if sample.for_pruning is not None and (pruner is None or pruner.held_out == 0.0):
            raise ValueError(
                "prune_rows needs a pruning that judges by held-out rows, such as "
                f"'reduced_error', got pruning={self.pruning!r}."
            )
        return pruner

    def _grow(self, sample: Sample, seed: int) -> tuple[Tree, int]:
        """Grow one tree; also returns the number of hyperplanes considered."""
        search = self._make_search()
        core_search = search.core()
        check_choice("search_finish", self.search_finish, ("threshold", "coefficients"))
        if self.search_rows is None:
            check_no_effect(self, "search_finish", "search_rows is given")
        else:
            check_number("search_rows", self.search_rows, 2, whole=True)
            core_search = _core.search(
                "OnSample",
                search=core_search,
                rows=max(2, min(int(self.search_rows), len(sample))),
                climbs=self.search_finish == "coefficients",
            )
        with _blas().limit(limits=1, user_api="blas"):
            growth = _core.grow(
                problem=self._problem(sample, search),
                search=core_search,
                seed=seed,
                n_threads=self._n_threads(),
                progress=self._progress(len(sample)),
                **self._stopping_rules(sample),
            )
        return Tree.adopt(**growth["tree"]), int(growth["hyperplanes"])

    def _problem(self, sample: Sample, search: SplitSearch) -> _core.Problem:
        """Return the rows as the core sees them."""
        check_choice("missing", self.missing, MISSING)
        check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        min_leaf = _rows("min_samples_leaf", self.min_samples_leaf, len(sample), 1)
        return _core.Problem(
            data=sample.core_data(self.encoder_.columns()),
            rows=sample.core_rows,
            criterion=self._criterion_of(search),
            min_rows=min(min_leaf, len(sample) + 1),
            min_weight=self.min_weight_fraction_leaf * float(sample.weight.sum()),
            fill_with_training_mean=self.missing == "training_mean",
        )

    def _stopping_rules(self, sample: Sample) -> dict[str, Any]:
        """Return the stopping rules in rows and weights, from scikit-learn's parameters."""
        # Numbers beyond all rows mean the same as the number just beyond them, which the core's
        # integers can hold.
        n_rows = len(sample)
        if self.max_depth is not None:
            check_number("max_depth", self.max_depth, 1, whole=True)
        if self.max_leaf_nodes is not None:
            check_number("max_leaf_nodes", self.max_leaf_nodes, 2, whole=True)
        check_number("min_impurity_decrease", self.min_impurity_decrease, 0.0)
        min_leaf = _rows("min_samples_leaf", self.min_samples_leaf, n_rows, 1)
        min_split = _rows("min_samples_split", self.min_samples_split, n_rows, 2)
        return {
            "max_depth": -1 if self.max_depth is None else min(int(self.max_depth), n_rows),
            "min_samples_split": min(max(min_split, 2 * min_leaf), n_rows + 1),
            "min_impurity_decrease": float(self.min_impurity_decrease),
            "max_leaf_nodes": min(int(self.max_leaf_nodes or 0), n_rows + 1),
        }

    def _with_impurity(self, tree: Tree) -> Tree:
        """Return the tree with impurities of its present counts: pruning may have changed them."""
        criterion = self._criterion_of(self._make_search())
        impurity = [_core.impurity(counts, criterion) for counts in tree.value]
        everything = np.arange(tree.n_nodes)
        return tree.rearranged(everything, tree.is_leaf, impurity=np.array(impurity))

    # ------------------------------------------------------------------ predicting

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Return the class frequencies, smoothed, of the leaf that each row reaches."""
        return self._frequencies_at(self._encoded(X))

    def _frequencies_at(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
        return self._node_probabilities()[self._leaves(encoded)]

    def _node_probabilities(self) -> npt.NDArray[np.float64]:
        """Return the class probabilities of every node of the tree."""
        return node_probabilities(self.tree_, self.smoothing, self.smoothing_prior)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the majority class of the leaf that each row reaches; the first one on ties."""
        leaves = self._leaves(self._encoded(X))
        return self.classes_[self.tree_.value.argmax(axis=1)][leaves]

    def _leaves(self, encoded: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.int32]:
        return self.tree_.apply(encoded, n_threads=self._n_threads())

    def apply(self, X: Any) -> npt.NDArray[np.int64]:
        """Return the leaf that each row reaches."""
        return self._leaves(self._encoded(X)).astype(np.int64)

    def decision_path(self, X: Any) -> csr_array:
        """Return the nodes that each row passes, as an indicator matrix."""
        encoded = self._encoded(X)
        return self.tree_.decision_path(encoded)

    def get_depth(self) -> int:
        """Return the depth of the deepest leaf."""
        check_is_fitted(self)
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Return the alphas and impurities of minimal cost-complexity pruning.

        As in scikit-learn: ``ccp_alphas`` are the values of `ccp_alpha` at which the tree changes,
        ``impurities`` the total leaf impurities of the trees in between. Fits a clone.
        """
        other = clone(self)
        if "ccp_alpha" in other.get_params(deep=False):
            other.set_params(ccp_alpha=0.0)
        other.fit(X, y, sample_weight)
        alphas, risks = pruning_path(other.tree_, _impurity_risk(other.tree_))
        return Bunch(ccp_alphas=alphas, impurities=risks)

    # ------------------------------------------------------------------ keeping

    def _trees_to_state(self) -> dict[str, Any]:
        return {
            "tree": {"n_features": self.tree_.n_features, **self.tree_.arrays()},
            "importances": self.feature_importances_,
            "n_hyperplanes": self.n_hyperplanes_,
        }

    def _trees_from_state(self, state: dict[str, Any]) -> None:
        self.tree_ = Tree(**state["tree"])
        self.feature_importances_ = state["importances"]
        self.n_hyperplanes_ = _whole(state["n_hyperplanes"])
        n_features = len(self.encoder_.source)
        if self.tree_.n_classes != self.n_classes_ or self.tree_.n_features != n_features:
            raise ValueError("the tree has other classes or features than the estimator")


@parameters
class ObliqueDecisionTreeClassifier(TreeClassifier):
    """A decision tree with any search, any criterion and any pruning.

    Parameters
    ----------
    search : str or SplitSearch, default='oc1'
        How a node looks for its split: a name of `aslant.search.SEARCHES`, a search of
        `aslant.search` with parameters of its own, or a `SplitSearch` you wrote.
    criterion : str or None, default=None
        ``"gini"``, ``"entropy"`` (information gain), ``"gain_ratio"``, ``"twoing"``,
        ``"max_minority"``, ``"sum_minority"`` or ``"sum_of_variances"``; None is the search's own.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from aslant import ObliqueDecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueDecisionTreeClassifier(random_state=0).fit(X, y).get_n_leaves()
    5
    """

    search: str | SplitSearch = field(default="oc1", kw_only=False)
    criterion: str | None = None

    def _make_search(self) -> SplitSearch:
        if isinstance(self.search, SplitSearch):
            return self.search
        if not isinstance(self.search, str):
            raise TypeError(
                f"search must be a name or an object from aslant.search, got {self.search!r}."
            )
        check_choice("search", self.search, tuple(SEARCHES))
        return SEARCHES[self.search]()


class _GrowAgain:
    """What a pruner may ask for: another tree, or another test, with the settings of the fit."""

    def __init__(self, estimator: TreeClassifier, training: Sample, seed: int) -> None:
        self._estimator = estimator
        self._training = training
        self._seed = seed

    def tree(self, rows: Sample) -> Tree:
        """Return a tree grown on some rows."""
        return self._estimator._grow(rows, self._seed)[0]

    def test(self, rows: Mask, columns: Mask) -> Split | None:
        """Return a test for some of the training rows that reads only some columns."""
        search = self._estimator._make_test_search().core()
        return _core.find_test(
            self._problem, search, self._seed, self._training.rows[rows], columns
        )

    @cached_property
    def _problem(self) -> _core.Problem:
        return self._estimator._problem(self._training, self._estimator._make_test_search())


def _rows(name: str, value: Any, n_rows: int, least: int) -> int:
    """Rows meant by a count or a fraction."""
    number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    if number and isinstance(value, Integral) and int(value) >= least:
        return int(value)
    if number and not isinstance(value, Integral) and 0.0 < value <= 1.0:
        return max(least, int(np.ceil(value * n_rows)))
    raise ValueError(
        f"The {name!r} parameter must be an int in the range [{least}, inf) or a float in the "
        f"range (0.0, 1.0], got {value!r}."
    )


def _whole(value: Any) -> int:
    """Return a value that must be a whole number, as state that was saved holds it."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{value!r:.80} stands where a whole number belongs")
    return int(value)


def _impurity_risk(tree: Tree) -> npt.NDArray[np.float64]:
    """Impurity of each node weighted by its share of the rows, scikit-learn's R(t)."""
    weight = tree.value.sum(axis=1)
    return tree.impurity * weight / weight[0]


def _importances(tree: Tree, spread: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Normalised total decrease of impurity by feature."""
    risk = _impurity_risk(tree)
    decrease = risk.copy()
    np.subtract.at(decrease, tree.parent[1:], risk[1:])
    decrease[tree.is_leaf] = 0.0

    # Every coefficient has a share in the decrease of its node.
    node_of_row = np.repeat(np.arange(tree.n_nodes), np.diff(tree.row_start))
    node = np.repeat(node_of_row, np.diff(tree.coef_start))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        size = np.abs(tree.coef_value) * spread[tree.coef_column]
        share = size / np.bincount(node, size, tree.n_nodes)[node]
    equal = 1.0 / np.bincount(node, minlength=tree.n_nodes)[node]
    share = np.where(np.isfinite(share), share, equal)  # where sizes overflow or all vanish
    feature = tree.column_feature[tree.coef_column]
    gain = np.maximum(decrease, 0.0)[node] * share
    importance = np.bincount(feature, gain, tree.n_features).astype(np.float64)
    total = importance.sum()
    return importance / total if total > 0.0 else importance


def _spread(encoder: FeatureEncoder, sample: Sample) -> npt.NDArray[np.float64]:
    """Return the standard deviation of every encoded column over the training rows."""
    features, levels = encoder.columns()
    spread = np.zeros(len(features))
    for j, (feature, level) in enumerate(zip(features, levels, strict=True)):
        column = sample.X[:, feature].astype(np.float64, copy=False)
        column = column[~np.isnan(column)]
        with np.errstate(over="ignore", invalid="ignore"):
            if len(column):
                spread[j] = np.std(column if level < 0 else column == level)
    return spread

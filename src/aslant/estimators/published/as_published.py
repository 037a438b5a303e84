"""A published system exactly as its paper's own program did it."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator

from aslant.search import SplitSearch
from aslant.utils.checks import check_no_effect


class AsPublished:
    """What every published system shares: an instance with the settings of its paper's program.

    Our defaults may be better than the paper's. `_published` lists the parameters that the paper's
    program had otherwise, `_published_search` the options of the search that no estimator needs
    besides.
    """

    @classmethod
    def _published(cls) -> dict[str, Any]:
        """Return the parameters in which the paper's program differs from our defaults."""
        return {}

    @classmethod
    def _published_search(cls) -> dict[str, Any]:
        """Return the same for options of the search."""
        return {}

    @classmethod
    def as_published(cls, **changes: Any) -> Self:
        """Return an estimator with exactly what the paper's own program did.

        Parameters
        ----------
        **changes
            Parameters, or options of the search, that are to differ from the paper's.

        Returns
        -------
        estimator
            Not yet fitted; its parameters show every difference from our defaults.
        """
        settings = cls._published() | changes
        options = cls._published_search()
        kind: type[SplitSearch] | None = getattr(cls, "_search_type", None)
        if kind is not None and "search" not in changes:
            for name in kind().get_params(deep=False):
                if name in settings:
                    options[name] = settings.pop(name)
            settings["search"] = kind(**options)
        return cls(**settings)


def search_of(estimator: BaseEstimator, kind: type[SplitSearch], search: Any) -> SplitSearch:
    """Return the search of a published system: that given, or one with its parameters."""
    if search is None:
        return kind.with_parameters_of(estimator)
    if not isinstance(search, kind):
        raise TypeError(f"search must be None or {kind.__name__}(...), got {search!r}.")
    own = estimator.get_params(deep=False)
    for name in kind().get_params(deep=False):
        if name in own:
            check_no_effect(estimator, name, "search is None")
    return search

"""What the classifier and the regressor of a system both take from its search."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from aslant.search import CARTLC, HHCART, OC1, SplitSearch
from aslant.utils.parameters import parameters


@parameters
class OC1Parameters:
    """Parameters of `aslant.search.OC1`.

    Parameters
    ----------
    search : OC1 or None, default=None
        A search with options that are no parameters here, such as those of the paper's program: see
        `aslant.search.OC1`. None is a search with the parameters below.
    """

    _documented_in: ClassVar[tuple[type[Any], ...]] = (OC1,)
    _search_type: ClassVar[type[SplitSearch] | None] = OC1

    search: OC1 | None = None
    restarts: int = OC1.restarts
    jumps: int = OC1.jumps
    order: Literal["sequential", "best", "random"] = OC1.order
    min_samples_oblique: int | None = OC1.min_samples_oblique
    axis_bias: float = OC1.axis_bias
    axis_start: bool = OC1.axis_start


@parameters
class CARTLCParameters:
    """Parameters of `aslant.search.CARTLC`.

    Parameters
    ----------
    search : CARTLC or None, default=None
        A search with options that are no parameters here, such as those of the paper's program: see
        `aslant.search.CARTLC`. None is a search with the parameters below.
    """

    _documented_in: ClassVar[tuple[type[Any], ...]] = (CARTLC,)
    _search_type: ClassVar[type[SplitSearch] | None] = CARTLC

    search: CARTLC | None = None
    max_cycles: int = CARTLC.max_cycles
    beta: float | None = CARTLC.beta
    univariate: bool = CARTLC.univariate
    complete_cases: bool = CARTLC.complete_cases


@parameters
class HHCARTParameters:
    """Parameters of `aslant.search.HHCART`.

    Parameters
    ----------
    search : HHCART or None, default=None
        A search with options that are no parameters here, such as those of the paper's program: see
        `aslant.search.HHCART`. None is a search with the parameters below.
    """

    _documented_in: ClassVar[tuple[type[Any], ...]] = (HHCART,)
    _search_type: ClassVar[type[SplitSearch] | None] = HHCART

    search: HHCART | None = None
    variant: Literal["all", "dominant"] = HHCART.variant
    tau: float = HHCART.tau
    depth_of_reflection: int | None = HHCART.depth_of_reflection
    mis_rate: float = HHCART.mis_rate
    axis_parallel: bool = HHCART.axis_parallel
    covariance: Literal["sample", "robust"] = HHCART.covariance
    clusters: int | Literal["auto"] = HHCART.clusters
    shrinkage: Literal["auto", "none"] = HHCART.shrinkage

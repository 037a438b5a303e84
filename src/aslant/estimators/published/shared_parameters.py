"""What the classifier and the regressor of a system both take from its search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from aslant.search import CARTLC, HHCART, OC1
from aslant.utils.parameters import parameters


@parameters
class OC1Parameters:
    """The parameters of `aslant.search.OC1`."""

    _documented_in: ClassVar[tuple[type[Any], ...]] = (OC1,)

    restarts: int = OC1.restarts
    jumps: int = OC1.jumps
    order: Literal["sequential", "best", "random"] = OC1.order
    random_moves: int = OC1.random_moves
    stagnation: Literal["counter", "probability"] = OC1.stagnation
    stagnation_step: float = OC1.stagnation_step
    min_samples_oblique: int | None = OC1.min_samples_oblique
    small_nodes: Literal["distinct", "rows"] = OC1.small_nodes
    axis_bias: float = OC1.axis_bias
    axis_start: bool = OC1.axis_start
    perturb_constant: bool = OC1.perturb_constant
    start: Literal["faithful", "through_point"] = OC1.start
    origin: Literal["median", "original"] = OC1.origin
    legacy_sweep: bool = OC1.legacy_sweep
    min_step: float = OC1.min_step


@parameters
class CARTLCParameters:
    """The parameters of `aslant.search.CARTLC`."""

    _documented_in: ClassVar[tuple[type[Any], ...]] = (CARTLC,)

    normalize: bool = CARTLC.normalize
    origin: Literal["median", "original"] = CARTLC.origin
    gammas: Sequence[float] = CARTLC.gammas
    max_cycles: int = CARTLC.max_cycles
    tolerance: float = CARTLC.tolerance
    beta: float | None = CARTLC.beta
    univariate: bool = CARTLC.univariate
    complete_cases: bool = CARTLC.complete_cases
    keep: Literal["best", "last"] = CARTLC.keep
    min_samples_oblique: int | None = CARTLC.min_samples_oblique


@parameters
class HHCARTParameters:
    """The parameters of `aslant.search.HHCART`."""

    _documented_in: ClassVar[tuple[type[Any], ...]] = (HHCART,)

    variant: Literal["all", "dominant"] = HHCART.variant
    tau: float = HHCART.tau
    sign: Literal["auto", "both", "positive"] = HHCART.sign
    depth_of_reflection: int | None = HHCART.depth_of_reflection
    mis_rate: float = HHCART.mis_rate
    axis_parallel: bool = HHCART.axis_parallel
    null_directions: Literal["determined", "all"] = HHCART.null_directions
    covariance: Literal["sample", "robust"] = HHCART.covariance
    clusters: int | Literal["auto"] = HHCART.clusters
    shrinkage: Literal["auto", "none"] = HHCART.shrinkage

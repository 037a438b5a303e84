"""SADT: simulated annealing of a hyperplane.

D. Heath, S. Kasif and S. Salzberg, *Induction of Oblique Decision Trees*, Proceedings of the 13th
International Joint Conference on Artificial Intelligence, 1993.

Idea
    Features are scaled to [0, 1] at the node and the hyperplane starts through the unit point of
    every axis. Coefficients are perturbed at random; a better split is always taken, a worse one
    with probability exp(-loss / temperature), and the temperature falls with every step.

Where the paper is silent
    Temperature, cooling and step are not published. The defaults come near the published numbers of
    hyperplanes and tree sizes on POL and LS10. With many features all rows lie beyond the first
    hyperplane; it is then moved, parallel to itself, to the middle of the rows. The energy is minus
    the score of the criterion; the papers name max minority, sum minority, the sum of class-number
    variances (``"sum_of_variances"``) and, in the comparison with OC1, information gain
    (``"entropy"``).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from aslant import _core
from aslant.search.base import SplitSearch
from aslant.utils.checks import check_choice, check_number
from aslant.utils.parameters import parameters


@parameters
class SADT(SplitSearch):
    """Simulated annealing of the coefficients.

    Parameters
    ----------
    temperature : float, default=0.2
        Initial temperature, in units of the score per row.
    cooling : float, default=0.999
        Factor of the temperature at every step.
    patience : int, default=10000
        Successive perturbations without a new best that end the search.
    move : {"single", "all"}, default="single"
        Perturb one coefficient at a time, or all.
    step : float or None, default=None
        Perturbations are uniform in [-step, step); None is 0.5 for single moves, 0.1 for all.
    """

    default_criterion: ClassVar[str] = "entropy"
    handles_regression: ClassVar[bool] = True

    temperature: float = 0.2
    cooling: float = 0.999
    patience: int = 10_000
    move: Literal["single", "all"] = "single"
    step: float | None = None

    def core(self) -> _core.Search:
        """Return the compiled search."""
        check_number("temperature", self.temperature, 1e-300)
        check_number("cooling", self.cooling, 0.0, 1.0)
        check_number("patience", self.patience, 1, 2**62, integer=True)
        check_choice("move", self.move, ("single", "all"))
        if self.step is not None:
            check_number("step", self.step, 1e-12, 1e6)
        default_step = 0.5 if self.move == "single" else 0.1
        return _core.search(
            "SADT",
            temperature=float(self.temperature),
            cooling=float(self.cooling),
            patience=int(self.patience),
            move_all=self.move == "all",
            step=default_step if self.step is None else float(self.step),
        )

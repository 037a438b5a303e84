"""The result of a comparison: a row for each method, the F test, one sentence of advice."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from aslant.comparison.contender import REFERENCE, Contender
from aslant.comparison.contest import FOLDS
from aslant.comparison.problem import Problem
from aslant.comparison.verdict import FTest, advise, f_test

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

# Title, factor and digits of each measure; four significant digits if None.
Measures = dict[str, tuple[str, float, int | None]]
_CLASSIFICATION: Measures = {
    "accuracy": ("accuracy %", 100.0, 1),
    "balanced_accuracy": ("balanced %", 100.0, 1),
    "log_loss": ("log loss", 1.0, 3),
}
_REGRESSION: Measures = {"r2": ("R2", 1.0, 3), "rmse": ("RMSE", 1.0, None)}
_TREES: Measures = {
    "leaves": ("leaves", 1.0, 1),
    "features_per_test": ("features/test", 1.0, 1),
    "coefficients": ("coefs", 1.0, 1),
    "fit_time": ("time/CART", 1.0, 1),
}
MEASURES = {
    "classification": {**_CLASSIFICATION, **_TREES},
    "regression": {**_REGRESSION, **_TREES},
}


@dataclass(frozen=True)
class Figure:
    """A mean over the folds, and its standard deviation."""

    mean: float
    sd: float

    def shown(self, factor: float, digits: int | None) -> str:
        """Return both as text."""
        if np.isnan(self.mean):
            return "n/a"
        if digits is None:
            return f"{factor * self.mean:.4g} ± {factor * self.sd:.2g}"
        return f"{factor * self.mean:.{digits}f} ± {factor * self.sd:.{digits}f}"


@dataclass(frozen=True)
class Row:
    """One method.

    Attributes
    ----------
    method, kind : str
        Its name, and what its models are: "axis-parallel", "oblique", "several trees",
        "scikit-learn's" or "yours".
    figures : dict of str to Figure
        Accuracy, balanced accuracy and log loss, or R2 and RMSE; leaves, features per test and fit
        time, which is a multiple of CART's and absent if CART failed; empty if the method was not
        finished.
    reason : str
        Why it was not finished.
    """

    method: str
    kind: str
    figures: dict[str, Figure] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, repr=False)
class ComparisonTable:
    """The result of `aslant.compare`; print it, or let a notebook show it.

    Attributes
    ----------
    rows : list of Row
        The methods, most accurate first; those without figures last.
    test : FTest or None
        The 5x2cv F test of the best oblique tree against the best axis-parallel one.
    advice : str
        One sentence: whether oblique tests help, and what to use.
    remarks : list of str
        Facts about the data, and what was left out.
    interrupted : bool
        Whether the work was stopped before its end.
    scoring : str or None
        Name of the scorer that methods are ranked by, None for accuracy or R2.
    task : {"classification", "regression"}
        What the methods predict.
    """

    rows: list[Row]
    test: FTest | None
    advice: str
    remarks: list[str]
    interrupted: bool = False
    scoring: str | None = None
    task: str = "classification"

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        cells = [["method", *self._titles()], *(self._cells(row) for row in self._finished())]
        widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
        lines = ["  ".join(t.ljust(w) for t, w in zip(line, widths, strict=True)) for line in cells]
        lines.insert(1, "-" * max(map(len, lines)))
        return "\n".join([*(line.rstrip() for line in lines), "", *self.sentences()])

    def _repr_html_(self) -> str:
        def line(tag: str, texts: Sequence[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(t)}</{tag}>" for t in texts) + "</tr>"

        body = "".join(line("td", self._cells(row)) for row in self._finished())
        rest = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.sentences()[1:])
        return (
            f"<p><b>{html.escape(self.sentences()[0])}</b></p>"
            f"<table><thead>{line('th', ['method', *self._titles()])}</thead><tbody>{body}</tbody>"
            f"</table><ul>{rest}</ul>"
        )

    def sentences(self) -> list[str]:
        """Return everything that is not in the cells; the advice comes first."""
        unfinished = [f"{row.method}: {row.reason}" for row in self.rows if not row.figures]
        stopped = ["interrupted: this is what was finished until then"] if self.interrupted else []
        lines = [self.advice, self._test_sentence(), *stopped, *self.remarks, *unfinished]
        return [
            line[0].upper() + line[1:] + "." if i == 0 else line for i, line in enumerate(lines)
        ]

    def _test_sentence(self) -> str:
        if self.test is None:
            return "5x2cv F test: not made, as it needs a finished tree of either kind"
        names = " against ".join(
            ", ".join(f"{name} ({times}x)" for name, times in chosen.items())
            for chosen in (self.test.oblique, self.test.axis_parallel)
        )
        p = self.test.p_value
        difference = f"{100 * self.test.difference:+.1f} points"
        if self.task == "regression":
            difference = f"{self.test.difference:+.3f} of R2"
        if self.scoring is not None:
            difference = f"{self.test.difference:+.3g} by {self.scoring}"
        return (
            f"5x2cv F test, best oblique against best axis-parallel tree: F = "
            f"{self.test.statistic:.2f}, {'p < 0.001' if p < 0.001 else f'p = {p:.3f}'}, "
            f"difference {difference}; {names}"
        )

    def _measures(self) -> Measures:
        if self.scoring is None:
            return MEASURES[self.task]
        return {"score": (self.scoring, 1.0, 3), **MEASURES[self.task]}

    def _titles(self) -> list[str]:
        return [title for title, _, _ in self._measures().values()]

    def _finished(self) -> list[Row]:
        return [row for row in self.rows if row.figures]

    def _cells(self, row: Row) -> list[str]:
        """Return the figures of a method as texts."""
        cells = [row.method]
        for name, (_, factor, digits) in self._measures().items():
            figure = row.figures.get(name)
            cells.append("n/a" if figure is None else figure.shown(factor, digits))
        return cells

    def header_and_cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the finished methods as a table of texts."""
        return ["method", *self._titles()], [self._cells(row) for row in self._finished()]

    def to_records(self) -> list[dict[str, Any]]:
        """Return a flat record for each method: figures, their spread, or the reason."""
        records = []
        for row in self.rows:
            record: dict[str, Any] = {"method": row.method, "kind": row.kind}
            for name in self._measures():
                figure = row.figures.get(name)
                known = figure is not None and not np.isnan(figure.mean)
                record[name] = figure.mean if figure is not None and known else None
                record[f"{name}_sd"] = figure.sd if figure is not None and known else None
            records.append({**record, "reason": row.reason})
        return records

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, fit for JSON."""
        test = None if self.test is None else asdict(self.test)
        if test is not None and not np.isfinite(test["statistic"]):
            test["statistic"] = None  # JSON has no infinity; the p-value is 0
        return {
            "task": self.task,
            "advice": self.advice,
            "test": test,
            "methods": self.to_records(),
            "remarks": self.remarks,
            "interrupted": self.interrupted,
        }

    def to_frame(self) -> pandas.DataFrame:
        """Return the methods as a pandas data frame, which needs pandas."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install aslant[frames]") from error
        return pandas.DataFrame(self.to_records()).set_index("method")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the score against leaves: see `aslant.comparison.plot_accuracy_and_leaves`."""
        from aslant.comparison.figures import plot_accuracy_and_leaves

        return plot_accuracy_and_leaves(self, ax)


# ---------------------------------------------------------------------- from the results


def make_table(
    problem: Problem,
    contenders: Sequence[Contender],
    *,
    interrupted: bool,
    scoring: str | None = None,
) -> ComparisonTable:
    """Return the table of what the contenders have."""
    reference = next((c for c in contenders if c.name == REFERENCE and c.folds), None)
    unit = None if reference is None else np.mean([r.cpu_seconds for r in reference.folds])
    measures = [name for name in MEASURES[problem.task] if name != "fit_time"]
    rows = [_row(c, measures, None if unit is None else float(unit)) for c in contenders]
    ranked_by = measures[0] if scoring is None else "score"
    rows.sort(key=lambda r: (-r.figures[ranked_by].mean if r.figures else np.inf, r.method))
    test = f_test(contenders)
    most_frequent = problem.most_frequent[1] if problem.labels else None
    return ComparisonTable(
        rows=rows,
        test=test,
        advice=advise(contenders, test, most_frequent),
        remarks=[*_about(problem, contenders), *problem.remarks],
        interrupted=interrupted,
        scoring=scoring,
        task=problem.task,
    )


def _row(contender: Contender, measures: Sequence[str], unit: float | None) -> Row:
    if not contender.folds:
        reason = contender.reason or "not finished when the work was stopped"
        return Row(contender.name, contender.kind, reason=reason)
    values = {name: [getattr(r, name) for r in contender.folds] for name in measures}
    if contender.folds[0].score is not None:
        values["score"] = [result.merit for result in contender.folds]
    if unit is not None:
        values["fit_time"] = [result.cpu_seconds / unit for result in contender.folds]
    figures = {name: _figure(np.array(of_folds)) for name, of_folds in values.items()}
    return Row(contender.name, contender.kind, figures)


def _figure(values: npt.NDArray[np.float64]) -> Figure:
    unit = float(np.abs(values).max()) or 1.0  # squares of large errors could overflow
    spread = float(np.std(values / unit, ddof=1)) if len(values) > 1 else 0.0
    return Figure(float(np.mean(values)), unit * spread)


def _about(problem: Problem, contenders: Sequence[Contender]) -> list[str]:
    """Return sentences about the data and the folds."""
    n_folds = max((len(c.folds) for c in contenders), default=0)
    target = _about_classes(problem) if problem.labels else _about_target(problem)
    lines = [
        f"{len(problem)} rows, {len(problem.names)} features, {target}; mean ± sd over {n_folds} "
        "folds, the same for all"
    ]
    if problem.task == "regression" and problem.recognised:
        different = len(np.unique(problem.y))
        lines.append(f"the target holds {different} different numbers, so this is regression")
    lines += _small_classes(problem) if problem.labels else []
    untested = [c.name for c in contenders if c.folds and not c.halves]
    if untested:
        lines.append(f"did not finish their part of the F test: {', '.join(untested)}")
    return lines


def _about_classes(problem: Problem) -> str:
    label, share = problem.most_frequent
    return f"{problem.n_classes} classes, {100 * share:.1f} % of class {label!r}"


def _about_target(problem: Problem) -> str:
    return f"a target from {problem.y.min():.4g} to {problem.y.max():.4g}"


def _small_classes(problem: Problem) -> list[str]:
    counts = np.bincount(problem.y, minlength=problem.n_classes)
    small = [problem.labels[k] for k in np.flatnonzero(counts < FOLDS)]
    shown = ", ".join(repr(label) for label in small[:5]) + (", ..." if len(small) > 5 else "")
    return [f"classes with fewer rows than folds, so not in every fold: {shown}"] if small else []

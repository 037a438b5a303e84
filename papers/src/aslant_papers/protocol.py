"""The descriptions of a paper's experiments.

A table is a list of columns (data sets), of methods and of measures, and a plan that divides the
rows. Estimators are named, not imported: a method that this version does not have makes its cells
"not available" and breaks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Literal

from aslant.comparison.splits import Plan
from aslant_papers.records import RunRecord

# Where a name is looked up.
_PLACES = ("aslant", "aslant.prune", "aslant.search", "aslant_papers.reference")


class NotAvailableError(ValueError):
    """A method that this version of the library does not have."""


@dataclass(frozen=True, repr=False)
class Spec:
    """An estimator, a search or a pruner by name, with its parameters; made only when needed.

    Its text, such as ``OC1Classifier(jumps=5)``, identifies the results kept in the journal.
    """

    name: str
    parameters: tuple[tuple[str, Any], ...] = ()
    as_published: bool = False

    def __repr__(self) -> str:
        maker = f"{self.name}.as_published" if self.as_published else self.name
        return f"{maker}({', '.join(f'{key}={value!r}' for key, value in self.parameters)})"

    def make(self) -> Any:
        """Return the object.

        Raises
        ------
        NotAvailableError
            If this version has no such class, or the class no such parameter.
        """
        for place in _PLACES:
            made = getattr(import_module(place), self.name, None)
            if made is not None:
                break
        else:
            raise NotAvailableError(f"this version has no {self.name}")
        parameters = {
            key: value.make() if isinstance(value, Spec) else value
            for key, value in self.parameters
        }
        try:
            return made.as_published(**parameters) if self.as_published else made(**parameters)
        except TypeError as error:
            raise NotAvailableError(str(error)) from None

    def unavailable(self) -> str | None:
        """Return why it cannot be made, None if it can."""
        try:
            self.make()
        except NotAvailableError as error:
            return str(error)
        return None


def spec(name: str, **parameters: Any) -> Spec:
    """Return a `Spec`, written like a call."""
    return Spec(name, tuple(sorted(parameters.items())))


def published(name: str, **changes: Any) -> Spec:
    """Return a published system as its paper ran it, but for these changes."""
    return Spec(name, tuple(sorted(changes.items())), as_published=True)


@dataclass(frozen=True)
class Data:
    """A data set and how the paper reads it.

    Attributes
    ----------
    name : str
        A name that `aslant_papers.datasets.load_dataset`, or `load_regression_dataset`, takes.
    redrawn : bool
        Whether generated data are drawn again for every run.
    as_numbers : bool
        Whether codes of categories are read as numbers.
    rows : int, optional
        How many rows the paper has, if it is fewer.
    complete_rows : bool
        Whether rows with missing values are left out. Not part of the text that identifies
        results: the fingerprint of the rows tells.
    numbers : bool
        Whether it is one of `aslant_papers.datasets.regression.REGRESSION_SETS`.
    """

    name: str
    redrawn: bool = False
    as_numbers: bool = False
    rows: int | None = None
    complete_rows: bool = field(default=False, repr=False)
    numbers: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class TableColumn:
    """A data set as one column of a table.

    Attributes
    ----------
    label : str
        The paper's name for it.
    data : Data
        The data set.
    plan : Plan, optional
        How its rows are divided, if not as the table says.
    class_index : int, optional
        The class that measures of one class look at, counted from 0 in the order of the labels.
    """

    label: str
    data: Data
    plan: Plan | None = None
    class_index: int | None = None


@dataclass(frozen=True)
class TableMethod:
    """One method of a table.

    Attributes
    ----------
    label : str
        What it is called in our table.
    estimator : Spec
        The estimator with its settings.
    published : str, optional
        Its name in the published table, if another.
    plan : Plan, optional
        How rows are divided for it, if not as the table says.
    prune_set : bool
        Whether pruning uses the plan's own pruning rows; where a plan has none, nothing is
        pruned. Otherwise the estimator prunes in its own way, and such rows are not used at all.
    multiclass : Spec, optional
        The estimator for more than two classes, if another.
    measures : tuple of str, optional
        The measures of the table that it is compared by, if not all.
    counted : bool
        Whether its figures count as the paper's. A row with our own settings stands beside the
        published figures too, but is not counted.
    as_numbers : bool
        Whether its program read codes of categories as numbers, where others did not.
    by_data : mapping of str to Spec
        The estimator for single data sets, by the labels of their columns.
    constants : {"", "tests", "multivariate_tests"}
        Which tests of `estimator` have a constant that the paper's size counts as one more
        feature: none, all, or those of several features.
    """

    label: str
    estimator: Spec
    published: str | None = None
    plan: Plan | None = None
    prune_set: bool = False
    multiclass: Spec | None = None
    measures: tuple[str, ...] | None = None
    counted: bool = True
    as_numbers: bool = False
    by_data: Mapping[str, Spec] = field(default_factory=dict)
    constants: Literal["", "tests", "multivariate_tests"] = ""

    def data_of(self, column: TableColumn) -> Data:
        """Return a data set as this method reads it."""
        return replace(column.data, as_numbers=True) if self.as_numbers else column.data

    def estimator_for(self, label: str, n_classes: int) -> Spec:
        """Return the estimator for the data set of a column, which has so many classes."""
        if label in self.by_data:
            return self.by_data[label]
        return self.multiclass if self.multiclass and n_classes > 2 else self.estimator

    def counted_size(self, run: RunRecord, estimator: Spec) -> RunRecord:
        """Return a run of an estimator with the size that the paper counts."""
        if not self.constants or estimator != self.estimator:
            return run
        more = getattr(run, self.constants)
        return replace(run, size=[a + b for a, b in zip(run.size, more, strict=True)])

    def unavailable(self) -> str | None:
        """Return why it cannot be run, None if it can."""
        parts = (self.estimator, self.multiclass, *self.by_data.values())
        reasons = (part.unavailable() for part in parts if part)
        return next(filter(None, reasons), None)

    @property
    def row(self) -> str:
        """Its name in the published table."""
        return self.published or self.label


@dataclass(frozen=True)
class Comparison:
    """A statistical test between methods of a table, on each data set.

    Attributes
    ----------
    label : str
        Its name in the published table.
    methods : tuple of str
        Labels of the methods it compares.
    p_value : callable
        Computes the p-value from the runs of each of these methods.
    """

    label: str
    methods: tuple[str, ...]
    p_value: Callable[[Sequence[Sequence[RunRecord]]], float]


@dataclass(frozen=True)
class Difference:
    """The difference of two methods of a table by each measure.

    Attributes
    ----------
    label : str
        Its name in the published table.
    methods : tuple of str
        Labels of the two methods.
    """

    label: str
    methods: tuple[str, str]


@dataclass(frozen=True)
class Ranking:
    """Mean ranks of the methods of a table over its data sets, rank 1 being the highest.

    Attributes
    ----------
    label : str
        What the published line calls its data.
    measure : str
        What ranks them.
    groups : tuple of tuple of str
        Labels of the columns of each data set; the measure is averaged over these.
    """

    label: str
    measure: str
    groups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PaperTable:
    """One table of a paper, or an experiment that its text reports without a table.

    Attributes
    ----------
    number : int or str
        Its number in the paper; a name for what has no table and no figures to compare with.
    title : str
        What it shows.
    plan : Plan
        How rows are divided, unless a column or a method says otherwise.
    columns : tuple of TableColumn
        The data sets.
    methods : tuple of Method
        The methods.
    measures : tuple of str
        Names in `aslant_papers.records.MEASURES`.
    comparisons : tuple of Comparison
        If there are any, the table shows these tests between methods, not the methods themselves.
    differences : tuple of Difference
        If there are any, the table shows these differences, not the methods themselves.
    ranking : Ranking, optional
        A line of mean ranks below the table.
    not_reproduced : mapping of str to str
        Published rows that are left out, with the reason.
    remark : str
        What a reader should know of it.
    most_rows : int, optional
        Larger data sets are sampled.
    published_runs : int, optional
        Of how many runs the published figures are means, if not of as many as the plan has.
    """

    number: int | str
    title: str
    plan: Plan
    columns: tuple[TableColumn, ...]
    methods: tuple[TableMethod, ...]
    measures: tuple[str, ...]
    comparisons: tuple[Comparison, ...] = ()
    differences: tuple[Difference, ...] = ()
    ranking: Ranking | None = None
    not_reproduced: Mapping[str, str] = field(default_factory=dict)
    remark: str = ""
    most_rows: int | None = None
    published_runs: int | None = None

    def plan_of(self, column: TableColumn, method: TableMethod) -> Plan:
        """Return how the rows of a column are divided for a method."""
        return column.plan or method.plan or self.plan


@dataclass(frozen=True)
class Paper:
    """The experiments of one paper.

    Attributes
    ----------
    name : str
        What ``aslant reproduce`` calls it.
    citation : str
        Authors, title and year.
    tables : tuple of PaperTable
        Its tables of results.
    experiments : tuple of PaperTable
        What its text reports without a table: `number` is a name.
    """

    name: str
    citation: str
    tables: tuple[PaperTable, ...]
    experiments: tuple[PaperTable, ...] = ()

    def table(self, number: int | str) -> PaperTable:
        """Return a table by its number, or an experiment by its name.

        Raises
        ------
        ValueError
            If there is none; the message lists those there are.
        """
        for table in (*self.tables, *self.experiments):
            if str(table.number) == str(number):
                return table
        numbers = ", ".join(str(table.number) for table in self.tables)
        named = ", ".join(str(table.number) for table in self.experiments)
        more = f" and the experiments {named}" if named else ""
        raise ValueError(f"{self.name} has the tables {numbers}{more}, got {number}.")

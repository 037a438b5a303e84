"""`export_pmml`: a fitted model as a PMML 4.4 document.

The sums of tests are derived fields. A single tree with constant leaves is a TreeModel whose
predicates compare these fields. Everything else (soft trees, linear leaves, forests, boosting) is
computed by derived fields up to the probabilities or the value, which a RegressionModel returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from aslant.codegen.describe import describe
from aslant.codegen.description import Combination, Description, Input, Label, Linear, Node, Slope
from aslant.codegen.names import distinct
from aslant.codegen.pmml_fields import (
    Fields,
    added,
    apply,
    constant,
    field,
    first_largest,
    text_of,
)
from aslant.codegen.pmml_reasons import reason_names
from aslant.utils.checks import check_number

_LEAST = 1e-300  # lower bound of a soft probability, as in the core
_LANE_ORDER = ((0, 2), (1, 3))


def export_pmml(estimator: Any, *, reasons: int | None = None) -> str:
    """Return a fitted model as a PMML 4.4 document.

    The fields of the input have the names of the features; a missing value and an unknown level are
    missing. Dates and durations are numbers: days since 1970-01-01, and days. The result is
    ``prediction``, and ``probability_...`` for each class.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one;
        a regressor of one output. Votes (`KDTClassifier`) are refused: PMML breaks their ties in
        another way.
    reasons : int, optional
        For models of one tree: also return ``reason_1``, ``reason_2``, ..., the names of the
        features that contribute most, at most so many, as ``explain(estimator, X).reasons(n)``
        does. They are missing if fewer features contribute.

    Returns
    -------
    str
        The document.

    Examples
    --------
    >>> from aslant import CARTClassifier, export_pmml
    >>> tree = CARTClassifier().fit([[1.0], [2.0], [4.0]], ["a", "a", "b"])
    >>> export_pmml(tree).count("<Node ")
    3
    """
    if reasons is not None:
        check_number("reasons", reasons, 1, integer=True)
    description = describe(estimator, "export_pmml")
    if description.combination is Combination.VOTES:
        raise TypeError("export_pmml writes probabilities, not votes: use voting='soft'.")
    if not description.classes and description.n_outputs > 1:
        raise ValueError(f"export_pmml needs one output, got {description.n_outputs}.")
    writer = _Writer(description)
    root = Element("PMML", xmlns="http://www.dmg.org/PMML-4_4", version="4.4")
    header = SubElement(root, "Header", description=f"{description.estimator}, written by aslant")
    SubElement(header, "Application", name="aslant")
    root.append(writer.data_dictionary())
    model = writer.model()  # derives the fields
    if reasons is not None:
        writer.add_reasons(model, reasons)
    root.append(writer.fields.dictionary)
    root.append(model)
    indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + tostring(root, encoding="unicode") + "\n"


class _Writer:
    def __init__(self, description: Description) -> None:
        self.description = description
        self.fields = Fields(description)
        self.target = distinct(["prediction"], self.fields.inputs)[0]

    # ------------------------------------------------------------------ the fields

    def data_dictionary(self) -> Element:
        made = Element("DataDictionary")
        for name, given in zip(self.fields.inputs, self.description.inputs, strict=True):
            made.append(_data_field(name, given))
        labels = self.description.classes
        if not labels:
            SubElement(made, "DataField", name=self.target, optype="continuous", dataType="double")
            return made
        kind = _data_type(labels)
        own = SubElement(made, "DataField", name=self.target, optype="categorical", dataType=kind)
        for label in labels:
            SubElement(own, "Value", value=text_of(label))
        return made

    def _schema(self) -> Element:
        made = Element("MiningSchema")
        SubElement(made, "MiningField", name=self.target, usageType="target")
        for name in self.fields.inputs:
            SubElement(made, "MiningField", name=name, invalidValueTreatment="asMissing")
        return made

    def _output(self) -> Element:
        made = Element("Output")
        labels = self.description.classes
        names = distinct([f"probability_{label}" for label in labels], self.fields.inputs)
        for label, name in zip(labels, names, strict=True):
            SubElement(
                made,
                "OutputField",
                name=name,
                optype="continuous",
                dataType="double",
                feature="probability",
                value=text_of(label),
            )
        return made

    def add_reasons(self, model: Element, n_reasons: int) -> None:
        """Add the names of the features that contribute most to the output of a model."""
        output = model.find("Output")
        if output is None:
            output = Element("Output")
            model.insert(1, output)
        leaf = self.fields.derive("leaf", self._by_leaf(0))
        names = distinct([f"reason_{k}" for k in range(1, n_reasons + 1)], self.fields.inputs)
        for name, expression in zip(names, reason_names(self.fields, leaf, n_reasons), strict=True):
            made = SubElement(
                output,
                "OutputField",
                name=name,
                optype="categorical",
                dataType="string",
                feature="transformedValue",
            )
            made.append(expression)

    def _by_leaf(self, t: int) -> Element:
        """Return the number of the leaf that a row reaches."""
        numbers = iter(range(len(self.description.trees[t])))
        places = {
            i: next(numbers) for i, node in enumerate(self.description.trees[t]) if node.is_leaf
        }
        return self._along_tree(t, lambda i, node: constant(float(places[i])))

    # ------------------------------------------------------------------ models

    def model(self) -> Element:
        """Return the model: a tree, or a regression that returns derived fields."""
        is_single = self.description.combination is Combination.SINGLE
        made = self._tree() if is_single and not self.description.is_linear else self._regression()
        made.set("functionName", "classification" if self.description.classes else "regression")
        made.set("modelName", self.description.estimator)
        return made

    def _start(self, kind: str) -> Element:
        made = Element(kind)
        made.append(self._schema())
        if self.description.classes:
            made.append(self._output())
        return made

    def _tree(self) -> Element:
        made = self._start("TreeModel")
        widths = [len(node.children) for node in self.description.trees[0]]
        made.set("splitCharacteristic", "multiSplit" if max(widths) > 2 else "binarySplit")
        root = self._node(made, 0)
        root.append(Element("True"))
        waiting = [(0, root)]
        while waiting:
            i, element = waiting.pop()
            node = self.description.trees[0][i]
            self._say(element, node)
            for k, child in enumerate(node.children):
                own = self._node(element, child)
                own.append(self._predicate(0, i, node, k))
                waiting.append((child, own))
        return made

    def _node(self, parent: Element, i: int) -> Element:
        rows = str(self.description.trees[0][i].rows)
        return SubElement(parent, "Node", id=str(i), recordCount=rows)

    def _say(self, element: Element, node: Node) -> None:
        """Add what a node predicts."""
        labels = self.description.classes
        element.set("score", text_of(labels[node.winner] if labels else node.output[0]))
        for label, share in zip(labels, node.output, strict=False):
            SubElement(
                element,
                "ScoreDistribution",
                value=text_of(label),
                recordCount=repr(share * node.rows),
                probability=repr(share),
            )

    def _predicate(self, t: int, i: int, node: Node, k: int) -> Element:
        if len(node.functions) == 1:
            operator = "lessOrEqual" if k == 0 else "greaterThan"
            offset = repr(node.functions[0].offset)
            name = self._sum(t, i, node.functions[0])
            return Element("SimplePredicate", field=name, operator=operator, value=offset)
        branch = self._branch(t, i, node)
        return Element("SimplePredicate", field=branch, operator="equal", value=repr(float(k)))

    # ------------------------------------------------------------------ tests as fields

    def _sum(self, t: int, i: int, linear: Linear, branch: int | None = None) -> str:
        """Return the field of a sum, added in the order of the core."""
        lanes = [added([self.fields.product(term) for term in lane]) for lane in linear.lanes()]
        pairs = [apply("+", lanes[one], lanes[other]) for one, other in _LANE_ORDER]
        total = apply("+", *pairs)
        if branch is not None:
            total = apply("+", total, constant(linear.offset))
        name = f"sum_{t}_{i}" if branch is None else f"sum_{t}_{i}_{branch}"
        return self.fields.derive(name, total)

    def _branch(self, t: int, i: int, node: Node) -> str:
        """Return the field of the branch that a linear machine takes: the first largest."""
        sums = [self._sum(t, i, one, k) for k, one in enumerate(node.functions)]
        return self.fields.derive(f"branch_{t}_{i}", first_largest(sums))

    def _goes(self, t: int, i: int, node: Node, k: int) -> Element:
        """Return whether a row takes child k, as an expression."""
        if len(node.functions) == 1:
            offset = constant(node.functions[0].offset)
            name = self._sum(t, i, node.functions[0])
            return apply("lessOrEqual" if k == 0 else "greaterThan", field(name), offset)
        return apply("equal", field(self._branch(t, i, node)), constant(float(k)))

    # ------------------------------------------------------------------ outputs as fields

    def _leaf_output(self, t: int, i: int, node: Node, k: int) -> Element:
        """Return an output of a leaf: a constant, or a linear function that is clipped."""
        if not node.slopes:
            return constant(node.output[k])
        slope = node.slopes[k]
        value = field(self.fields.derive(f"slope_{t}_{i}_{k}", self._slope(slope)))
        if slope.low > -float("inf"):
            value = apply("max", value, constant(slope.low))
        return apply("min", value, constant(slope.high)) if slope.high < float("inf") else value

    def _slope(self, slope: Slope) -> Element:
        parts = [constant(slope.value)]
        for term in slope.terms:
            distance = apply("-", self.fields.value(term), constant(term.fill))
            parts.append(apply("*", constant(term.coef), distance))
        return added(parts)

    def _tree_output(self, t: int, k: int) -> Element:
        """Return an output of the leaf that a row reaches in a tree."""
        return self._along_tree(t, lambda i, node: self._leaf_output(t, i, node, k))

    def _along_tree(self, t: int, of_leaf: Callable[[int, Node], Element]) -> Element:
        """Return an expression of the leaf that a row reaches in a tree."""
        tree = self.description.trees[t]
        made: dict[int, Element] = {}
        for i in reversed(range(len(tree))):  # children come after their parent
            node = tree[i]
            if node.is_leaf:
                made[i] = of_leaf(i, node)
                continue
            *first, last = node.children
            made[i] = made.pop(last)
            for place, child in reversed(list(enumerate(first))):
                made[i] = apply("if", self._goes(t, i, node, place), made.pop(child), made[i])
        return made[0]

    def _soft_output(self, k: int) -> Element:
        """Return an output of all leaves, weighted by the probability of reaching them."""
        tree = self.description.trees[0]
        parts = [
            apply("*", self._reached(i), self._leaf_output(0, i, node, k))
            for i, node in enumerate(tree)
            if node.is_leaf
        ]
        return added(parts)

    def _reached(self, leaf: int) -> Element:
        """Return the product of the gates on the way to a leaf."""
        tree = self.description.trees[0]
        made = constant(1.0)
        while leaf > 0:
            parent = next(i for i, node in enumerate(tree) if leaf in node.children)
            gate = field(self._gate(parent, tree[parent]))
            is_first = tree[parent].children[0] == leaf
            made = apply("*", apply("-", constant(1.0), gate) if is_first else gate, made)
            leaf = parent
        return made

    def _gate(self, i: int, node: Node) -> str:
        test = node.functions[0]
        distance = added([constant(-test.offset), *map(self.fields.product, test.terms)])
        score = apply("*", constant(-node.steepness), distance)
        least = apply("min", score, constant(700.0))
        one = constant(1.0)
        gate = apply("/", one, apply("+", constant(1.0), apply("exp", least)))
        return self.fields.derive(f"gate_{i}", gate)

    def _regression(self) -> Element:
        """Return a model that returns derived fields as they are."""
        made = self._start("RegressionModel")
        outputs = self._outputs()
        labels = self.description.classes
        if labels:
            made.set("normalizationMethod", "simplemax")  # they sum to 1 already
        for k, name in enumerate(outputs):
            table = SubElement(made, "RegressionTable", intercept="0")
            if labels:
                table.set("targetCategory", text_of(labels[k]))
            SubElement(table, "NumericPredictor", name=name, coefficient="1")
        return made

    def _outputs(self) -> list[str]:
        """Return the fields of the probabilities, or of the value."""
        made, places = self.description, range(self.description.n_outputs)
        if made.combination is Combination.SOFT:
            sums = [self.fields.derive(f"output_{k}", self._soft_output(k)) for k in places]
        else:
            sums = [self.fields.derive(f"output_{k}", self._tree_sum(k)) for k in places]
        if made.exponent is not None:
            return self._sharpened(sums)
        if made.is_logit or made.link == "softmax":
            return self._softmax(sums)
        if made.link == "exp":
            return [self.fields.derive("value", apply("exp", field(sums[0])))]
        return sums

    def _tree_sum(self, k: int) -> Element:
        parts = []
        for t, weight in enumerate(self.description.weights):
            own = self.fields.derive(f"tree_{t}_{k}", self._tree_output(t, k))
            parts.append(apply("*", constant(weight), field(own)))
        total = apply("sum", *parts) if len(parts) > 1 else parts[0]
        return apply("/", total, constant(self.description.divisor))

    def _largest(self, names: list[str]) -> str:
        expression = apply("max", *map(field, names)) if len(names) > 1 else field(names[0])
        return self.fields.derive("largest", expression)

    def _sharpened(self, sums: list[str]) -> list[str]:
        """Return the fields of probabilities raised to the exponent and normalized."""
        prior, exponent = (
            constant(self.description.prior),
            constant(self.description.exponent or 1.0),
        )
        kept = [
            self.fields.derive(
                f"kept_{k}",
                apply("max", apply("+", field(name), prior), constant(_LEAST)),
            )
            for k, name in enumerate(sums)
        ]
        largest = field(self._largest(kept))
        return self._normalized(
            [apply("pow", apply("/", field(name), largest), exponent) for name in kept]
        )

    def _softmax(self, logits: list[str]) -> list[str]:
        largest = field(self._largest(logits))
        return self._normalized([apply("exp", apply("-", field(name), largest)) for name in logits])

    def _normalized(self, powers: list[Element]) -> list[str]:
        names = [self.fields.derive(f"power_{k}", power) for k, power in enumerate(powers)]
        sums = apply("sum", *map(field, names)) if len(names) > 1 else field(names[0])
        total = field(self.fields.derive("total", sums))
        return [
            self.fields.derive(f"probability_{k}", apply("/", field(name), total))
            for k, name in enumerate(names)
        ]


def _data_field(name: str, given: Input) -> Element:
    if given.kind == "boolean":
        return Element("DataField", name=name, optype="categorical", dataType="boolean")
    if given.kind != "levels":
        return Element("DataField", name=name, optype="continuous", dataType="double")
    made = Element("DataField", name=name, optype="categorical", dataType=_data_type(given.levels))
    for level in given.levels if given.unknown is None else ():
        SubElement(made, "Value", value=text_of(level))
    return made


def _data_type(labels: tuple[Label, ...]) -> str:
    """Return the type of labels of one kind."""
    kinds = {type(label) for label in labels}
    if kinds <= {int, float} and kinds:
        return "integer" if kinds == {int} else "double"
    if kinds == {bool}:
        return "boolean"
    if kinds <= {str}:
        return "string"
    raise TypeError(f"export_pmml needs labels and levels of one type, got {labels}.")

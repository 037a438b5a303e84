"""Expressions and fields of PMML: a small writer over the XML tree."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from aslant.codegen.description import Description, Feature, Input, Label, Term
from aslant.codegen.names import distinct

_TYPES = {bool: "boolean", str: "string", int: "integer", float: "double"}


def constant(value: Label) -> Element:
    """Return a constant: a number of 64 bits, a text or a boolean."""
    made = Element("Constant", dataType=_TYPES[type(value)])
    made.text = text_of(value)
    return made


def text_of(value: Label) -> str:
    """Return a value as PMML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value)


def field(name: str) -> Element:
    """Return a reference to a field."""
    return Element("FieldRef", field=name)


def apply(function: str, *arguments: Element) -> Element:
    """Return a function of expressions."""
    made = Element("Apply", function=function)
    made.extend(arguments)
    return made


def added(parts: Sequence[Element]) -> Element:
    """Return the sum of expressions, added from the left."""
    if not parts:
        return constant(0.0)
    total = parts[0]
    for part in parts[1:]:
        total = apply("+", total, part)
    return total


def first_largest(names: Sequence[str], places: Sequence[int] | None = None) -> Element:
    """Return the place of the first largest of some fields, as a number."""
    numbers = [float(k) for k in (range(len(names)) if places is None else places)]
    made = constant(numbers[-1])
    for k in reversed(range(len(names) - 1)):
        beats: Element = apply("greaterOrEqual", field(names[k]), field(names[k + 1]))
        for other in names[k + 2 :]:
            beats = apply("and", beats, apply("greaterOrEqual", field(names[k]), field(other)))
        made = apply("if", beats, constant(numbers[k]), made)
    return made


class Fields:
    """Derived fields, and the names that they and the inputs have.

    Parameters
    ----------
    description : Description
        The model.
    """

    def __init__(self, description: Description) -> None:
        self.description = description
        self.inputs = distinct([given.name for given in description.inputs])
        self.prefix = "aslant_"
        while any(name.startswith(self.prefix) for name in self.inputs):
            self.prefix += "_"
        self.dictionary = Element("TransformationDictionary")
        self._known: set[str] = set()

    def derive(self, name: str, expression: Element) -> str:
        """Add a derived number once; return its name."""
        full = self.prefix + name
        if full not in self._known:
            self._known.add(full)
            made = SubElement(
                self.dictionary, "DerivedField", name=full, optype="continuous", dataType="double"
            )
            made.append(expression)
        return full

    # ------------------------------------------------------------------ terms

    def value(self, term: Term) -> Element:
        """Return the value of a term; its fill if it is missing."""
        feature = self.description.features[term.feature]
        given = self.description.inputs[feature.source]
        name = self.inputs[feature.source]
        if feature.what == "missing":
            return _choice(apply("isMissing", field(name)), constant(1.0), constant(0.0))
        if feature.what not in ("itself", "encoded"):
            known: Element = field(self._date_part(feature, name))
        elif feature.what == "encoded":
            known = _encoded(feature, given, name)
        elif term.level is not None:
            is_level = _has_code(given, name, term.level)
            known = _choice(is_level, constant(1.0), constant(0.0))
        else:
            known = _number(given, name)
        return _choice(apply("isMissing", field(name)), constant(term.fill), known)

    def product(self, term: Term) -> Element:
        """Return coefficient times value."""
        return apply("*", constant(term.coef), self.value(term))

    def _date_part(self, feature: Feature, name: str) -> str:
        """Return the field of a part of a date, which is days since 1970; years begin in March."""
        source = feature.source

        def floor(expression: Element, divisor: float | None = None) -> Element:
            inner = expression if divisor is None else apply("/", expression, constant(divisor))
            return apply("floor", inner)

        def plus(*parts: tuple[float, str | None]) -> Element:
            return added(
                [constant(c) if n is None else apply("*", constant(c), field(n)) for c, n in parts]
            )

        day = self.derive(f"day_{source}", floor(field(name)))
        if feature.what == "weekday":
            week = floor(plus((1.0, day), (3.0, None)), 7.0)
            return self.derive(
                f"weekday_{source}",
                apply("-", plus((1.0, day), (3.0, None)), apply("*", constant(7.0), week)),
            )
        if feature.what == "hour":
            of_day = apply("*", apply("-", field(name), field(day)), constant(24.0))
            return self.derive(f"hour_{source}", floor(apply("+", of_day, constant(1e-6))))
        era = self.derive(f"era_{source}", floor(plus((1.0, day), (719468.0, None)), 146097.0))
        rest = self.derive(f"rest_{source}", plus((1.0, day), (719468.0, None), (-146097.0, era)))
        leaps = added(
            [
                field(rest),
                *(
                    apply("*", constant(sign), floor(field(rest), size))
                    for sign, size in ((-1.0, 1460.0), (1.0, 36524.0), (-1.0, 146096.0))
                ),
            ]
        )
        year = self.derive(f"year_of_era_{source}", floor(leaps, 365.0))
        of_year = self.derive(
            f"day_of_year_{source}",
            added(
                [
                    plus((1.0, rest), (-365.0, year)),
                    apply("*", constant(-1.0), floor(field(year), 4.0)),
                    floor(field(year), 100.0),
                ]
            ),
        )
        month = self.derive(
            f"month_from_march_{source}", floor(plus((5.0, of_year), (2.0, None)), 153.0)
        )
        late = apply("greaterThan", field(month), constant(9.0))
        if feature.what == "year":
            whole = plus((1.0, year), (400.0, era))
            more = _choice(late, constant(1.0), constant(0.0))
            return self.derive(f"year_{source}", apply("+", whole, more))
        if feature.what == "month":
            moved = _choice(late, constant(-9.0), constant(3.0))
            return self.derive(f"month_{source}", apply("+", field(month), moved))
        before = floor(plus((153.0, month), (2.0, None)), 5.0)
        first = apply("-", field(of_year), before)
        return self.derive(f"day_of_month_{source}", apply("+", first, constant(1.0)))


def _choice(condition: Element, then: Element, otherwise: Element) -> Element:
    return apply("if", condition, then, otherwise)


def _number(given: Input, name: str) -> Element:
    """Return an input as a number: a boolean is 0 or 1, an ordered level its code."""
    if given.kind == "boolean":
        return _choice(apply("equal", field(name), constant(True)), constant(1.0), constant(0.0))
    if given.kind != "levels":
        return field(name)
    last = constant(float(len(given.levels)) if given.unknown is not None else 0.0)
    return _by_level(given, name, [float(code) for code in range(len(given.levels))], last)


def _encoded(feature: Feature, given: Input, name: str) -> Element:
    """Return the target encoding of a level."""
    return _by_level(given, name, feature.table[: len(given.levels)], constant(feature.table[-1]))


def _by_level(given: Input, name: str, values: Sequence[float], otherwise: Element) -> Element:
    """Return a number for each level of an input."""
    made = otherwise
    for level, value in reversed(list(zip(given.levels, values, strict=True))):
        made = _choice(apply("equal", field(name), constant(level)), constant(value), made)
    return made


def _has_code(given: Input, name: str, code: int) -> Element:
    """Return whether an input has a level; one beyond the levels stands for all others."""
    if code < len(given.levels):
        return apply("equal", field(name), constant(given.levels[code]))
    return apply("isNotIn", field(name), *(constant(level) for level in given.levels))

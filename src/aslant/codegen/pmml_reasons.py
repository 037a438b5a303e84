"""The reasons of a prediction as derived fields: see `aslant.codegen.reasons`."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from aslant.codegen.pmml_fields import Fields, added, apply, constant, field, first_largest
from aslant.codegen.reasons import LARGEST, Comparison, each_comparison, features_of, key_base

_NOWHERE = -1.0


def reason_names(fields: Fields, leaf: str, n_reasons: int) -> list[Element]:
    """Derive the fields; return an expression for each reason, missing if there are fewer."""
    comparisons = each_comparison(fields.description)
    features = features_of(comparisons)
    shares: dict[int, list[Element]] = {j: [] for j in features}
    for c, one in enumerate(comparisons):
        own = _shares(fields, leaf, c, one)
        size = fields.derive(
            f"size_{c}", added([apply("abs", field(name)) for name in own.values()])
        )
        for j, name in own.items():
            ratio = apply("/", field(name), field(size))
            is_some = apply("greaterThan", field(size), constant(0.0))
            shares[j].append(apply("if", is_some, ratio, constant(0.0)))
    keys = _keys(fields, shares, features)
    names = [feature.name for feature in fields.description.features]
    return [
        _name(fields, keys, [names[j] for j in features], place)
        for place in range(1, n_reasons + 1)
    ]


def _keys(fields: Fields, shares: dict[int, list[Element]], features: list[int]) -> list[str]:
    base = key_base(features)
    keys = []
    for place, (j, own) in enumerate(shares.items()):
        # In two parts: floor may return an integer of 32 bits.
        exact = field(fields.derive(f"exact_{j}", added(own)))
        whole = field(fields.derive(f"whole_{j}", apply("floor", exact)))
        rest = apply("*", apply("-", exact, whole), constant(1e9))
        billionths = apply("floor", apply("+", rest, constant(0.5)))
        total = apply("+", apply("*", whole, constant(1e9)), billionths)
        total = field(fields.derive(f"total_{j}", total))
        key = apply("+", apply("*", total, constant(base)), constant(float(len(features) - place)))
        is_reason = apply("greaterThan", total, constant(0.0))
        keys.append(fields.derive(f"key_{j}", apply("if", is_reason, key, constant(0.0))))
    return keys


def _name(fields: Fields, keys: Sequence[str], names: Sequence[str], place: int) -> Element:
    """Return the name of the feature with the largest key below the one before."""
    candidates = [field(key) for key in keys] or [constant(0.0)]
    if place > 1 and keys:
        before = field(f"{fields.prefix}top_{place - 1}")
        candidates = [
            apply("if", apply("lessThan", field(key), before), field(key), constant(0.0))
            for key in keys
        ]
    largest = apply("max", *candidates) if len(candidates) > 1 else candidates[0]
    top = field(fields.derive(f"top_{place}", largest))
    is_some = apply("greaterThan", top, constant(0.0))
    made: Element | None = None
    for key, name in reversed(list(zip(keys, names, strict=True))):
        has_key = apply("equal", top, field(key))
        made = apply("if", has_key, constant(name), *([] if made is None else [made]))
    return apply("if", is_some, constant("") if made is None else made)


def _shares(fields: Fields, leaf: str, c: int, one: Comparison) -> dict[int, str]:
    """Derive what each feature adds to a comparison; 0 if it is not on the path."""
    places = range(len(one.functions))
    parts = {
        j: [fields.derive(f"part_{c}_{k}_{j}", _part(fields, one, k, j)) for k in places]
        for j in one.features
    }
    values = _values(fields, c, one, parts)
    winner = fields.derive(f"winner_{c}", _winner(leaf, one, values))
    second = constant(_NOWHERE)
    for k in places:
        others = [i for i in places if i != k]
        chosen = first_largest([values[i] for i in others], others)
        second = apply("if", _equals(winner, k), chosen, second)
    second_name = fields.derive(f"second_{c}", second)
    return {
        j: fields.derive(
            f"share_{c}_{j}", apply("-", _chosen(own, winner), _chosen(own, second_name))
        )
        for j, own in parts.items()
    }


def _values(fields: Fields, c: int, one: Comparison, parts: dict[int, list[str]]) -> list[str]:
    """Derive the values of the functions, if they decide."""
    names = [f"value_{c}_{k}" for k in range(len(one.functions))]
    if not one.is_open:
        return names
    return [
        fields.derive(name, added([constant(at_mean), *(field(own[k]) for own in parts.values())]))
        for k, (name, (at_mean, _)) in enumerate(zip(names, one.functions, strict=True))
    ]


def _winner(leaf: str, one: Comparison, values: Sequence[str]) -> Element:
    made = constant(_NOWHERE)
    for k in (*range(len(values)), LARGEST):
        leaves = one.leaves(k)
        if leaves:
            on_path = apply("isIn", field(leaf), *(constant(float(one)) for one in leaves))
            chosen = first_largest(values) if k == LARGEST else constant(float(k))
            made = apply("if", on_path, chosen, made)
    return made


def _chosen(parts: Sequence[str], place: str) -> Element:
    """Return the part at a place, 0 if there is none."""
    made = constant(0.0)
    for k, part in enumerate(parts):
        made = apply("if", _equals(place, k), field(part), made)
    return made


def _equals(name: str, place: int) -> Element:
    return apply("equal", field(name), constant(float(place)))


def _part(fields: Fields, one: Comparison, function: int, feature: int) -> Element:
    """Return coefficient * (value - mean), summed over the levels of a feature."""
    return added(
        [
            apply("*", constant(term.coef), apply("-", fields.value(term), constant(term.fill)))
            for term in one.terms(function, feature)
        ]
    )

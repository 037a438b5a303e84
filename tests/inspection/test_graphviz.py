"""The DOT source: its grammar, escapes, edges and colors."""

import json
import re

import numpy as np
import pytest
from inspection.hand_built import AGE, BMI, GREEN, RED, classifier, leaf, machine, plane

from aslant import KDTClassifier, OC1Classifier, export_graphviz, plot_tree

_TOKEN = re.compile(
    r'\s*(?:(?P<text>"(?:[^"\\]|\\.)*")|(?P<word>[A-Za-z_]\w*|\d+)|(?P<sign>->|[{}\[\]=,;]))'
)


def tokens(source):
    """Split DOT source into tokens; fails on anything that DOT does not know."""
    found, position = [], 0
    while source[position:].strip():
        match = _TOKEN.match(source, position)
        assert match, f"not DOT: {source[position : position + 40]!r}"
        found.append(match[match.lastgroup])
        position = match.end()
    return found


def parse(source):
    """Return nodes {id: attributes} and edges {(id, id): attributes}."""
    stream = tokens(source)
    assert stream[:3] == ["digraph", "tree", "{"]
    assert stream.pop() == "}"
    nodes, edges, place = {}, {}, 3
    while place < len(stream):
        end = stream.index(";", place)
        statement = stream[place:end]
        opening = statement.index("[")
        assert statement[-1] == "]"
        pairs = statement[opening + 1 : -1]
        attributes = {pairs[i]: unescaped(pairs[i + 2]) for i in range(0, len(pairs), 4)}
        assert all(pairs[i + 1] == "=" for i in range(0, len(pairs), 4))
        if "->" in statement:
            edges[statement[0], statement[2]] = attributes
        else:
            nodes[statement[0]] = attributes
        place = end + 1
    return nodes, edges


def unescaped(token):
    if not token.startswith('"'):
        return token
    text = re.sub(r"\\(.)", lambda m: {"n": "\n"}.get(m[1], m[1]), token[1:-1])
    return text.replace("&amp;", "&")


def test_tests_answers_and_leaves():
    root = plane(
        {AGE: 0.8, BMI: -1.2},
        3.1,
        leaf(3, 1),
        machine([{RED: 1.0}, {GREEN: 1.0}], [0.0, 0.1], leaf(2, 0), leaf(0, 2)),
    )
    nodes, edges = parse(export_graphviz(classifier(root)))
    labels = {node: attributes["label"] for node, attributes in nodes.items() if node.isdigit()}
    assert labels == {
        "0": "1.2*bmi - 0.8*age >= -3.1",
        "1": "class: a\n3 of 4",
        "2": "color",
        "3": "class: a\n2 of 2",
        "4": "class: b\n2 of 2",
    }
    assert {edge: attributes["label"] for edge, attributes in edges.items()} == {
        ("0", "1"): "yes",
        ("0", "2"): "no",
        ("2", "3"): "= red",
        ("2", "4"): "= green, any other",
    }


def test_a_linear_machine_lists_the_formula_of_every_branch():
    root = machine([{AGE: 1.5}, {BMI: 2.0}], [0.0, -1.0], leaf(2, 0), leaf(0, 2))
    nodes, edges = parse(export_graphviz(classifier(root)))
    assert nodes["0"]["label"].split("\n") == [
        "branch of the largest value",
        "branch 0: 1.5*age",
        "branch 1: 2*bmi - 1",
    ]
    assert edges["0", "2"]["label"] == "branch 1"


@pytest.mark.parametrize(
    "name", ['say "x"', "back\\slash", "C:\\new", "R&D &lt;", "two\nlines", "\\N"]
)
def test_any_name_comes_through(name):
    clf = classifier(leaf(1, 0), classes=(name, "other"))
    nodes, _ = parse(export_graphviz(clf))
    shown = nodes["0"]["label"].split("\n")[0].removeprefix("class: ")
    assert (json.loads(shown) if shown.startswith('"') else shown) == name


def test_colors_tell_class_and_purity():
    root = plane({AGE: 1.0}, 0.0, plane({BMI: 1.0}, 0.0, leaf(9, 0), leaf(6, 5)), leaf(0, 4))
    nodes, _ = parse(export_graphviz(classifier(root)))
    pure, mixed, other = (nodes[node]["fillcolor"] for node in ("2", "3", "4"))
    assert len({pure, mixed, other}) == 3
    darkness = {code: sum(bytes.fromhex(code[1:])) for code in (pure, mixed)}
    assert darkness[pure] < darkness[mixed]


def test_depth_limit():
    root = plane({AGE: 1.0}, 0.0, plane({BMI: 1.0}, 0.0, leaf(9, 0), leaf(6, 5)), leaf(0, 4))
    nodes, edges = parse(export_graphviz(classifier(root), max_depth=1))
    assert nodes["1"]["label"] == "class: a\n15 of 20\n... 2 more leaves"
    assert set(edges) == {("0", "1"), ("0", "4")}


def test_ensembles_are_refused():
    forest = KDTClassifier(n_estimators=2, random_state=0).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match="export_graphviz shows one tree, and KDT"):
        export_graphviz(forest)


def test_rows_held_out_are_mentioned():
    X = np.arange(100.0)[:, None]
    clf = OC1Classifier(random_state=0).fit(X, np.arange(100) // 40)
    held_out = 100 - clf.tree_.n_node_samples[0]
    remark = f"{held_out} more rows were held out for pruning."
    assert f'label="{remark}"; labelloc=b;' in export_graphviz(clf)
    ax = plot_tree(clf)[0].axes
    assert remark in [text.get_text() for text in ax.texts]

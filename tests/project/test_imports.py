"""Who imports whom: layers without cycles, and a light `import aslant`."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import aslant

ROOT = Path(aslant.__file__).parent

# From the ground up: a module imports from its own line and from those above it.
LAYERS = [
    {"_core"},
    {"utils"},
    {"tree"},
    {"encoding"},
    {"search"},
    {"mml"},
    {"prune"},
    {"refine"},
    {"growth"},
    {"estimators"},
    {"published"},
    {"dask"},
    {"datasets"},
    {"inspection", "codegen"},
    {"model_file"},
    {"comparison"},
    {"cli"},
    {"__main__"},
]
# Inside a function: looking up the public classes by name, which only the package itself knows.
LOOKED_UP = {
    "aslant.model_file.file",
    "aslant.cli.commands",
    "aslant.codegen.skl2onnx_support",
    "aslant.inspection.report_page.content",
}
# Inside a function, too: an estimator shows itself in a notebook as the exports draw it.
UPWARDS = {
    ("aslant.estimators.base", "aslant.inspection.notebook"),
    ("aslant.inspection", "aslant.inspection.explanation"),
}


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = ("aslant", *path.relative_to(ROOT).with_suffix("").parts)
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


@cache
def imported_by(name: str, deferred: bool = True) -> set[str]:
    """Return the modules of the package that a module imports, deferred to a function or not."""
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef) and not deferred:
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.ImportFrom) and child.module:
                for alias in child.names:
                    inner = f"{child.module}.{alias.name}"
                    whole = inner in modules() or inner == "aslant._core"
                    found.add(inner if whole else child.module)
            elif isinstance(child, ast.Import):
                found.update(alias.name for alias in child.names)
            else:
                visit(child)

    visit(ast.parse(modules()[name].read_text(encoding="utf-8")))
    return {one for one in found if one.split(".")[0] == "aslant"}


def layer_of(name: str) -> int:
    """Return the layer of a module: that of the longest part of its name which is listed."""
    levels = {part: level for level, parts in enumerate(LAYERS) for part in parts}
    inside = name.removeprefix("aslant.")
    while inside not in levels:
        inside = inside.rpartition(".")[0]
    return levels[inside]


def test_every_module_imports_only_from_below() -> None:
    wrong = [
        f"{name} imports {other}"
        for name in modules()
        if name != "aslant"
        for other in imported_by(name)
        if other != "aslant" and layer_of(other) > layer_of(name) and (name, other) not in UPWARDS
    ]
    assert wrong == []


def test_no_module_imports_the_whole_package_that_the_package_imports() -> None:
    reached, pending = set(), ["aslant"]
    while pending:
        name = pending.pop()
        if name in reached or name not in modules():
            continue
        reached.add(name)
        pending.extend(imported_by(name, deferred=False))
    assert not [name for name in reached if "aslant" in imported_by(name, deferred=False)]
    users = {name for name in modules() if "aslant" in imported_by(name)}
    deferred = {name for name in users if "aslant" not in imported_by(name, deferred=False)}
    assert deferred == LOOKED_UP


def test_no_cycles() -> None:
    """Also within a layer, and counting that a module needs the package it is in."""
    done: set[str] = set()
    under_way: list[str] = []

    def visit(name: str) -> None:
        assert name not in under_way, " -> ".join([*under_way[under_way.index(name) :], name])
        if name in done or name not in modules() or name == "aslant":
            return
        under_way.append(name)
        for other in sorted(imported_by(name)):
            own_package = name.startswith(f"{other}.")  # whose names come from it
            if not own_package and (name, other) not in UPWARDS:
                visit(other)
        under_way.pop()
        done.add(name)

    for name in modules():
        visit(name)


def test_importing_the_package_is_light() -> None:
    """What only some programs need is imported with the name that needs it."""
    code = "import sys, aslant; aslant.CARTClassifier; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "aslant.estimators.published" in loaded
    heavy = {"rich", "typer", "click", "matplotlib", "polars", "dask"}
    heavy |= {f"aslant.{part}" for part in ("comparison", "datasets", "inspection", "codegen")}
    assert not loaded & heavy
    assert callable(aslant.compare)


def test_a_public_class_has_its_name_to_itself() -> None:
    places: dict[str, list[str]] = {}
    for module, path in modules().items():
        for line in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(line, ast.ClassDef) and not line.name.startswith("_"):
                places.setdefault(line.name, []).append(module)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}

"""The papers' experiments, described as data and run by one runner.

Each paper has a module that says which data sets, methods, divisions of the rows and measures its
tables have; `runner` computes the cells and keeps them in a journal, `report` puts the published
figures beside ours, `counting` counts what agrees, `claims` says what the papers conclude and
whether our runs do. ``aslant reproduce`` is the command for all of it.
"""

from __future__ import annotations

from importlib import import_module

from aslant.utils.checks import check_choice
from aslant_papers.protocol import Paper

PAPERS = ("murthy1994", "brodley1995", "hinton1996", "tan2004", "wickramarachchi2016")


def find_paper(name: str) -> Paper:
    """Return the experiments of a paper.

    Raises
    ------
    ValueError
        If there is no such paper; the message names the nearest one there is.
    """
    key = name.strip().lower()
    check_choice("the paper", key, PAPERS)
    paper: Paper = import_module(f"aslant_papers.{key}").PAPER
    return paper


__all__ = ["PAPERS", "find_paper"]

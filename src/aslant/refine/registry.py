"""Refinements by the names that ``refine=`` takes."""

from __future__ import annotations

from aslant.refine.joint import JointFit

REFINEMENTS: dict[str, type[JointFit]] = {"joint": JointFit}

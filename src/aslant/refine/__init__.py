"""Steps after growing that fit a whole tree.

Adding one takes a file and a line in `REFINEMENTS`.
"""

from aslant.refine.gates import SoftGates
from aslant.refine.joint import JointFit

#: Refinements by the name that ``refine=`` of the estimators takes.
REFINEMENTS: dict[str, type[JointFit]] = {"joint": JointFit}

__all__ = ["REFINEMENTS", "JointFit", "SoftGates"]

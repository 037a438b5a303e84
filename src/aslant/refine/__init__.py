"""Steps after growing that fit a whole tree.

Adding one takes a file and a line in `aslant.refine.registry`.
"""

from aslant.refine.gates import SoftGates
from aslant.refine.joint import JointFit

__all__ = ["JointFit", "SoftGates"]

"""The published systems, one class each, with the defaults of its paper where they are good.

``as_published()`` of a class returns it with exactly what the paper's own program did.
"""

from aslant.estimators.published import *  # noqa: F403
from aslant.estimators.published import __all__ as __all__

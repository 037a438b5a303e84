"""aslant: oblique decision trees.

Trees whose nodes test a linear combination of features, ``0.8*age - 1.2*bmi <= 3.1``: every
classical system, faithful to its paper, as scikit-learn estimators.
"""

import lazy_loader

__version__ = "0.2.0"

# The public names are listed in __init__.pyi.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Save and load: a fitted estimator as one plain file of values, without code."""

from aslant.model_file.file import ModelFileError, load, save

__all__ = ["ModelFileError", "load", "save"]

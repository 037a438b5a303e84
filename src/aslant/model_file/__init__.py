"""Save and load: a fitted estimator as one plain file, which holds values only and runs nothing."""

from aslant.model_file.file import ModelFileError, load, save

__all__ = ["ModelFileError", "load", "save"]

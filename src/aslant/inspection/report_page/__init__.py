"""The page for a model: one file with the tree, what-if, quality and how the model was made."""

from aslant.inspection.report_page.page import View, report, view

__all__ = ["View", "report", "view"]

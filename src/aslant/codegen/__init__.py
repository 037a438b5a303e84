"""Models that leave Python: code in several languages, rules, ONNX, PMML and treelite."""

from aslant.codegen.code import LANGUAGES, export_code
from aslant.codegen.onnx_graph import export_onnx
from aslant.codegen.pmml_document import export_pmml
from aslant.codegen.skl2onnx_support import register_onnx
from aslant.codegen.treelite_model import export_treelite

__all__ = [
    "LANGUAGES",
    "export_code",
    "export_onnx",
    "export_pmml",
    "export_treelite",
    "register_onnx",
]

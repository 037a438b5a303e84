"""Models that leave Python: code in several languages, rules, ONNX and PMML."""

from aslant.codegen.code import LANGUAGES, export_code
from aslant.codegen.onnx_graph import export_onnx
from aslant.codegen.pmml_document import export_pmml
from aslant.codegen.skl2onnx_support import register_onnx

__all__ = ["LANGUAGES", "export_code", "export_onnx", "export_pmml", "register_onnx"]

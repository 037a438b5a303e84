"""Models that leave Python: code in several languages, rules, and ONNX."""

from aslant.ship.code import LANGUAGES, export_code
from aslant.ship.onnx_graph import export_onnx
from aslant.ship.skl2onnx_support import register_onnx

__all__ = ["LANGUAGES", "export_code", "export_onnx", "register_onnx"]

"""What Wickramarachchi and others conclude: see `aslant.experiments.wickramarachchi2016`."""

from __future__ import annotations

from aslant.experiments.claims import Claim
from aslant.experiments.claims.readers import compared

_OTHERS = ("HHCART(D)", "OC1", "OC1-AP", "OC1-LC")

CLAIMS = (
    Claim(
        "HHCART(A) is the most accurate on BS, BH, WINE and SUR",
        "4.1.1",
        compared(2, "accuracy", "HHCART(A)", _OTHERS, ("BS", "BH", "WINE", "SUR")),
        (2,),
    ),
)

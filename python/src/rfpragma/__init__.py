"""Decisions on rare and costly classes.

A random forest that keeps every row's raw votes, an exact search for the weights of the classes that make the votes as
true to your preference as they allow, and calibrated probabilities.

`RFPragmaClassifier` is the forest as a scikit-learn estimator, `PragmaThreshold` and `Calibrated` do the same for the
probabilities of any other classifier, and `cross_validate` says what to expect on new rows. The work is done by the
command rfpragma, which comes with this package and is asked through a pipe.
"""

from ._errors import (
    RFPragmaBinaryError,
    RFPragmaError,
    RFPragmaMemoryError,
    RFPragmaValueError,
    RFPragmaWarning,
    RFPragmaWorkerError,
)
from ._estimator import RFPragmaClassifier
from ._findings import Finding
from ._judge import CrossValidation, Evaluation, cross_validate, evaluate, report_html
from ._wrappers import Calibrated, PragmaThreshold

__version__ = "0.1.0"

__all__ = [
    "Calibrated",
    "CrossValidation",
    "Evaluation",
    "Finding",
    "PragmaThreshold",
    "RFPragmaBinaryError",
    "RFPragmaClassifier",
    "RFPragmaError",
    "RFPragmaMemoryError",
    "RFPragmaValueError",
    "RFPragmaWarning",
    "RFPragmaWorkerError",
    "cross_validate",
    "evaluate",
    "report_html",
]

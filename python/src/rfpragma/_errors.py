"""What goes wrong, as exceptions whose messages speak of parameters of this package."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any


class RFPragmaError(Exception):
    """Any error of this package.

    Attributes
    ----------
    code : str
        Which kind of error it is: data, option, floors, limit, memory, model_file, worker, binary, protocol or internal.
    remedy : str
        How to mend it; empty if the message does not say.
    column : str
        Name of the column at fault; empty if there is none.
    row : int or None
        Index of the row at fault, from 0.
    """

    code = "internal"

    def __init__(self, message: str, code: str | None = None, column: str = "", row: int | None = None) -> None:
        super().__init__(message)
        self.code = code or type(self).code
        self.column = column
        self.row = row
        _, _, self.remedy = message.rpartition("; ") if "; " in message else ("", "", "")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.code, self.column, self.row)


class RFPragmaValueError(RFPragmaError, ValueError):
    """Something is wrong with the rows or a parameter."""

    code = "option"


class RFPragmaMemoryError(RFPragmaError, MemoryError):
    """The work would take more memory than there is."""

    code = "memory"


class RFPragmaWorkerError(RFPragmaError, RuntimeError):
    """The process that does the work has ended, or does not answer."""

    code = "worker"


class RFPragmaBinaryError(RFPragmaError, RuntimeError):
    """The command that does the work is missing, or is another program."""

    code = "binary"


class RFPragmaWarning(UserWarning):
    """What one should know although the work went on.

    Attributes
    ----------
    code : str
        drift, misfit, order, ignored, useless, unproven, edge or other.
    """

    def __init__(self, message: str, code: str = "other") -> None:
        super().__init__(message)
        self.code = code


_lists = {"ignore": "ignore", "categorical": "categorical", "missing": "missing", "number": "number",
          "require": "require"}
_names = {
    "amount": "amount",
    "calibrate": "calibrate",
    "choice": "choice",
    "cost": "cost",
    "costs": "cost",
    "criterion": "criterion",
    "decide": "decide",
    "fold-of": "fold_of",
    "folds": "folds",
    "group": "group",
    "id": "id",
    "max-depth": "max_depth",
    "max-leaves": "max_leaf_nodes",
    "measure": "measure",
    "min-leaf": "min_samples_leaf",
    "mtry": "max_features",
    "prefer": "prefer",
    "repeats": "repeats",
    "sure": "sure",
    "target": "y",
    "threads": "n_jobs",
    "time": "time",
    "trees": "n_estimators",
    "tune-forest": "tune_forest",
    "weight": "sample_weight",
}
_words = {
    "cv": "cross_validate with",
    "drop-unlabelled": "rows without a label dropped",
    "own votes": 'options={"sure_share": 0}',
    "withhold": "decisions withheld",
}
_placeholder = re.compile(r'\{([a-z][a-z -]*)(?:=("(?:[^"\\]|\\.)*"))?\}')


def in_python(text: str) -> str:
    """Return a message in which options in braces are named as parameters of this package.

    Examples
    --------
    >>> in_python('leave it out with {ignore="id"}, or say {trees}')
    'leave it out with ignore=["id"], or say n_estimators'
    """

    def named(match: re.Match[str]) -> str:
        name, value = match.group(1), match.group(2)
        shown = json.dumps(json.loads(value), ensure_ascii=False) if value else ""
        if name in _words:
            return _words[name]
        if name in _lists:
            return f"{_lists[name]}=[{shown}]" if value else _lists[name]
        if name in _names:
            return f"{_names[name]}={shown}" if value else _names[name]
        key = name.replace("-", "_")
        return f'options={{"{key}": {shown or "..."}}}'

    return _placeholder.sub(named, text)


def fault(error: dict[str, Any]) -> RFPragmaError:
    """Return what the other side calls an error as an exception."""
    code, text = error["code"], in_python(error["message"])
    row = error["row"] - 1 if error.get("row") else None
    kinds: dict[str, type[RFPragmaError]] = {
        "memory": RFPragmaMemoryError,
        "cancelled": RFPragmaWorkerError,
        "protocol": RFPragmaWorkerError,
        "internal": RFPragmaWorkerError,
    }
    if code == "internal":
        text += "\nPlease report it with these lines:\n" + error.get("stack", "")
    return kinds.get(code, RFPragmaValueError)(text, code, error.get("column", ""), row)


def warn(all: list[dict[str, Any]] | None, stacklevel: int = 3) -> None:
    """Warn of what the other side warns of."""
    for w in all or []:
        warnings.warn(RFPragmaWarning(in_python(w["text"]), w["code"]), stacklevel=stacklevel + 1)

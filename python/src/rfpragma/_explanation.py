"""What a model says of rows, in parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._table import columns_of


@dataclass
class Explanation:
    """What a model says of rows, in parts of its columns: as shap.Explanation, which stands in its place if it is there.

    Parameters
    ----------
    values : array of shape (m, p) or (m, p, k)
        What each cell adds.
    base_values : array of shape (m,) or (m, k)
        What is said of the background rows.
    data : array of shape (m, p)
        The cells.
    feature_names : list of str
        The columns.
    """

    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    data: NDArray[Any]
    feature_names: list[str]


def explanation(**fields: Any) -> Any:
    """Return an Explanation, of the package shap if that is installed."""
    try:
        from shap import Explanation as Shap
    except ImportError:
        return Explanation(**fields)
    return Shap(**fields)


def cells_of(X: Any, columns: list[str]) -> NDArray[Any]:
    """Return the cells of these columns; those of an array are called x0, x1 and so on."""
    names = columns_of(X)
    if names is None:
        return np.asarray(X)[:, [int(c[1:]) for c in columns]]
    at = {name: c for name, c in zip(names, X.columns, strict=True)}
    return np.stack([np.asarray(X[at[c]], dtype=object) for c in columns], axis=1)

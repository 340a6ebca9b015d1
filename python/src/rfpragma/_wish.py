"""What is wanted of decisions, as the other side takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from ._errors import RFPragmaValueError

Prefer = Union[str, Mapping[Any, Mapping[str, float]], None]
Cost = Union[Mapping[Any, Union[float, str]], ArrayLike, None]


def wanted(
    classes: Sequence[str],
    prefer: Prefer = None,
    cost: Cost = None,
    require: str | Sequence[str] | None = None,
    measure: str | None = None,
    accept_best: bool = False,
    choice: str = "careful",
) -> dict[str, Any]:
    """Return options that say what is wanted."""
    options: dict[str, Any] = {"accept_best": bool(accept_best), "choice": choice}
    if isinstance(prefer, Mapping):
        prefer = {str(c): dict(p) for c, p in prefer.items()}
    if prefer is not None:
        options["prefer"] = prefer if isinstance(prefer, dict) else str(prefer)
    if isinstance(cost, Mapping):
        options["cost"] = {str(c): v if isinstance(v, str) else float(v) for c, v in cost.items()}
    elif cost is not None:
        matrix = np.asarray(cost, dtype=float)
        if matrix.shape != (len(classes), len(classes)):
            raise RFPragmaValueError(
                f"cost has the shape {matrix.shape}; give a line for each true class and a column for each decision, "
                f"({len(classes)}, {len(classes)})"
            )
        options["costs"] = {"classes": list(classes), "matrix": matrix.tolist()}
    if require is not None:
        options["require"] = [require] if isinstance(require, str) else [str(r) for r in require]
    if measure is not None:
        options["measure"] = measure
    return options


def seed(random_state: Any) -> int:
    """Return the seed that a random state stands for: an int stands for itself."""
    if isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool):
        if random_state < 0:
            raise RFPragmaValueError(f"random_state is {random_state}; give a number from 0")
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def threads(n_jobs: int | None) -> int:
    """Return the number of threads that n_jobs stands for."""
    return int(effective_n_jobs(n_jobs))


def decide(scores: NDArray[np.float64], weights: NDArray[np.float64], order: Sequence[int]) -> NDArray[np.intp]:
    """Return the class with the largest weighted score in each row, of equals the first in the order.

    Parameters
    ----------
    scores : array of shape (n, k)
        Votes or probabilities.
    weights : array of shape (k,)
        By class.
    order : sequence of int
        The classes as they win ties.
    """
    ordered = np.asarray(order)
    return np.asarray(ordered[np.argmax((scores * weights)[:, ordered], axis=1)])


def margins(scores: NDArray[np.float64], decided: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return scores whose largest is that of the decided class: for two classes the second less the first.

    Ties are parted by the least that a number can.
    """
    total = scores.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.divide(scores, total, out=np.zeros_like(scores), where=total > 0)
    if scores.shape[1] == 2:
        margin: NDArray[np.float64] = shares[:, 1] - shares[:, 0]
        tiny = np.finfo(float).tiny
        margin[(decided == 1) & (margin <= 0)] = tiny
        margin[(decided == 0) & (margin > 0)] = -tiny
        return margin
    rows = np.arange(len(shares))
    highest = shares.max(axis=1)
    tied = np.argmax(shares, axis=1) != decided
    shares[rows[tied], decided[tied]] = np.nextafter(highest[tied], np.inf)
    return shares

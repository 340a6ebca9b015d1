"""Tables as columns of bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import RFPragmaValueError

_types = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "i2": "int16", "i1": "int8", "u8": "uint64",
          "u4": "uint32", "u2": "uint16", "u1": "uint8", "b1": "bool"}  # fmt: skip


class Table:
    """Columns of equal length, and the buffers with their cells.

    Parameters
    ----------
    name : str
        What the rows are called in messages.
    rows : int
        How many there are.
    """

    def __init__(self, name: str, rows: int) -> None:
        self.name = name
        self.rows = rows
        self.columns: list[dict[str, Any]] = []
        self.buffers: list[NDArray[Any]] = []

    def header(self, behind: int = 0) -> dict[str, Any]:
        """Return the table as a request has it, whose buffers stand behind so many others."""
        columns = [c | {"buffer": c["buffer"] + behind} for c in self.columns]
        return {"name": self.name, "rows": self.rows, "columns": columns}

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return [c["name"] for c in self.columns]

    def unused(self, name: str) -> str:
        """Return the name, with underscores if a column is called so."""
        while name in self.names():
            name += "_"
        return name

    def number(self, name: str, values: NDArray[Any]) -> None:
        """Add a column of numbers or truth values."""
        if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
            values = values.astype(np.float32 if values.dtype.itemsize == 2 else np.float64)
        if not values.dtype.isnative:
            values = values.astype(values.dtype.newbyteorder("="))
        kind = _types[f"{values.dtype.kind}{values.dtype.itemsize}"]
        self._add({"name": name, "type": kind}, np.ascontiguousarray(values))

    def category(self, name: str, codes: NDArray[Any], levels: list[str]) -> None:
        """Add a column of categories: indices of levels, -1 for a missing cell."""
        self._add({"name": name, "type": "category", "levels": levels}, np.ascontiguousarray(codes, dtype=np.int32))

    def _add(self, column: dict[str, Any], cells: NDArray[Any]) -> None:
        column["buffer"] = len(self.buffers)
        self.columns.append(column)
        self.buffers.append(cells)

    def objects(self, name: str, values: NDArray[Any]) -> None:
        """Add a column of Python objects: numbers if all are, else categories."""
        missing = np.array([_is_missing(v) for v in values], dtype=bool)
        present = values[~missing]
        if all(isinstance(v, (bool, np.bool_)) for v in present) and len(present):
            texts = np.array([str(bool(v)).lower() for v in present], dtype=object)
        elif all(isinstance(v, (int, float, np.number)) and not isinstance(v, complex) for v in present):
            cells = np.full(len(values), np.nan)
            cells[~missing] = present.astype(np.float64)
            self.number(name, cells)
            return
        else:
            for v in present:
                if not isinstance(v, (str, bytes, int, float, np.number, np.bool_)):
                    raise TypeError(
                        f"column {name!r}: the argument must be a string or a number, not {type(v).__name__!r} "
                        f"({_short(v)})"
                    )
            texts = np.array([v.decode() if isinstance(v, bytes) else str(v) for v in present], dtype=object)
        levels, inverse = np.unique(texts.astype(str), return_inverse=True)
        codes = np.full(len(values), -1, dtype=np.int32)
        codes[~missing] = inverse
        self.category(name, codes, [str(v) for v in levels])


def _short(v: object) -> str:
    text = repr(v)
    return text if len(text) <= 60 else text[:57] + "..."


def _is_missing(v: object) -> bool:
    if v is None:
        return True
    try:
        return bool(v != v)
    except TypeError:  # pandas.NA
        return True
    except ValueError:  # an array
        return False


def is_pandas(X: object) -> bool:
    """Tell whether X is a DataFrame of pandas."""
    return hasattr(X, "iloc") and hasattr(X, "dtypes") and hasattr(X, "columns")


def is_polars(X: object) -> bool:
    """Tell whether X is a DataFrame of polars."""
    return type(X).__module__.partition(".")[0] == "polars" and hasattr(X, "get_columns")


def columns_of(X: Any) -> list[str] | None:
    """Return the names of the columns of a DataFrame; None of anything else."""
    if is_pandas(X) or is_polars(X):
        return [str(c) for c in X.columns]
    return None


def encode(X: Any, name: str = "X", dates: tuple[str, ...] = (), leave_out: tuple[str, ...] = ()) -> Table:
    """Return a table of the cells of X.

    Parameters
    ----------
    X : array of shape (n, p) or DataFrame
        Rows. Columns of an array are named x0, x1, and so on.
    name : str
        What the rows are called in messages.
    dates : tuple of str
        Columns that may hold dates.
    leave_out : tuple of str
        Columns that are not sent.
    """
    if is_pandas(X):
        table = Table(name, len(X))
        for at, column in enumerate(X.columns):
            if str(column) not in leave_out:
                _pandas(table, str(column), X.iloc[:, at], dates)
        return table
    if is_polars(X):
        table = Table(name, X.height)
        for series in X.get_columns():
            if series.name not in leave_out:
                _polars(table, series.name, series, dates)
        return table
    table = Table(name, X.shape[0])
    if X.dtype == object:
        for j in range(X.shape[1]):
            table.objects(f"x{j}", X[:, j])
        return table
    if X.dtype.kind in "US":
        for j in range(X.shape[1]):
            table.objects(f"x{j}", X[:, j].astype(object))
        return table
    if X.dtype.kind == "b":
        X = X.view(np.uint8)
    by_column = np.asfortranarray(X)
    for j in range(X.shape[1]):
        table.number(f"x{j}", by_column[:, j])
    return table


def _no_dates(column: str, dates: tuple[str, ...]) -> None:
    if column not in dates:
        raise RFPragmaValueError(
            f'column "{column}" holds dates or times, which are neither numbers nor categories; make numbers of what '
            f'matters of them, or use time="{column}" or ignore=["{column}"]',
            "data",
            column,
        )


def _pandas(table: Table, name: str, series: Any, dates: tuple[str, ...]) -> None:
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        levels = list(dtype.categories)
        if all(isinstance(v, (bool, np.bool_)) for v in levels):
            levels = [str(bool(v)).lower() for v in levels]
        table.category(name, series.cat.codes.to_numpy(), [str(v) for v in levels])
    elif dtype.kind == "M" or str(dtype).startswith("period"):
        _no_dates(name, dates)
        table.objects(name, series.astype(str).where(series.notna(), None).to_numpy(dtype=object))
    elif dtype.kind in "mc":
        raise RFPragmaValueError(
            f'column "{name}" holds {dtype}, which is neither a number nor a category; make numbers of what matters of '
            f'it, or use ignore=["{name}"]',
            "data",
            name,
        )
    elif isinstance(dtype, np.dtype) and dtype.kind in "fiub":
        table.number(name, series.to_numpy())
    elif dtype.kind in "fiu":  # with cells that may be missing
        table.number(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    else:
        table.objects(name, series.to_numpy(dtype=object))


def _polars(table: Table, name: str, series: Any, dates: tuple[str, ...]) -> None:
    dtype = series.dtype
    if dtype.is_numeric():
        if series.null_count():
            series = series.cast(_float64()).fill_null(float("nan"))
        table.number(name, series.to_numpy())
    elif dtype.is_temporal():
        _no_dates(name, dates)
        table.objects(name, np.array([None if v is None else str(v) for v in series.to_list()], dtype=object))
    elif dtype.is_nested():
        raise RFPragmaValueError(
            f'column "{name}" holds {dtype}, which is neither a number nor a category; use ignore=["{name}"]', "data", name
        )
    else:
        cells = np.empty(len(series), dtype=object)
        cells[:] = series.to_list()
        table.objects(name, cells)


def _float64() -> Any:
    import polars

    return polars.Float64


def encode_labels(classes: NDArray[Any]) -> list[str]:
    """Return the classes as texts, which tell them apart."""
    texts = [v.decode() if isinstance(v, bytes) else str(v) for v in classes.tolist()]
    seen: dict[str, Any] = {}
    for v, text in zip(classes.tolist(), texts):
        bare = text.strip()
        if not bare:
            raise RFPragmaValueError(f"the label {v!r} is empty; give the class a name", "data")
        if bare in seen:
            raise RFPragmaValueError(
                f"the labels {seen[bare]!r} and {v!r} are the same but for blanks around them; rename one", "data"
            )
        seen[bare] = v
    return [t.strip() for t in texts]

"""What to expect on new rows."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from . import _pipe
from ._errors import RFPragmaError, warn
from ._estimator import RFPragmaClassifier
from ._findings import Finding, findings
from ._table import encode


class Evaluation:
    """How well a model decides rows that it has not seen.

    Attributes
    ----------
    report : dict
        All figures, by the names that docs/json.md of the repository explains.
    findings : list of Finding
        What they say, the gravest first.
    classes : list of str
        The classes.
    measure : str
        What the decisions are judged by.
    """

    title = "On these rows"

    def __init__(self, result: dict[str, Any], page: str) -> None:
        self.report: dict[str, Any] = result["report"]
        self.findings: list[Finding] = findings(result["findings"])
        self.classes: list[str] = result["classes"]
        self.measure: str = result["measure"]
        self._page = page

    def figures(self) -> dict[str, dict[str, Any]]:
        """Return recall and precision of each class, with their intervals at 95 %, and what the plain vote would have.

        Returns
        -------
        dict
            By class: recall, recall_interval, precision, precision_interval, plain_recall, plain_precision and support,
            the number of rows. What cannot be computed is None.
        """
        tuned, plain = self.report["rules"]["tuned"]["classes"], self.report["rules"]["plain"]["classes"]
        return {
            c: {
                **{f: tuned[c][f] for f in ("recall", "recall_interval", "precision", "precision_interval", "support")},
                "plain_recall": plain[c]["recall"],
                "plain_precision": plain[c]["precision"],
            }
            for c in self.classes
        }

    @property
    def loss(self) -> float:
        """What the decisions lose, by the measure: 0 is best."""
        return self._loss("tuned")

    @property
    def plain_loss(self) -> float:
        """What the plain vote of the majority loses."""
        return self._loss("plain")

    def _loss(self, rule: str) -> float:
        r = self.report["rules"][rule]
        return float(r["pragma"] if r.get("loss") is None else r["loss"])

    def report_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the page with all charts, and write it to a file if one is named.

        Parameters
        ----------
        path : path, default=None
            File to write. The page needs no other file and loads nothing.

        Returns
        -------
        str
            The page.
        """
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(self._page)
        return self._page

    def __repr__(self) -> str:
        lines = [f"{self.title}: loss by {self.measure} {self.loss:.4g}, plain vote {self.plain_loss:.4g}"]
        for c, f in self.figures().items():
            lines.append(
                f"  {c}: found {_percent(f['recall'], f['recall_interval'])}, "
                f"right {_percent(f['precision'], f['precision_interval'])}"
            )
        return "\n".join(lines + [f"  {f}" for f in self.findings if f.grade != "note"])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(c)}</th><td>{_percent(f['recall'], f['recall_interval'])}</td>"
            f"<td>{_percent(f['plain_recall'])}</td><td>{_percent(f['precision'], f['precision_interval'])}</td>"
            f"<td>{_percent(f['plain_precision'])}</td><td>{f['support']:.6g}</td></tr>"
            for c, f in self.figures().items()
        )
        said = "".join(
            f"<li><b>{f.grade}</b> {html.escape(f.text)}"
            + (f" <code>{html.escape(' or '.join(f.remedies))}</code>" if f.remedies else "")
            + "</li>"
            for f in self.findings
        )
        return (
            f"<div><b>{html.escape(self.title)}</b>: loss by {html.escape(self.measure)} {self.loss:.4g}, plain vote "
            f"{self.plain_loss:.4g}<table><thead><tr><th>class</th><th>found (recall)</th><th>plain vote</th>"
            f"<th>alarms that are right (precision)</th><th>plain vote</th><th>rows</th></tr></thead><tbody>{rows}</tbody>"
            f"</table><ul>{said}</ul><details><summary>The page with all charts</summary><iframe style='width:100%;"
            f"height:40em;border:0' sandbox='allow-scripts' srcdoc=\"{html.escape(self._page)}\"></iframe></details></div>"
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw recall and precision of each class with their intervals. It needs matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a figure.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        try:
            from matplotlib import pyplot
        except ImportError as e:
            raise RFPragmaError("plot needs matplotlib; install it, or use report_html, which needs nothing", "option") from e
        ax = ax or pyplot.subplots()[1]
        for at, what in enumerate(("recall", "precision")):
            for i, f in enumerate(self.figures().values()):
                if f[what] is not None:
                    low, high = f[what + "_interval"] or (f[what], f[what])
                    errors = [[max(0.0, f[what] - low)], [max(0.0, high - f[what])]]
                    place = i + 0.2 * at - 0.1
                    ax.errorbar(place, f[what], yerr=errors, fmt="os"[at], color=f"C{at}", label=None if i else what)
                    ax.plot(place, f["plain_" + what] or 0, "x", color="gray", label=None if i + at else "plain vote")
        ax.set_xticks(range(len(self.classes)), self.classes)
        ax.set_ylim(-0.02, 1.02)
        ax.legend()
        return ax


def _percent(v: float | None, interval: Sequence[float] | None = None) -> str:
    if v is None:
        return "–"
    text = f"{100 * v:.3g} %"
    return text + (f" ({100 * interval[0]:.3g}–{100 * interval[1]:.3g})" if interval else "")


class CrossValidation(Evaluation):
    """What to expect on new rows of a model that is fitted so."""

    title = "Expect on new rows"


def cross_validate(
    estimator: RFPragmaClassifier,
    X: Any,
    y: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    folds: int | None = None,
    repeats: int = 1,
    fold_of: ArrayLike | None = None,
    title: str = "",
) -> CrossValidation:
    """Say by nested cross-validation what to expect on new rows.

    Everything is fitted anew on each training part, trees, weights and maps, and the test part only judges. Rows of one
    group stay together, and rows with a time are judged by those before them, if the estimator names such columns.

    Parameters
    ----------
    estimator : RFPragmaClassifier
        What to fit. It is not changed.
    X : array of shape (n, p) or DataFrame
        Rows.
    y : array of shape (n,)
        Their classes.
    sample_weight : array of shape (n,), default=None
        Their weights.
    folds : int, default=None
        Number of folds, or with a time of blocks; None is 10.
    repeats : int, default=1
        How often to do it all, with other folds.
    fold_of : array of shape (n,), default=None
        The fold of each row, from 0, instead of drawing them.
    title : str, default=""
        Title of the page.

    Returns
    -------
    CrossValidation
        The figures, what they say, and a page with charts.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rfpragma import RFPragmaClassifier, cross_validate
    >>> X, y = make_classification(600, weights=[0.9], class_sep=2, random_state=1)
    >>> forest = RFPragmaClassifier(prefer="1:theta=10,x=0.2,y=0.6", n_estimators=50, random_state=1)
    >>> expected = cross_validate(forest, X, y, folds=5)
    >>> 0 < expected.loss <= 1
    True
    >>> sorted(expected.figures())
    ['0', '1']
    """
    estimator = clone(estimator)
    table, _ = estimator._training(X, y, sample_weight)
    judge: dict[str, Any] = {"repeats": int(repeats)}
    if folds is not None:
        judge["folds"] = int(folds)
    if fold_of is not None:
        judge["fold_of"] = np.asarray(fold_of).astype(int).tolist()
    answer = _pipe.ask(
        "cross_validate",
        table.buffers,
        table=table.header(),
        options=estimator._options(table),
        judge=judge,
        want=["html"],
        title=title,
    )
    warn(answer.warnings)
    return CrossValidation(answer.result, bytes(answer.buffer("html")).decode())


def evaluate(
    estimator: RFPragmaClassifier, X: Any, y: ArrayLike, *, sample_weight: ArrayLike | None = None, title: str = ""
) -> Evaluation:
    """Judge a fitted model on labelled rows that it has not seen.

    Parameters
    ----------
    estimator : RFPragmaClassifier
        A fitted model.
    X : array of shape (n, p) or DataFrame
        Rows. Those of the training are refused.
    y : array of shape (n,)
        Their classes.
    sample_weight : array of shape (n,), default=None
        Their weights.
    title : str, default=""
        Title of the page.

    Returns
    -------
    Evaluation
        The figures, what they say, also of drift since the training, and a page with charts.
    """
    X = estimator._checked(X, reset=False)
    table = encode(X, leave_out=tuple(estimator._roles() - {estimator.group}))
    target, weight = estimator._label(table, y), None
    if sample_weight is not None:
        weight = table.unused("weight")
        table.number(weight, np.asarray(sample_weight, dtype=np.float64))
    options: dict[str, Any] = {"target": target}
    if weight:
        options["weight"] = weight
    answer = estimator._ask("evaluate", table.buffers, table=table.header(), options=options, want=["html"], title=title)
    warn(answer.warnings)
    return Evaluation(answer.result, bytes(answer.buffer("html")).decode())


def report_html(
    estimator: RFPragmaClassifier,
    X: Any,
    y: ArrayLike,
    path: str | os.PathLike[str] | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    title: str = "",
) -> str:
    """Return the page of what a fitted model decides on labelled rows that it has not seen.

    Parameters
    ----------
    estimator : RFPragmaClassifier
        A fitted model.
    X : array of shape (n, p) or DataFrame
        Rows.
    y : array of shape (n,)
        Their classes.
    path : path, default=None
        File to write.
    sample_weight : array of shape (n,), default=None
        Their weights.
    title : str, default=""
        Title of the page.

    Returns
    -------
    str
        The page: one file that needs no other and loads nothing.
    """
    return evaluate(estimator, X, y, sample_weight=sample_weight, title=title).report_html(path)

"""What to expect on new rows."""

from __future__ import annotations

import html
import json
import subprocess

import numpy as np
import pytest
from sklearn.base import clone

import rfpragma
from rfpragma import _binary, _findings, cross_validate, evaluate, report_html


def test_same_figures_as_the_command(payments, forest, tmp_path):
    X, y = payments
    data = X.assign(**{"new_card": X["new_card"].map({True: "true", False: "false"}), "class": y})
    data.to_csv(tmp_path / "data.csv", index=False)
    told = subprocess.run(
        [_binary.find(), "cv", str(tmp_path / "data.csv"), "--prefer", "fraud", "--trees", "40", "--seed", "3", "--folds",
         "4", "--format", "json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    want = json.loads(told.stdout)
    got = cross_validate(forest, X, y, folds=4)
    assert got.report["rules"] == want["rules"]
    assert [f.code for f in got.findings] == [f["code"] for f in want["findings"]]
    assert got.loss == want["rules"]["tuned"]["loss"]
    assert got.figures()["fraud"]["recall"] == want["rules"]["tuned"]["classes"]["fraud"]["recall"]


def test_shown(payments, forest, tmp_path):
    X, y = payments
    found = cross_validate(forest, X, y, folds=3, title="Payments <&>")
    assert not hasattr(forest, "model_")
    assert "fraud: found" in repr(found)
    shown = found._repr_html_()
    assert "<table>" in shown and "found (recall)" in shown and html.escape(found.report_html()) in shown
    page = found.report_html(tmp_path / "cv.html")
    assert (tmp_path / "cv.html").read_text() == page and "Payments &lt;&amp;&gt;" in page
    assert all(f.grade in ("note", "caution", "serious") and "--" not in str(f) for f in found.findings)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert found.plot().get_ylim() == (-0.02, 1.02)


def test_folds(payments, forest):
    X, y = payments
    fold_of = np.arange(900) % 3
    assert len(cross_validate(forest, X, y, fold_of=fold_of).report["weights_by_fold"]) == 3
    with pytest.raises(rfpragma.RFPragmaValueError, match="folds is 1"):
        cross_validate(forest, X, y, folds=1)
    pandas = pytest.importorskip("pandas")
    later = X.assign(when=pandas.date_range("2024-01-01", periods=900, freq="D"))
    found = cross_validate(clone(forest).set_params(time="when"), later, y, folds=3)
    assert len(found.report["blocks"]) >= 2
    weighed = cross_validate(forest, X, y, folds=3, sample_weight=np.full(900, 2.0))
    assert weighed.figures()["ok"]["support"] == 2 * (y == "ok").sum()


def test_evaluate(payments, forest):
    X, y = payments
    forest.fit(X[:600], y[:600])
    found = evaluate(forest, X[600:], y[600:])
    decided, truth = forest.predict(X[600:]), y[600:].to_numpy()
    assert found.figures()["fraud"]["recall"] == pytest.approx((decided[truth == "fraud"] == "fraud").mean())
    assert report_html(forest, X[600:], y[600:]).startswith("<!doctype html>")
    with pytest.raises(rfpragma.RFPragmaValueError, match="trained on"):
        evaluate(forest, X[:600], y[:600])


def test_remedies_are_parameters():
    """What may be done is told in the terms of this package."""
    finding = {"code": "guarantee.missing", "grade": "serious", "text": "too few", "remedies": [{"do": "own_votes"}, {"do": "be_sure"}]}
    assert _findings.findings([finding])[0].remedies == ('options={"sure_share": 0}', "sure=0.95")

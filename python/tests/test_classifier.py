"""The estimator with others, and on rows of any kind."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
import types

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rfpragma
from rfpragma import RFPragmaClassifier, RFPragmaValueError, _binary


def run(*arguments):
    """Run the command."""
    return subprocess.run([_binary.find(), *arguments], check=True, capture_output=True, text=True).stdout


def test_same_model_as_the_command(payments, forest, tmp_path):
    """The same rows and seed give the same bytes."""
    X, y = payments
    data = X.assign(**{"new_card": X["new_card"].map({True: "true", False: "false"}), "class": y})
    data.to_csv(tmp_path / "data.csv", index=False)
    run("train", str(tmp_path / "data.csv"), "--prefer", "fraud", "--trees", "40", "--seed", "3", "-o",
        str(tmp_path / "model.rfp"))  # fmt: skip
    forest.fit(X, y)
    assert forest.model_ == (tmp_path / "model.rfp").read_bytes()
    forest.save(tmp_path / "saved.rfp")
    decided = run("predict", str(tmp_path / "saved.rfp"), str(tmp_path / "data.csv")).splitlines()
    assert [line.split(",")[1] for line in decided[1:]] == forest.predict(X).tolist()

    options = {"random_cuts": True, "bag": "balanced", "soft_votes": True}
    other = RFPragmaClassifier(cost={"fraud": 50, "ok": 5}, n_estimators=220, min_samples_leaf=3, max_features=2,
                               ignore=["country"], id="hour", options=options, random_state=4)  # fmt: skip
    run("train", str(tmp_path / "data.csv"), "--cost", "fraud=50", "--cost", "ok=5", "--trees", "220", "--min-leaf", "3",
        "--mtry", "2", "--ignore", "country", "--id", "hour", "--random-cuts", "--bag", "balanced", "--soft-votes",
        "--seed", "4", "-o", str(tmp_path / "model.rfp"))  # fmt: skip
    assert other.fit(X, y).model_ == (tmp_path / "model.rfp").read_bytes()


    # what is required alone prefers no class, and numbers with a unit are numbers
    heavy = X.assign(amount=[None if v != v else f"{v}kg" for v in X["amount"]])
    heavy.assign(**{"new_card": data["new_card"], "class": y}).to_csv(tmp_path / "heavy.csv", index=False)
    run("train", str(tmp_path / "heavy.csv"), "--require", "fraud:recall>=0.8", "--trees", "30", "--number", "amount=kg",
        "-o", str(tmp_path / "model.rfp"))  # fmt: skip
    other = RFPragmaClassifier(require="fraud:recall>=0.8", n_estimators=30, number=["amount=kg"], random_state=1)
    assert other.fit(heavy, y).model_ == (tmp_path / "model.rfp").read_bytes()


def test_sure(payments, tmp_path):
    """What is required holds as surely as the command has it; what cannot be shown is an error."""
    X, y = payments
    asked = RFPragmaClassifier(require="fraud:recall>=0.3", sure=0.8, n_estimators=40, random_state=3,
                               options={"sure_share": 0.4}).fit(X, y)  # fmt: skip
    assert asked.info_["guarantee"]["sure"] and asked.info_["guarantee"]["apart"]
    assert asked.oob_votes_ is None
    assert asked.findings_[0].code.startswith("guarantee")
    on_votes = clone(asked).set_params(options={"sure_share": 0}).fit(X, y)
    assert on_votes.oob_votes_.shape == (900, 2) and on_votes.findings_[0].code.startswith("guarantee")
    X.assign(**{"new_card": X["new_card"].map({True: "true", False: "false"}), "class": y}).to_csv(
        tmp_path / "data.csv", index=False)  # fmt: skip
    run("train", str(tmp_path / "data.csv"), "--require", "fraud:recall>=0.3", "--sure", "80%", "--sure-share", "40%",
        "--trees", "40", "--seed", "3", "-o", str(tmp_path / "model.rfp"))  # fmt: skip
    assert asked.model_ == (tmp_path / "model.rfp").read_bytes()
    with pytest.raises(rfpragma.RFPragmaValueError, match="not sure with") as caught:
        clone(asked).set_params(require="fraud:precision>=0.45", sure=0.99).fit(X, y)
    assert caught.value.code == "floors"
    with pytest.raises(rfpragma.RFPragmaValueError, match="sure needs something that is required; give require"):
        clone(asked).set_params(require=None).fit(X, y)


def test_threads_do_not_matter(payments, forest):
    X, y = payments
    assert clone(forest).set_params(n_jobs=1).fit(X, y).model_ == forest.set_params(n_jobs=2).fit(X, y).model_


def test_kinds_of_tables(payments, forest):
    """Columns keep their types in each kind of table, so the model is the same."""
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    X, y = payments
    want = forest.fit(X, y)
    features = {f["name"]: f["kind"] for f in _features(want)}
    assert features == {"amount": "numeric", "shop": "categorical", "hour": "numeric", "new_card": "categorical",
                        "country": "categorical"}  # fmt: skip
    nullable = X.assign(hour=X["hour"].astype("Int64"), shop=X["shop"].astype("string"),
                        new_card=X["new_card"].astype("boolean"))  # fmt: skip
    as_polars = polars.DataFrame(
        {
            "amount": polars.Series(X["amount"].to_list(), nan_to_null=True),
            "shop": polars.Series(X["shop"].astype(str).to_list(), dtype=polars.Categorical),
            "hour": X["hour"].to_list(),
            "new_card": X["new_card"].to_list(),
            "country": [v if isinstance(v, str) else None for v in X["country"]],
        }
    )
    for table in (nullable, as_polars):
        got = clone(forest).fit(table, y)
        assert got.model_ == want.model_
        assert (got.predict(table) == want.predict(X)).all()
    renamed = X.rename(columns={c: f"x{j}" for j, c in enumerate(X)})
    as_objects = X.assign(new_card=X["new_card"].map({True: "true", False: "false"})).to_numpy(dtype=object)
    assert clone(forest).fit(as_objects, y.to_numpy()).model_ == clone(forest).fit(renamed, y.to_numpy()).model_
    missing = pandas.DataFrame({c: [None] * 3 for c in X})
    assert set(want.predict(missing)) <= {"fraud", "ok"}


def _features(fitted):
    return rfpragma._pipe.ask("load", [fitted.model_], model={"buffer": 0}).result["model"]["features"]


def test_attributes(payments, forest):
    X, y = payments
    forest.fit(X, y)
    assert forest.classes_.tolist() == ["fraud", "ok"]
    assert forest.weights_[0] > forest.weights_[1] == 1
    assert forest.feature_importances_.shape == (5,)
    assert abs(forest.feature_importances_.sum() - 1) < 1e-9
    assert forest.oob_votes_.shape == (900, 2)
    out_of_bag = forest.oob_votes_.sum(axis=1)  # of 40 trees, (1 - 1/n)^n are expected to leave a row out
    assert abs(out_of_bag.mean() / 40 - np.exp(-1)) < 0.02
    assert all(f.code and f.text for f in forest.findings_)
    assert (forest.votes(X).sum(axis=1) == 40).all()
    p = forest.predict_proba(X)
    assert np.allclose(p.sum(axis=1), 1)
    margin = forest.decision_function(X)
    assert ((margin > 0) == (forest.predict(X) == "ok")).all()
    reasons = forest.reasons(X, 2)
    assert {len(row) for row in reasons} <= {0, 1, 2} and len(reasons) == 900
    assert {r["column"] for row in reasons for r in row} <= set(X)
    assert forest.set_params(decide="cost") and not hasattr(forest, "decision_function")


def test_explain(payments, forest):
    X, y = payments
    forest.fit(X, y)
    every = forest.explain(X[:50], X)
    assert every.values.shape == (50, 5, 2) and every.base_values.shape == (50, 2)
    share = forest.votes(X[:50]) / 40
    assert np.allclose(every.base_values + every.values.sum(axis=1), share, rtol=0, atol=1e-12)
    assert np.allclose(every.base_values[0], forest.votes(X).mean(axis=0) / 40)
    one = forest.explain(X[:50], X, "ok")
    assert (one.values == every.values[:, :, 1]).all() and one.feature_names == list(X)
    cells = X[:50].to_numpy()
    assert ((one.data == cells) | (cells != cells)).all()
    p = forest.predict_proba(X[:50])
    odds = forest.explain(X[:50], X, "ok", log_odds=True)
    want = np.log(np.maximum(p[:, 1], 1e-6)) - np.log(np.maximum(p[:, 0], 1e-6))
    assert np.allclose(odds.base_values + odds.values.sum(axis=1), want)
    few = forest.explain(X[:50], X[60:70], "ok", interventional=True)
    assert np.allclose(few.base_values + few.values.sum(axis=1), share[:, 1], rtol=0, atol=1e-12)
    with pytest.raises(RFPragmaValueError, match="none of"):
        forest.explain(X, X, "okay")


def test_explain_for_shap(payments, forest, monkeypatch):
    X, y = payments
    kept = forest.fit(X, y).explain(X[:5], X, "fraud")
    shap = types.ModuleType("shap")
    shap.Explanation = lambda **fields: fields
    monkeypatch.setitem(sys.modules, "shap", shap)
    got = forest.explain(X[:5], X, "fraud")
    assert (got["values"] == np.asarray(kept.values)).all() and (got["base_values"] == kept.base_values).all()
    assert set(got) == {"values", "base_values", "data", "feature_names"}


def test_changes(payments, forest):
    X, y = payments
    decided = forest.fit(X, y).predict(X)
    changes = forest.changes(X, 2, keep=["hour"])
    turned = X.copy()
    for i, change in enumerate(changes):
        for cell in change["cells"] if change else ():
            column, value = cell["column"], cell["value"]
            turned.loc[i, column] = {"amount": float, "new_card": lambda v: v == "true"}.get(column, str)(value)
            assert column != "hour"
    now = forest.predict(turned)
    has = np.array([c is not None for c in changes])
    assert has.sum() > 100 and (now[has] != decided[has]).all() and (now[~has] == decided[~has]).all()
    assert [c and c["class"] for c in changes] == [n if h else None for n, h in zip(now, has, strict=True)]
    assert all((c is None) == (d == "ok" or e is None) for c, d, e in
               zip(forest.changes(X[:90], label="ok", keep=["hour"]), decided[:90], changes[:90], strict=True))


def test_labels_of_any_type():
    X, y = make_classification(300, n_classes=3, n_informative=5, random_state=0)
    fit = RFPragmaClassifier(measure="accuracy", n_estimators=20, random_state=0).fit
    want = fit(X, y).predict(X)
    for labels in (np.array([9, 10, 100]), np.array([1.0, 2.0, 5.0]), np.array(["b", "a", "c"], dtype=object)):
        got = fit(X, labels[y])
        assert got.classes_.dtype == labels.dtype
        assert (got.predict(X) == labels[want]).mean() > 0.99
        assert got.predict_proba(X).argmax(axis=1).shape == (300,)
    truth = fit(X, y == 1)
    assert truth.predict(X).dtype == bool


def test_pipeline(payments, forest):
    X, y = payments
    scaled = ColumnTransformer([("scale", StandardScaler(), ["amount", "hour"])], remainder="passthrough",
                               verbose_feature_names_out=False)  # fmt: skip
    scaled.set_output(transform="pandas")
    pipeline = make_pipeline(scaled, forest.set_params(prefer=None, measure="accuracy"))
    assert (pipeline.fit(X, y).predict(X) == y).mean() > 0.9
    assert dict(zip(forest.feature_names_in_, forest.feature_importances_))["shop"] > 0


def test_search_and_scores(payments, forest):
    """In processes and threads of joblib."""
    X, y = payments
    forest.set_params(prefer=None, measure="accuracy")
    grid = GridSearchCV(forest, {"max_depth": [2, None]}, n_jobs=2, cv=2).fit(X, y)
    assert set(grid.cv_results_["mean_test_score"] > 0.8) == {True}
    scores = cross_val_score(forest, X, y, scoring="roc_auc", cv=3, n_jobs=2)
    assert (scores > 0.6).all()
    with joblib.parallel_backend("threading", n_jobs=4):
        again = cross_val_score(forest, X, y, scoring="roc_auc", cv=3, n_jobs=4)
    assert (scores == again).all()


def test_copies(payments, forest):
    X, y = payments
    forest.fit(X, y)
    want = forest.predict_proba(X)
    assert (pickle.loads(pickle.dumps(forest)).predict_proba(X) == want).all()
    stored = io.BytesIO()
    joblib.dump(forest, stored)
    stored.seek(0)
    assert (joblib.load(stored).predict_proba(X) == want).all()
    assert not hasattr(clone(forest), "model_")


def test_sample_weight(forest):
    X, y = make_classification(400, weights=[0.8], random_state=2)
    forest.set_params(prefer=None, measure="accuracy")
    ones = clone(forest).fit(X, y, sample_weight=np.ones(400))
    assert (ones.predict_proba(X) == clone(forest).fit(X, y).predict_proba(X)).all()
    kept = np.arange(400) % 3 > 0
    weighed = clone(forest).fit(X, y, sample_weight=kept.astype(float))
    assert weighed.info_["rows"] == 400
    assert weighed.score(X[kept], y[kept]) > 0.9


def test_columns_with_a_use(payments, forest):
    """Columns that are no features need not be there, or be the same, later."""
    pandas = pytest.importorskip("pandas")
    X, y = payments
    X = X.assign(customer=np.arange(900) // 3, when=pandas.date_range("2025-01-01", periods=900, freq="h"))
    grouped = clone(forest).set_params(group="customer", ignore=["when"]).fit(X, y)
    assert grouped.info_["votes"] == "cv"
    assert (grouped.predict(X.drop(columns=["customer", "when"])) == grouped.predict(X)).all()
    timed = clone(forest).set_params(time="when", ignore=["customer"]).fit(X, y)
    assert timed.info_["votes"] == "forward"
    assert timed.feature_importances_[-2:].tolist() == [0, 0]
    with pytest.raises(rfpragma.RFPragmaValueError, match=r'time="when" or ignore=\["when"\]') as caught:
        forest.fit(X, y)
    assert caught.value.column == "when"
    with pytest.raises(ValueError, match="feature names should match"):
        timed.predict(X.drop(columns=["amount"]))


def test_costs_by_amount(payments, forest):
    X, y = payments
    X = X.assign(amount=X["amount"].fillna(1))
    by_cost = clone(forest).set_params(prefer=None, cost={"fraud": "amount", "ok": 5}, amount="amount", decide="cost")
    by_cost.fit(X, y)
    assert by_cost.info_["by_cost"]
    dear, cheap = X.assign(amount=5000.0), X.assign(amount=0.01)
    assert (by_cost.predict(dear) == "fraud").mean() > (by_cost.predict(cheap) == "fraud").mean()
    matrix = clone(forest).set_params(prefer=None, cost=[[0, 50], [5, 0]]).fit(X, y)
    assert matrix.model_ == clone(forest).set_params(prefer=None, cost={"fraud": 50, "ok": 5}).fit(X, y).model_


@pytest.mark.parametrize(
    ("params", "code", "text"),
    [
        ({"prefer": "froud"}, "option", 'prefer: .*"froud"'),
        ({"prefer": "fraud:theta=x"}, "protocol|option", "theta"),
        ({"n_estimators": 0}, "option", "n_estimators is 0"),
        ({"max_features": 77}, "option", "77"),
        ({"tune_forest": "much"}, "option", "much"),
        ({"criterion": "chaos"}, "option", "chaos"),
        ({"require": "fraud:recall>=1.5"}, "option", "require: "),
        ({"require": ["fraud:recall>=0.999", "fraud:precision>=0.999"]}, "floors", "reach"),
        ({"cost": {"fraud": 5, "theft": 2}}, "option", "cost: "),
        ({"cost": [[0, 1, 2]]}, "option", "shape"),
        ({"ignore": ["owner"]}, "option", "owner"),
        ({"group": "owner"}, "option", "owner"),
        ({"options": {"colour": 1}}, "protocol", "colour"),
        ({"random_state": -1}, "option", "random_state is -1"),
        ({"missing": ["owner=1"]}, "option", "owner"),
    ],
)
def test_wrong_parameters(payments, forest, params, code, text):
    """The message names the parameter, not a flag of the command."""
    X, y = payments
    with pytest.raises(rfpragma.RFPragmaError, match=text) as caught:
        forest.set_params(**params).fit(X, y)
    assert caught.value.code in code.split("|")
    assert "--" not in str(caught.value) and "{" not in str(caught.value).replace("options={", "")


def test_wrong_rows(payments, forest):
    X, y = payments
    with pytest.raises(rfpragma.RFPragmaValueError, match="1 class"):
        forest.fit(X, np.ones(900))
    with pytest.raises(ValueError, match="label ' ' is empty"):
        forest.fit(X, np.where(y == "ok", " ", y))
    with pytest.raises(ValueError, match="but for blanks"):
        forest.fit(X, np.where(np.arange(900) % 2, "ok ", y))
    with pytest.raises(rfpragma.RFPragmaValueError, match='ignore=\\["hour"\\]|"hour"') as caught:
        forest.fit(X.assign(hour=X["hour"].astype(float).where(X.index != 5, np.inf)), y)
    assert caught.value.row == 5 and caught.value.column == "hour"
    assert pickle.loads(pickle.dumps(caught.value)).row == 5
    with pytest.raises(TypeError, match="'country': the argument must be a string or a number, not 'dict'"):
        forest.fit(X.assign(country=[{}] * 900), y)
    forest.fit(X, y)
    with pytest.raises(rfpragma.RFPragmaValueError, match="amount"):
        forest.predict(X.assign(amount="dear"))
    with pytest.warns(rfpragma.RFPragmaWarning) as told:
        forest.predict(X.assign(amount=1e9))
    assert "drift" in [w.message.code for w in told]

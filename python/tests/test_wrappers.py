"""Thresholds and probabilities of other classifiers."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, log_loss, recall_score
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import rfpragma
from rfpragma import Calibrated, PragmaThreshold


def rows(classes, n=3000, seed=0):
    weights = [0.8] + [0.2 / (classes - 1)] * (classes - 1)
    X, y = make_classification(n, n_classes=classes, n_informative=6, weights=weights, random_state=seed)
    names = np.array(["common", "rare", "rarer"])
    return X[: n // 2], names[y[: n // 2]], X[n // 2 :], names[y[n // 2 :]]


@pytest.mark.parametrize("classes", [2, 3])
def test_threshold(classes):
    """Tuned for the mean recall, decisions have more of it; probabilities stay those of the classifier."""
    X, y, X_new, y_new = rows(classes)
    plain = LogisticRegression().fit(X, y)
    tuned = PragmaThreshold(LogisticRegression(), measure="balanced", random_state=0).fit(X, y)
    assert balanced_accuracy_score(y_new, tuned.predict(X_new)) > balanced_accuracy_score(y_new, plain.predict(X_new)) + 0.02
    assert (tuned.predict_proba(X_new) == plain.predict_proba(X_new)).all()
    assert tuned.expected_["loss"] < tuned.expected_["plain"]
    margin = tuned.decision_function(X_new)
    if classes == 2:
        assert ((margin > 0) == (tuned.predict(X_new) == "rare")).all()
        assert ((tuned.predict_proba(X_new)[:, 1] > tuned.threshold_) == (margin > 0)).mean() > 0.999
    else:
        assert tuned.threshold_ is None
        assert (tuned.classes_[margin.argmax(axis=1)] == tuned.predict(X_new)).all()
    assert (pickle.loads(pickle.dumps(tuned)).predict(X_new) == tuned.predict(X_new)).all()


def test_threshold_is_the_best():
    """No threshold on the out-of-fold probabilities has a lower cost: all are tried by hand."""
    X, y, *_ = rows(2, 1200)
    tuned = PragmaThreshold(LogisticRegression(), cost={"rare": 7, "common": 2}, choice="lowest", cv=4).fit(X, y)
    p = cross_val_predict(LogisticRegression(), X, y, cv=4, method="predict_proba")[:, 1]

    def cost(threshold):
        return 7 * ((y == "rare") & (p <= threshold)).sum() + 2 * ((y == "common") & (p > threshold)).sum()

    best = min(cost(t) for t in np.concatenate([[-1], np.sort(p)]))
    assert cost(tuned.threshold_) == best


def test_required():
    X, y, X_new, y_new = rows(2)
    tuned = PragmaThreshold(GaussianNB(), prefer="rare", require="rare:recall>=0.9").fit(X, y)
    assert recall_score(y_new, tuned.predict(X_new), pos_label="rare") > 0.8
    impossible = PragmaThreshold(GaussianNB(), prefer="rare", require=["rare:recall>=0.99", "rare:precision>=0.99"])
    with pytest.raises(rfpragma.RFPragmaValueError) as caught:
        impossible.fit(X, y)
    assert caught.value.code == "floors"
    with pytest.warns(rfpragma.RFPragmaWarning):
        impossible.set_params(accept_best=True).fit(X, y)


def test_weights_of_rows():
    X, y, *_ = rows(2)
    twice = np.concatenate([np.arange(len(y)), np.flatnonzero(y == "rare")])
    weight = np.where(y == "rare", 2.0, 1.0)
    known = FrozenEstimator(GaussianNB().fit(X, y))
    one = PragmaThreshold(known, measure="balanced", choice="lowest", cv="prefit").fit(X, y, sample_weight=weight)
    other = PragmaThreshold(known, measure="balanced", choice="lowest", cv="prefit").fit(X[twice], y[twice])
    assert one.weights_ == pytest.approx(other.weights_)


@pytest.mark.parametrize("classes", [2, 3])
def test_calibrated(classes):
    X, y, X_new, y_new = rows(classes)
    raw = GaussianNB().fit(X, y)
    mapped = Calibrated(GaussianNB()).fit(X, y)
    assert log_loss(y_new, mapped.predict_proba(X_new)) < log_loss(y_new, raw.predict_proba(X_new)) - 0.002
    assert np.allclose(mapped.predict_proba(X_new).sum(axis=1), 1)
    prefit = Calibrated(raw, cv="prefit", method="isotonic").fit(X_new, y_new)
    assert prefit.method_ == "isotonic"
    assert (pickle.loads(pickle.dumps(prefit)).predict_proba(X) == prefit.predict_proba(X)).all()


def test_scores_that_are_no_probabilities():
    X, y, X_new, y_new = rows(2)
    mapped = Calibrated(make_pipeline(StandardScaler(), LinearSVC()), method="platt-raw").fit(X, y)
    p = mapped.predict_proba(X_new)[:, 1]
    assert abs(p.mean() - (y_new == "rare").mean()) < 0.03
    with pytest.raises(rfpragma.RFPragmaValueError, match="more than two classes"):
        Calibrated(LinearSVC()).fit(*rows(3)[:2])


def test_both():
    """Weights for calibrated probabilities of a forest, whose shares are 0 and 1."""
    X, y, X_new, y_new = rows(2)
    inner = Calibrated(RandomForestClassifier(30, random_state=0), cv=3)
    both = PragmaThreshold(inner, measure="balanced", cv=3).fit(X, y)
    assert balanced_accuracy_score(y_new, both.predict(X_new)) > 0.8

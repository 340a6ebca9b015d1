"""The checks of scikit-learn for estimators."""

from __future__ import annotations

from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from rfpragma import Calibrated, PragmaThreshold, RFPragmaClassifier

# As of scikit-learn's own forests and calibration, which its own tests expect to fail here, too.
_bags = {
    "check_sample_weight_equivalence_on_dense_data": "a bag is drawn by row: a row of weight 2 is in it or not, two equal "
    "rows are drawn one by one"
}
_folds = {
    "check_sample_weight_equivalence_on_dense_data": "folds are dealt by row: one of weight 2 is in one fold, two equal "
    "rows may be in two"
}


def _expected(estimator):
    return {RFPragmaClassifier: _bags, Calibrated: _folds}.get(type(estimator), {})


@parametrize_with_checks(
    [
        RFPragmaClassifier(n_estimators=30, random_state=0),
        # the check has decisions equal the largest probability, which is what another preference is to change
        PragmaThreshold(GaussianNB(), measure="accuracy", random_state=0),
        Calibrated(GaussianNB(), method="platt"),
    ],
    expected_failed_checks=_expected,
)
def test_scikit_learn(estimator, check):
    check(estimator)

"""Decisions and probabilities of anybody's classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    _num_samples,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
    validate_data,
)

from . import _pipe
from ._errors import RFPragmaValueError, warn
from ._table import encode_labels
from ._wish import Cost, Prefer, decide, margins, seed, threads, wanted

if TYPE_CHECKING:
    from typing_extensions import Self


def _has(method: str) -> Any:
    def check(self: _Wrapper) -> bool:
        inner = getattr(self, "estimator_", None) or self.estimator
        if inner is not None:
            getattr(inner, method)
        return True

    return check


def _check_size(X: Any) -> None:
    """Refuse what has no rows or columns, as scikit-learn does."""
    shape = getattr(X, "shape", (_num_samples(X),))
    for n, what in zip(shape, ("sample", "feature")):
        if n == 0:
            raise ValueError(f"Found array with 0 {what}(s) (shape={tuple(shape)}) while a minimum of 1 is required.")


class _Wrapper(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier around another one, of which it uses scores of rows that it has not seen."""

    estimator: Any
    cv: Any
    n_jobs: int | None
    classes_: NDArray[Any]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._inner()).input_tags
        return tags

    def _inner(self) -> Any:
        return LogisticRegression() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **params: Any) -> Self:
        """Fit the classifier and learn from its scores of rows it has not seen.

        Parameters
        ----------
        X : array of shape (n, p) or whatever the classifier takes
            Rows.
        y : array of shape (n,)
            Their classes.
        sample_weight : array of shape (n,), default=None
            Their weights, for what is learned and, if it takes them, for the classifier.
        **params
            For fit of the classifier.

        Returns
        -------
        self
            Fitted.
        """
        scores, codes, weight = self._fit_inner(X, y, sample_weight, params)
        request, buffers = self._request(scores, codes, weight)
        self._learn(request, buffers)
        return self

    def _learn(self, request: dict[str, Any], buffers: list[Any]) -> None:
        """Find what is put on the scores."""
        raise NotImplementedError

    def _fit_inner(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None, params: dict[str, Any]
    ) -> tuple[NDArray[np.float64], NDArray[np.intp], NDArray[np.float64] | None]:
        """Fit the inner classifier; return held-out scores, classes as indices, and weights."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        _check_size(X)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        check_classification_targets(y)
        prefit = isinstance(self.cv, str) and self.cv == "prefit"
        if not prefit:
            validate_data(self, X, skip_check_array=True)
        classes, codes = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise RFPragmaValueError(
                f"y has 1 class, {classes.tolist()[0]!r}, and there is nothing to decide; give rows of two classes or more",
                "data",
            )
        weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            params = dict(params)
            if has_fit_parameter(self._inner(), "sample_weight"):
                params["sample_weight"] = weight
        if prefit:
            self.estimator_ = self._inner()
            self.classes_ = np.asarray(self.estimator_.classes_)
            if not np.isin(classes, self.classes_).all():
                raise RFPragmaValueError("y has classes that the estimator does not know; give rows of its classes", "data")
            codes = np.searchsorted(self.classes_, y)
            return self._scores(X), codes, weight
        inner = clone(self._inner())
        self.classes_ = classes
        scores = cross_val_predict(
            inner, X, y, cv=self.cv, n_jobs=self.n_jobs, method=self._method(inner), params=params or None
        )
        self.estimator_ = inner.fit(X, y, **params)
        if hasattr(self.estimator_, "n_features_in_") and not hasattr(self, "n_features_in_"):
            self.n_features_in_ = self.estimator_.n_features_in_
        return np.asarray(scores, dtype=np.float64), codes, weight

    def _method(self, inner: Any) -> str:
        return "predict_proba"

    def _scores(self, X: Any) -> NDArray[np.float64]:
        return np.asarray(getattr(self.estimator_, self._method(self.estimator_))(X), dtype=np.float64)

    def _request(
        self, scores: NDArray[np.float64], codes: NDArray[np.intp] | None, weight: NDArray[np.float64] | None
    ) -> tuple[dict[str, Any], list[Any]]:
        request: dict[str, Any] = {"classes": encode_labels(self.classes_), "buffer": 0}
        buffers: list[Any] = [np.ascontiguousarray(scores, dtype="<f8")]
        if scores.ndim == 1:
            request["single"] = True
        if codes is not None:
            request["truth"] = len(buffers)
            buffers.append(np.ascontiguousarray(codes, dtype="<i4"))
        if weight is not None:
            request["weight"] = len(buffers)
            buffers.append(np.ascontiguousarray(weight, dtype="<f8"))
        return request, buffers

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")


class PragmaThreshold(_Wrapper):
    """Decide by the probabilities of any classifier, as you prefer.

    The probabilities of rows that the classifier has not seen are taken from a cross-validation. On them the weights of
    the classes are searched that are best for what you want, for two classes and for more; a row is decided as the class
    with the largest weighted probability. For two classes that is a threshold. The search tries all weights there are
    for two classes, and mostly for three.

    Parameters
    ----------
    estimator : classifier, default=None
        Any classifier with predict_proba; None is a logistic regression.
    prefer, cost, require, measure, accept_best, choice
        What is wanted, as for `RFPragmaClassifier`.
    cv : int, splitter, iterable or "prefit", default=5
        How to hold out rows. "prefit" takes an estimator that is fitted, and the rows for such that it has not seen.
    random_state : int, RandomState or None, default=None
        The seed of the search.
    n_jobs : int or None, default=None
        Number of jobs of the cross-validation, and of threads of the search.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The classes.
    weights_ : array of shape (k,)
        What the probabilities are multiplied by.
    threshold_ : float or None
        For two classes, the probability of the second from which a row is decided as it; None for more.
    expected_ : dict or None
        What to expect of the search on new rows: loss, interval, plain (the loss of equal weights) and standard_error of
        the difference.
    estimator_ : classifier
        The classifier, fitted on all rows.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rfpragma import PragmaThreshold
    >>> X, y = make_classification(2000, weights=[0.95], random_state=1)
    >>> model = PragmaThreshold(LogisticRegression(), prefer="1:theta=10,x=0.1,y=0.7", random_state=1).fit(X, y)
    >>> bool(model.threshold_ < 0.5)
    True
    """

    def __init__(
        self,
        estimator: Any = None,
        prefer: Prefer = None,
        *,
        cost: Cost = None,
        require: str | Sequence[str] | None = None,
        measure: str | None = None,
        accept_best: bool = False,
        choice: str = "careful",
        cv: Any = 5,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.prefer = prefer
        self.cost = cost
        self.require = require
        self.measure = measure
        self.accept_best = accept_best
        self.choice = choice
        self.cv = cv
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, request: dict[str, Any], buffers: list[Any]) -> None:
        options = wanted(
            request["classes"], self.prefer, self.cost, self.require, self.measure, self.accept_best, self.choice
        )  # fmt: skip
        options |= {"seed": seed(self.random_state), "threads": threads(self.n_jobs)}
        answer = _pipe.ask("tune", buffers, scores=request, options=options)
        warn(answer.warnings)
        self.weights_ = np.array(answer.result["weights"])
        self.expected_ = answer.result.get("expected")
        self.measure_ = answer.result["measure"]
        self._ties = answer.result["order"]
        self.threshold_ = None
        if len(self.classes_) == 2:
            self.threshold_ = float(self.weights_[0] / self.weights_.sum())

    def predict(self, X: Any) -> NDArray[Any]:
        """Decide rows.

        Parameters
        ----------
        X : array of shape (n, p) or whatever the classifier takes
            Rows.

        Returns
        -------
        array of shape (n,)
            The class of each.
        """
        check_is_fitted(self)
        return np.asarray(self.classes_[decide(self._scores(X), self.weights_, self._ties)])

    @available_if(_has("predict_proba"))
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classifier, which the weights do not change.

        Parameters
        ----------
        X : array of shape (n, p) or whatever the classifier takes
            Rows.

        Returns
        -------
        array of shape (n, k)
            By class.
        """
        check_is_fitted(self)
        return self._scores(X)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the weighted probabilities, of which the largest decides.

        Parameters
        ----------
        X : array of shape (n, p) or whatever the classifier takes
            Rows.

        Returns
        -------
        array of shape (n, k), or (n,) for two classes
            By class; for two classes that of the second less that of the first.
        """
        check_is_fitted(self)
        scores = self._scores(X)
        return margins(scores * self.weights_, decide(scores, self.weights_, self._ties))


class Calibrated(_Wrapper):
    """Make probabilities of the scores of any classifier.

    A map is fitted to the scores of rows that the classifier has not seen, taken from a cross-validation. ``"auto"``
    tries several kinds of maps, judges them by log loss on parts that they were not fitted on, and takes the best, or
    none.

    Parameters
    ----------
    estimator : classifier, default=None
        Any classifier with predict_proba or, for two classes, decision_function; None is a logistic regression.
    method : str, default="auto"
        auto, platt, isotonic, beta, venn-abers, temperature, vector or others; of scores that are no probabilities
        platt-raw or isotonic.
    cv : int, splitter, iterable or "prefit", default=5
        How to hold out rows. "prefit" takes an estimator that is fitted, and the rows for such that it has not seen.
    n_jobs : int or None, default=None
        Number of jobs of the cross-validation.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The classes.
    method_ : str
        The kind of the map; for auto the one that was taken.
    estimator_ : classifier
        The classifier, fitted on all rows.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.metrics import log_loss
    >>> from rfpragma import Calibrated
    >>> X, y = make_classification(2000, n_redundant=10, random_state=1)
    >>> raw, mapped = GaussianNB().fit(X[:1000], y[:1000]), Calibrated(GaussianNB()).fit(X[:1000], y[:1000])
    >>> log_loss(y[1000:], mapped.predict_proba(X[1000:])) < log_loss(y[1000:], raw.predict_proba(X[1000:]))
    True
    """

    def __init__(self, estimator: Any = None, *, method: str = "auto", cv: Any = 5, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.n_jobs = n_jobs

    def _method(self, inner: Any) -> str:
        if hasattr(inner, "predict_proba"):
            return "predict_proba"
        if len(self.classes_) > 2:
            raise RFPragmaValueError(
                f"{type(inner).__name__} has no predict_proba, and there are more than two classes; give a classifier that "
                "has"
            )
        return "decision_function"

    def _learn(self, request: dict[str, Any], buffers: list[Any]) -> None:
        options = {"calibrate": self.method, "threads": threads(self.n_jobs)}
        answer = _pipe.ask("calibrate", buffers, scores=request, options=options)
        warn(answer.warnings)
        self.map_ = answer.result["map"]
        self.method_ = answer.result["method"]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return calibrated probabilities.

        Parameters
        ----------
        X : array of shape (n, p) or whatever the classifier takes
            Rows.

        Returns
        -------
        array of shape (n, k)
            By class.
        """
        check_is_fitted(self)
        request, buffers = self._request(self._scores(X), None, None)
        request["map"] = self.map_
        answer = _pipe.ask("apply", buffers, scores=request)
        return np.frombuffer(answer.buffer("probabilities"), dtype="<f8").reshape(-1, len(self.classes_))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each row.

        Parameters
        ----------
        X : array of shape (n, p) or whatever the classifier takes
            Rows.

        Returns
        -------
        array of shape (n,)
            The class of each.
        """
        check_is_fitted(self)
        return np.asarray(self.classes_[np.argmax(self.predict_proba(X), axis=1)])

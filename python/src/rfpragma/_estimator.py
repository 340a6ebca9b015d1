"""The forest as an estimator of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from . import _pipe
from ._errors import RFPragmaValueError, warn
from ._explanation import cells_of, explanation
from ._findings import Finding, findings
from ._table import Table, columns_of, encode, encode_labels
from ._wish import Cost, Prefer, margins, seed, threads, wanted


def _by_votes(self: RFPragmaClassifier) -> bool:
    if self.decide == "cost":
        raise AttributeError("decide='cost' decides by expected cost and not by votes; use predict or predict_proba")
    return True


class RFPragmaClassifier(ClassifierMixin, BaseEstimator):
    """A random forest that decides as you prefer.

    Trees are grown once, and the votes of trees that did not see a row are kept. On these votes the weights of the
    classes are searched that are best for what you want, and maps to calibrated probabilities are fitted. The same rows
    and seed give the same model on any machine and any number of threads, and the very model that the command rfpragma
    makes of them.

    Parameters
    ----------
    prefer : str or dict, default=None
        What is wanted of each class: a text such as ``"fraud:theta=10,x=0.2,y=0.6"``, or a dict such as
        ``{"fraud": {"theta": 10, "x": 0.2, "y": 0.6}}``. Theta is how much the class counts, x the precision you would
        accept to find all of it, y the recall you would accept to raise no false alarm. A class alone, ``"fraud"``,
        is to be found without a flood of alarms. None has the rarest class found so, unless cost, measure, or a recall
        that is required alone say what is wanted.
    cost : dict or array of shape (k, k), default=None
        What it costs to miss a row of each class, such as ``{"fraud": 50, "ok": 5}``, or by true class and decision in
        the order of ``classes_``. ``{"fraud": "amount"}`` takes the cost of a row from the column ``amount``.
    require : str or list of str, default=None
        What must hold before anything else, such as ``"fraud:recall>=0.9"`` or ``"fraud:alerts<=12/1000"``.
    sure : float, default=None
        The confidence, such as 0.95, that what is required holds on new rows. A fifth of the rows is kept apart by chance
        to test it; ``options={"sure_share": 0.4}`` keeps another part, ``options={"max_cost": 2}`` limits the cost of a
        row.
    measure : str, default=None
        Another measure to be best by: accuracy, balanced, gmean, mcc, kappa, f1, or ``f:CLASS,beta=2``.
    decide : {"weights", "cost"}, default="weights"
        Decide by weighted votes, or each row by its least expected cost.
    accept_best : bool, default=False
        Take what comes nearest if what is required cannot be reached; otherwise that is an error.
    n_estimators : int, default=500
        Number of trees.
    tune_forest : {"quick", "full", "off"} or None, default=None
        How thoroughly to choose the settings of the trees that are None: at the price of 3 to 10 trainings. None is
        quick from 200 trees on, and off below.
    max_features : int, "sqrt" or None, default=None
        Number of features tried at each node. None is the square root of their number.
    min_samples_leaf, max_depth, max_leaf_nodes : int, default=None
        Limits of the trees; None is no limit.
    criterion : {"gini", "entropy", "hellinger", "offcentred", "pragma"}, default=None
        How splits are chosen; None is gini.
    calibrate : str, default="auto"
        The map to probabilities: auto, platt, isotonic, beta, venn-abers, temperature, none and others.
    choice : {"careful", "lowest"}, default="careful"
        Weights that heed chance, or those of the lowest loss on the training rows.
    ignore : list of str, default=None
        Columns of X that are left out.
    categorical : list of str, default=None
        Columns of numbers that are categories. Texts and categories of pandas and polars are so anyway.
    number : list of str, default=None
        Columns of texts that are numbers with a unit or a sign: ``["weight=kg", "visit=min", "sales"]``.
    missing : list of str, default=None
        Values that stand for a missing cell, beside NaN and None: ``["-1"]``, or of one column ``["age=0"]``.
    amount, group, time, id : str, default=None
        Columns of X with the amount at stake in a row, with what says which rows belong together, with the time of a
        row, and with its name. But for the amount they are no features.
    options : dict, default=None
        Further settings by the names of the flags of the command, such as ``{"random_cuts": True, "bag": "balanced"}``.
    random_state : int, RandomState or None, default=None
        The seed.
    n_jobs : int or None, default=-1
        Number of threads; -1 is as many as there are processors. The result does not depend on it.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The classes.
    weights_ : array of shape (k,)
        The weights of the votes for each class; the most common class has 1.
    feature_importances_ : array of shape (p,)
        The part of each column in the fall of impurity; 0 for columns that are no features.
    oob_votes_ : array of shape (n, k) or None
        How many of the trees that did not see a row voted for each class; None if `sure` has kept rows apart.
    findings_ : list of Finding
        What is to be known of the votes on the training rows. They were tuned on, so they flatter: `cross_validate` says
        what to expect on new rows.
    info_ : dict
        On what and how the model was fitted.
    model_ : bytes
        The model, as the command saves it in a file.
    n_features_in_ : int
        Number of columns of X.
    feature_names_in_ : array of shape (p,)
        Their names, if X is a DataFrame.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from rfpragma import RFPragmaClassifier
    >>> X, y = make_classification(400, weights=[0.9], class_sep=2, random_state=1)
    >>> forest = RFPragmaClassifier(prefer="1:theta=10,x=0.2,y=0.6", n_estimators=50, random_state=1).fit(X, y)
    >>> forest.predict(X[:3])
    array([0, 0, 0])
    >>> forest.predict_proba(X[:3]).shape
    (3, 2)
    """

    def __init__(
        self,
        prefer: Prefer = None,
        *,
        cost: Cost = None,
        require: str | Sequence[str] | None = None,
        sure: float | None = None,
        measure: str | None = None,
        decide: str = "weights",
        accept_best: bool = False,
        n_estimators: int = 500,
        tune_forest: str | None = None,
        max_features: int | str | None = None,
        min_samples_leaf: int | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        criterion: str | None = None,
        calibrate: str = "auto",
        choice: str = "careful",
        ignore: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        number: Sequence[str] | None = None,
        missing: Sequence[str] | None = None,
        amount: str | None = None,
        group: str | None = None,
        time: str | None = None,
        id: str | None = None,
        options: Mapping[str, Any] | None = None,
        random_state: Any = None,
        n_jobs: int | None = -1,
    ) -> None:
        self.prefer = prefer
        self.cost = cost
        self.require = require
        self.sure = sure
        self.measure = measure
        self.decide = decide
        self.accept_best = accept_best
        self.n_estimators = n_estimators
        self.tune_forest = tune_forest
        self.max_features = max_features
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.criterion = criterion
        self.calibrate = calibrate
        self.choice = choice
        self.ignore = ignore
        self.categorical = categorical
        self.number = number
        self.missing = missing
        self.amount = amount
        self.group = group
        self.time = time
        self.id = id
        self.options = options
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> RFPragmaClassifier:
        """Grow the forest, find the weights and fit the maps.

        Parameters
        ----------
        X : array of shape (n, p) or DataFrame of pandas or polars
            Rows. NaN, None and NA are missing cells, which need no filling. Texts and categories need no coding.
        y : array of shape (n,)
            Their classes.
        sample_weight : array of shape (n,), default=None
            Their weights.

        Returns
        -------
        RFPragmaClassifier
            Itself.

        Raises
        ------
        RFPragmaValueError
            If something is wrong with the rows or a parameter.
        """
        table, classes = self._training(X, y, sample_weight)
        answer = _pipe.ask("fit", table.buffers, table=table.header(), options=self._options(table), want=["votes"])
        warn(answer.warnings)
        self.classes_ = classes
        self.model_ = bytes(answer.buffer("file"))
        self._take(answer.result["model"])
        self.oob_votes_ = None
        if "votes" in answer.result:
            self.oob_votes_ = self._by_class(answer.buffer("votes"))
        self._guarantees = findings(answer.result["findings"])
        self._truth = self._codes.astype(np.int32)
        del self._codes
        return self

    def _training(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None) -> tuple[Table, NDArray[Any]]:
        """Return rows with their labels and weights, and the classes."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        X = self._checked(X, reset=True)
        label = getattr(y, "name", None)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y)
        check_classification_targets(y)
        classes, codes = np.unique(y, return_inverse=True)
        texts = encode_labels(classes)
        if len(classes) < 2:
            raise RFPragmaValueError(
                f"y has 1 class, {texts[0]!r}, and there is nothing to decide; give rows of two classes or more", "data"
            )
        table = encode(X, dates=tuple(self._roles()))
        self._target = table.unused(label if isinstance(label, str) and label else "class")
        table.category(self._target, codes, texts)
        self._weight = None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            held = np.unique(codes[weight > 0])
            if len(held) < 2:
                raise RFPragmaValueError(
                    "the rows of weight above 0 are of fewer than two classes; give others a weight, too", "data"
                )
            name = getattr(sample_weight, "name", None)
            self._weight = table.unused(name if isinstance(name, str) and name else "weight")
            table.number(self._weight, weight)
        self._codes = codes
        return table, classes

    def _label(self, table: Table, y: ArrayLike) -> str:
        """Add the labels of rows to be judged to their table; return the name of the column."""
        check_is_fitted(self)
        labels = column_or_1d(y)
        check_consistent_length(range(table.rows), labels)
        levels, codes = np.unique(labels, return_inverse=True)
        target = table.unused(self._target)
        table.category(target, codes, encode_labels(levels))
        return target

    def _options(self, table: Table) -> dict[str, Any]:
        texts = next(c["levels"] for c in table.columns if c["name"] == self._target)
        options = wanted(
            texts, self.prefer, self.cost, self.require, self.measure, self.accept_best, self.choice
        )  # fmt: skip
        options |= {
            "target": self._target,
            "decide": self.decide,
            "trees": int(self.n_estimators),
            "calibrate": self.calibrate,
            "seed": seed(self.random_state),
            "threads": threads(self.n_jobs),
        }
        for key, value in {
            "weight": self._weight,
            "sure": self.sure,
            "mtry": None if self.max_features == "sqrt" else self.max_features,
            "min_leaf": self.min_samples_leaf,
            "max_depth": self.max_depth,
            "max_leaves": self.max_leaf_nodes,
            "tune_forest": self.tune_forest,
            "criterion": self.criterion,
            "amount": self.amount,
            "group": self.group,
            "time": self.time,
            "id": self.id,
            "ignore": self.ignore and list(self.ignore),
            "categorical": self.categorical and list(self.categorical),
            "number": self.number and list(self.number),
            "missing": self.missing and [str(m) for m in self.missing],
        }.items():
            if value is not None:
                options[key] = int(value) if isinstance(value, np.integer) else value
        return options | dict(self.options or {})

    def _take(self, info: dict[str, Any]) -> None:
        """Take over what a model is."""
        self._id = info["id"]
        self._texts = info["classes"]
        at = {text: i for i, text in enumerate(encode_labels(self.classes_))}
        self._to_ours = np.array([at[text] for text in self._texts])  # index into classes_ by class of the model
        self._order = np.argsort(self._to_ours)  # class of the model by index into classes_
        self._ties = [int(self._to_ours[c]) for c in info["order"]]
        self.weights_ = np.array(info["weights"])[self._order]
        self.info_ = info["provenance"]
        self._features = [f["name"] for f in info["features"]]
        part = {f["name"]: f["importance"] for f in info["features"]}
        names = getattr(self, "feature_names_in_", [f"x{j}" for j in range(self.n_features_in_)])
        self.feature_importances_ = np.array([part.get(str(name), 0.0) for name in names])

    def _roles(self) -> set[str]:
        """Return the columns of X that rows to be decided may lack."""
        return {*(self.ignore or ()), *(c for c in (self.group, self.time, self.id) if c)}

    def _checked(self, X: Any, reset: bool) -> Any:
        """Return X as a DataFrame or an array, once its columns are found right."""
        names = columns_of(X)
        if names is None:
            return validate_data(
                self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan", ensure_min_samples=2 if reset else 1
            )
        if len(X) < (2 if reset else 1) or not names:
            check_array(np.empty((len(X), len(names))), ensure_min_samples=2 if reset else 1)
        known = getattr(self, "feature_names_in_", None)
        if not reset and known is not None and set(names) != set(known) and set(self._features) <= set(names):
            if set(known) - set(names) <= self._roles() and set(names) <= set(known):
                return X  # all are there that count
        validate_data(self, X, reset=reset, skip_check_array=True)
        return X

    def _asked(self, op: str, X: Any, **fields: Any) -> _pipe.Answer:
        """Ask about rows, and send the model along if it is not known."""
        check_is_fitted(self)
        X = self._checked(X, reset=False)
        table = encode(X, leave_out=tuple(self._roles()))
        options = {"threads": threads(self.n_jobs)}
        answer = self._ask(op, table.buffers, table=table.header(), options=options, **fields)
        warn(answer.warnings, stacklevel=4)
        return answer

    def _ask(self, op: str, buffers: Sequence[Any], **fields: Any) -> _pipe.Answer:
        try:
            return _pipe.ask(op, buffers, model={"id": self._id}, **fields)
        except RFPragmaValueError as e:
            if e.code != "unknown_model":
                raise
        return _pipe.ask(op, [*buffers, self.model_], model={"buffer": len(buffers)}, **fields)

    def predict(self, X: Any) -> NDArray[Any]:
        """Decide rows.

        Parameters
        ----------
        X : array of shape (n, p) or DataFrame
            Rows with the columns of the training.

        Returns
        -------
        array of shape (n,)
            The class of each.
        """
        decisions = np.frombuffer(self._asked("predict", X).buffer("decisions"), dtype="<i4")
        ours = np.append(self._to_ours, self._ties[0])  # -1, no tree has voted, is the most common class
        return np.asarray(self.classes_[ours[decisions]])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return calibrated probabilities.

        They do not depend on ``weights_``: a probability stays honest whatever errors cost. So the class of the largest
        one need not be the decision.

        Parameters
        ----------
        X : array of shape (n, p) or DataFrame
            Rows with the columns of the training.

        Returns
        -------
        array of shape (n, k)
            By class, in the order of ``classes_``.
        """
        return self._by_class(self._asked("predict", X, want=["probabilities"]).buffer("probabilities"))

    def _by_class(self, numbers: memoryview) -> NDArray[np.float64]:
        return np.frombuffer(numbers, dtype="<f8").reshape(-1, len(self._texts))[:, self._order]

    def votes(self, X: Any) -> NDArray[np.float64]:
        """Return how many trees vote for each class.

        Parameters
        ----------
        X : array of shape (n, p) or DataFrame
            Rows with the columns of the training.

        Returns
        -------
        array of shape (n, k)
            By class, in the order of ``classes_``.
        """
        return self._by_class(self._asked("predict", X, want=["votes"]).buffer("votes"))

    @available_if(_by_votes)
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the weighted shares of the votes, of which the largest decides.

        Parameters
        ----------
        X : array of shape (n, p) or DataFrame
            Rows with the columns of the training.

        Returns
        -------
        array of shape (n, k), or (n,) for two classes
            By class; for two classes the share of the second less that of the first.
        """
        answer = self._asked("predict", X, want=["votes"])
        decisions = np.frombuffer(answer.buffer("decisions"), dtype="<i4")
        decided = np.append(self._to_ours, self._ties[0])[decisions]
        return margins(self._by_class(answer.buffer("votes")) * self.weights_, decided)

    def reasons(self, X: Any, n: int = 3) -> list[list[dict[str, Any]]]:
        """Say for each row without which cells its class would lose most votes.

        Parameters
        ----------
        X : array of shape (m, p) or DataFrame
            Rows with the columns of the training.
        n : int, default=3
            How many cells at most.

        Returns
        -------
        list of list of dict
            For each row, cells with column, value, and the votes that fall, the most first.
        """
        found: list[list[dict[str, Any]]] = self._asked("predict", X, reasons=int(n)).result["reasons"]
        return [row or [] for row in found]

    def changes(
        self, X: Any, n: int = 2, *, label: Any = None, keep: Sequence[str] = ()
    ) -> list[dict[str, Any] | None]:
        """Find for each row the smallest change that turns its decision.

        Small means few cells, and of equally few those with the fewest thresholds of the model between old and new.
        The search is exact. It says what this model would decide, not what would change in the world.

        Parameters
        ----------
        X : array of shape (m, p) or DataFrame
            Rows with the columns of the training.
        n : int, default=2
            How many cells may change at most, 1 to 3.
        label : default=None
            The class that each row is to be decided as; None means any but that which is decided.
        keep : list of str, default=()
            Columns that must not change.

        Returns
        -------
        list of dict or None
            For each row the class then, and under cells the column, what it was, and its new value, of each that
            changes; None where no n cells turn the decision, or it is that already.
        """
        change = {"most": int(n), "class": "" if label is None else self._text(label), "keep": list(keep)}
        found: list[dict[str, Any] | None] = self._asked("predict", X, change=change).result["changes"]
        for row in found:
            if row:
                row["class"] = self.classes_[self._to_ours[self._texts.index(row["class"])]]
        return found

    def explain(
        self, X: Any, background: Any, label: Any = None, *, log_odds: bool = False, interventional: bool = False
    ) -> Any:
        """Split what the model says of each row into parts of the columns: SHAP values.

        The parts of a row sum up to its share of the votes for a class less the mean share of the background rows.

        Parameters
        ----------
        X : array of shape (m, p) or DataFrame
            Rows with the columns of the training.
        background : array or DataFrame
            Rows that say what is usual, such as those of the training.
        label : default=None
            The class; None means each.
        log_odds : bool, default=False
            Split the log odds of the probability in place of the votes; for two classes.
        interventional : bool, default=False
            Put cells of background rows in the place of those that are not known; slow for more than a hundred. Else
            the trees go both ways there.

        Returns
        -------
        shap.Explanation or Explanation
            With ``values`` (m, p), ``base_values`` (m,), ``data``, and ``feature_names``, of the columns that the model
            uses; with each class the first two have one more dimension, in the order of ``classes_``. It is one of the
            package shap, for its plots, where that is installed.

        References
        ----------
        Lundberg et al., Nature Machine Intelligence 2 (2020) 56-67.
        """
        check_is_fitted(self)
        asked = {"log_odds": bool(log_odds), "interventional": bool(interventional)}
        tables = [encode(self._checked(rows, reset=False), leave_out=tuple(self._roles())) for rows in (X, background)]
        table, usual = tables
        values, base = [], []
        for text in encode_labels(self.classes_) if label is None else [self._text(label)]:
            answer = self._ask(
                "explain", [*table.buffers, *usual.buffers], table=table.header(),
                background=usual.header(len(table.buffers)), explain=asked | {"class": text},
                options={"threads": threads(self.n_jobs)},
            )  # fmt: skip
            columns = answer.result["columns"]
            values.append(np.frombuffer(answer.buffer("parts"), dtype="<f8").reshape(-1, len(columns)))
            base.append(np.full(len(values[-1]), answer.result["base"]))
        warn(answer.warnings, stacklevel=3)
        one = label is not None
        return explanation(
            values=values[0] if one else np.stack(values, axis=-1),
            base_values=base[0] if one else np.stack(base, axis=-1),
            data=cells_of(X, columns),
            feature_names=columns,
        )

    def _text(self, label: Any) -> str:
        """Return a class as the model knows it."""
        check_is_fitted(self)
        at = np.flatnonzero(self.classes_ == label)
        if len(at) != 1:
            raise RFPragmaValueError(f"label is {label!r}, which is none of {self.classes_.tolist()}", "option")
        return encode_labels(self.classes_)[int(at[0])]

    @property
    def findings_(self) -> list[Finding]:
        """What is to be known of the votes on the training rows."""
        check_is_fitted(self)
        if self.oob_votes_ is None:
            return self._guarantees
        truth = np.argsort(self._order)  # of the model, by ours
        scores = {"classes": self._texts, "buffer": 0, "truth": 1}
        model_truth = self._order[self._truth].astype(np.int32)
        votes = np.ascontiguousarray(self.oob_votes_[:, truth])
        answer = self._ask("evaluate", [votes, model_truth], scores=scores, options={"threads": threads(self.n_jobs)})
        return [*self._guarantees, *findings(answer.result["findings"])]

    def save(self, path: str) -> None:
        """Write the model to a file that the command rfpragma, Go and R read."""
        check_is_fitted(self)
        with open(path, "wb") as file:
            file.write(self.model_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

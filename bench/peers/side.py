"""One fit and one prediction by a peer of the Python world, told as the last line, in JSON.

usage: side.py PEER[:SETTING]                                      prints the peer's version
       side.py PEER[:SETTING] STEM TREES THREADS SEED VOTES MODEL  measures it

STEM.train.X.npy and so on are the data; STEM.levels.npy, if it is there, tells of each column how
many levels it has, 0 if it is numeric. The shares of the votes of the test rows, or their
probabilities, float32 row by row, go to the file VOTES; what is decided, int32, goes to
VOTES.decided where that is not the largest of them. Unless MODEL is empty, the model is also
written to that file; scikit-learn reads it again, and is asked for rows one by one.
"""
import importlib
import json
import os
import re
import shutil
import sys
import time

import numpy as np

MODULE = {"rfpragma": "rfpragma", "scikit-learn": "sklearn", "imbalanced-learn": "imblearn", "ydf": "ydf", "ydf-bins": "ydf", "lightgbm": "lightgbm", "xgboost": "xgboost"}


def peak():
    """The most memory this process has held so far, in MB; None where the system does not say."""
    try:
        with open("/proc/self/status") as status:
            return int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024
    except OSError:
        return None


def timed(what):
    start = time.perf_counter()
    result = what()
    return result, time.perf_counter() - start


# A peer is made for a Case, with its modules loaded. Then fit(X, y) is timed, and ask(X), which
# returns the shares or probabilities, len(X) x classes. decide(X) returns decisions, None for the
# largest share; save(path) writes the model.


class ScikitLearn:
    """scikit-learn, plain or with one of its ways with rare classes. Categories are numbers to it."""

    def __init__(self, c):
        from sklearn.ensemble import RandomForestClassifier

        # In an inner cross-validation the forests come one after the other, each with all threads.
        forest = RandomForestClassifier(n_estimators=c.trees, max_features=c.mtry, n_jobs=c.threads, random_state=c.seed)
        if c.setting in ("balanced", "balanced_subsample"):
            forest.set_params(class_weight=c.setting)
        self.model, self.plain = wrapped(forest, c), c.setting == ""
        self.decides = c.setting == "threshold"

    def fit(self, x, y):
        self.model.fit(x, y)

    def ask(self, x):
        return self.model.predict_proba(x)

    def decide(self, x):
        return self.model.predict(x) if self.decides else None

    def nodes(self):
        return sum(tree.tree_.node_count for tree in self.model.estimators_) if self.plain else None

    def save(self, path):
        import joblib

        joblib.dump(self.model, path)


def wrapped(forest, c):
    """The forest, or what chooses a threshold or a map by an inner cross-validation of 5 folds."""
    if c.setting == "threshold":
        from sklearn.metrics import make_scorer
        from sklearn.model_selection import TunedThresholdClassifierCV

        if c.classes > 2:
            sys.exit("TunedThresholdClassifierCV is for two classes")
        scorer = make_scorer(pragma, greater_is_better=False, rare=c.rare)
        return TunedThresholdClassifierCV(forest, scoring=scorer, thresholds=100, response_method="predict_proba", cv=5, random_state=c.seed)
    if c.setting in ("isotonic", "sigmoid"):
        from sklearn.calibration import CalibratedClassifierCV

        return CalibratedClassifierCV(forest, method=c.setting, cv=5)
    return forest


def pragma(y, decided, rare):
    """What the decisions are judged by at the end, for a threshold to be chosen by it: theta 10, x 0.1 and y 0.9 for the rare class, 1, 0.8, 0.8 for others."""
    loss = total = 0.0
    for label in np.unique(y):
        hits = np.sum((y == label) & (decided == label))
        recall, precision = hits / np.sum(y == label), hits / max(1, np.sum(decided == label))
        theta, of_recall = (10, 0.9) if label == rare else (1, 0.5)
        loss += theta * (of_recall * (1 - recall) + (1 - of_recall) * (1 - precision))
        total += theta
    return loss / total


class RFPragma(ScikitLearn):
    """The estimator of our package for Python, asked for the forest alone or, tuned, for all that a model has.

    The forest alone is given its weights and takes votes out of bag, as our side in Go does, so that none is grown for
    the votes.
    """

    def __init__(self, c):
        from rfpragma import RFPragmaClassifier

        self.model = RFPragmaClassifier(
            n_estimators=c.trees, max_features=c.mtry, tune_forest="off", n_jobs=c.threads, random_state=c.seed,
        )
        self.decides = c.setting == "python-tuned"
        if self.decides:
            self.model.set_params(prefer={str(c.rare): {"theta": 10, "x": 0.1, "y": 0.9}, "*": {"theta": 1, "x": 0.8, "y": 0.8}})
        else:
            self.model.set_params(calibrate="none", options={"votes": "oob", "weights": {str(c.rare): 1}})

    def nodes(self):
        return None

    def save(self, path):
        self.model.save(path)


class ImbalancedLearn(ScikitLearn):
    """imbalanced-learn's balanced random forest, set as its documentation recommends."""

    def __init__(self, c):
        from imblearn.ensemble import BalancedRandomForestClassifier

        self.model, self.plain, self.decides = BalancedRandomForestClassifier(
            n_estimators=c.trees, max_features=c.mtry, sampling_strategy="all", replacement=True, bootstrap=False, n_jobs=c.threads, random_state=c.seed,
        ), True, False


def weights(y):
    """n / (K n_c) for each row, which is what scikit-learn calls balanced."""
    return (len(y) / (y.max() + 1) / np.bincount(y))[y]


class Ydf:
    """YDF, with exact splits or, which is its fast way, on at most 255 bins a column. It knows categories and missing cells.

    Told to try m features at a node it tries m + 1, so it is told one less; it cannot try just one.
    """

    def __init__(self, c):
        import ydf

        ydf.verbose(0)
        self.classes, self.levels, self.weighs = c.classes, c.levels, c.setting == "weights"
        self.learner = ydf.RandomForestLearner(
            label="y", weights="w" if self.weighs else None, num_trees=c.trees, num_candidate_attributes=max(1, c.mtry - 1), max_depth=-1, min_examples=1,
            num_threads=c.threads, random_seed=c.seed, winner_take_all=True, compute_oob_performances=False,
            discretize_numerical_columns=c.peer == "ydf-bins",
        )

    def columns(self, x):
        """Numbers as a matrix, and each categorical column as words."""
        data = {"x": x[:, self.levels == 0]}
        for j in np.flatnonzero(self.levels):
            data[f"c{j}"] = np.where(np.isnan(x[:, j]), "", np.char.add("level ", np.nan_to_num(x[:, j]).astype(int).astype(str)))
        return data

    def fit(self, x, y):
        data = self.columns(x) | {"y": y}
        if self.weighs:
            data["w"] = weights(y)
        self.model = self.learner.train(data)

    def ask(self, x):
        said = self.model.predict(self.columns(x))
        if said.ndim == 1:
            said = np.stack([1 - said, said], axis=1)
        shares = np.zeros((len(x), self.classes), np.float32)
        shares[:, [int(name) for name in self.model.label_classes()]] = said
        return shares

    def decide(self, x):
        return None

    def nodes(self):
        return self.model.num_nodes()

    def save(self, path):
        self.model.save(path)


# The two that boost begin at even odds here: begun at the shares of the classes, as is their
# default, one leaf of a rare class would outweigh all other trees.


class LightGBM:
    """LightGBM with boosting=rf: bins, leaf-wise, one tree for each class; rows drawn without replacement. It knows categories and missing cells."""

    def __init__(self, c):
        import lightgbm

        self.module, self.trees, self.weighs, self.categorical = lightgbm, c.trees, c.setting == "weights", np.flatnonzero(c.levels).tolist()
        self.settings = {
            "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.632, "feature_fraction_bynode": c.mtry / c.features,
            "num_leaves": max(2, min(c.rows, 131072)), "max_depth": -1, "min_data_in_leaf": 1,
            "min_sum_hessian_in_leaf": 1e-3 if self.weighs else 0.0, "min_data_in_bin": 1,  # 0 stops it where rows are weighted
            "histogram_pool_size": 64,  # MB; unbounded, that many leaves take gigabytes, and longer
            "boost_from_average": False, "num_threads": c.threads, "seed": c.seed, "verbosity": -1,
        }
        self.settings |= {"objective": "binary"} if c.classes == 2 else {"objective": "multiclass", "num_class": c.classes}

    def fit(self, x, y):
        # These weights are those of is_unbalance, and of class_weight="balanced".
        data = self.module.Dataset(x, y, weight=weights(y) if self.weighs else None, categorical_feature=self.categorical)
        self.model = self.module.train(self.settings, data, num_boost_round=self.trees)

    def ask(self, x):
        return both(self.model.predict(x))

    def decide(self, x):
        return None

    def nodes(self):
        return None

    def save(self, path):
        self.model.save_model(path)


class XGBoost:
    """XGBoost's forest mode: one round of many trees; rows drawn without replacement. It knows categories and missing cells."""

    def __init__(self, c):
        import xgboost

        self.module, self.threads, self.weighs = xgboost, c.threads, c.setting == "weights"
        self.kinds = ["c" if levels else "q" for levels in c.levels] if c.levels.any() else None
        self.settings = {
            "num_parallel_tree": c.trees, "learning_rate": 1.0, "subsample": 0.632, "colsample_bynode": c.mtry / c.features,
            "tree_method": "hist", "max_depth": 0, "min_child_weight": 0, "reg_lambda": 0.001, "base_score": 0.5, "nthread": c.threads, "seed": c.seed,
        }
        self.settings |= {"objective": "binary:logistic"} if c.classes == 2 else {"objective": "multi:softprob", "num_class": c.classes}

    def data(self, x, *y, **more):
        return self.module.DMatrix(x, *y, nthread=self.threads, feature_types=self.kinds, enable_categorical=self.kinds is not None, **more)

    def fit(self, x, y):
        # For two classes these weights do what scale_pos_weight does.
        data = self.data(x, y, weight=weights(y) if self.weighs else None)
        self.model = self.module.train(self.settings, data, num_boost_round=1)

    def ask(self, x):
        return both(self.model.predict(self.data(x)))

    def decide(self, x):
        return None

    def nodes(self):
        return None

    def save(self, path):
        self.model.save_model(path + ".ubj")
        os.replace(path + ".ubj", path)


def both(said):
    """Shares of both classes, where only those of the second are said."""
    return np.stack([1 - said, said], axis=1) if said.ndim == 1 else said


SIDE = {"rfpragma": RFPragma, "scikit-learn": ScikitLearn, "imbalanced-learn": ImbalancedLearn, "ydf": Ydf, "ydf-bins": Ydf, "lightgbm": LightGBM, "xgboost": XGBoost}


class Case:
    """What is asked for: peer, setting, stem, trees, threads, seed, votes, model; and of the data rows, features, classes, mtry, levels, the rarest class."""

    def __init__(self, args):
        self.peer, _, self.setting = args[0].partition(":")
        self.stem, self.votes, self.model = args[1], args[5], args[6]
        self.trees, self.threads, self.seed = (int(word) for word in args[2:5])

    def load(self, part):
        return np.load(f"{self.stem}.{part}.npy")


def measure(c):
    x, y = c.load("train.X"), c.load("train.y")
    (c.rows, c.features), c.classes = x.shape, int(y.max()) + 1
    c.mtry, c.rare = int(np.sqrt(c.features)), int(np.bincount(y).argmin())
    c.levels = c.load("levels") if os.path.exists(f"{c.stem}.levels.npy") else np.zeros(c.features, int)
    side = SIDE[c.peer](c)
    told = {"version": version(c.peer), "mtry": c.mtry}
    _, told["fit_s"] = timed(lambda: side.fit(x, y))
    told["fit_mb"] = peak()
    rows = c.load("test.X")
    shares, told["predict_s"] = timed(lambda: side.ask(rows))
    told["peak_mb"] = peak()
    told["nodes"] = side.nodes()
    np.ascontiguousarray(shares, np.float32).tofile(c.votes)
    decided = side.decide(rows)
    if decided is not None:
        np.ascontiguousarray(decided, np.int32).tofile(c.votes + ".decided")
    if c.model:
        side.save(c.model)
        told["file_bytes"] = size(c.model)
        if c.peer == "scikit-learn" and c.setting == "":
            told |= more(rows, c.model)
        remove(c.model)
    return told


def size(path):
    """Bytes of a file, or of all files of a folder."""
    if os.path.isdir(path):
        return sum(size(entry.path) for entry in os.scandir(path))
    return os.path.getsize(path)


def remove(path):
    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


def more(rows, path):
    """Seconds to load the model of a file, microseconds for a single row."""
    import joblib

    told = {}
    model, told["load_s"] = timed(lambda: joblib.load(path))
    model.n_jobs = 1
    took = [timed(lambda: model.predict_proba(rows[i : i + 1]))[1] for i in range(100)]
    told["row_us"] = float(np.median(took)) * 1e6
    return told


def version(peer):
    return importlib.import_module(MODULE[peer]).__version__


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps({"version": version(sys.argv[1].partition(":")[0])}))
    else:
        print(json.dumps(measure(Case(sys.argv[1:]))))

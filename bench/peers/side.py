"""One fit and one prediction by a peer of the Python world, told as the last line, in JSON.

usage: side.py PEER                                      prints the peer's version
       side.py PEER STEM TREES THREADS SEED VOTES MODEL  measures it

STEM.train.X.npy and so on are the data. The shares of the votes of the test rows, float32 row by
row, go to the file VOTES. Unless MODEL is empty, the model is also written to that file and
read again, and rows are asked one by one (scikit-learn only).
"""
import importlib
import json
import os
import re
import sys
import time

import numpy as np

MODULE = {"scikit-learn": "sklearn", "ydf": "ydf", "ydf-bins": "ydf", "lightgbm": "lightgbm", "xgboost": "xgboost"}


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
# returns the shares, len(X) x classes.


class ScikitLearn:
    def __init__(self, c):
        from sklearn.ensemble import RandomForestClassifier

        self.model = RandomForestClassifier(n_estimators=c.trees, max_features=c.mtry, n_jobs=c.threads, random_state=c.seed)

    def fit(self, x, y):
        self.model.fit(x, y)

    def ask(self, x):
        return self.model.predict_proba(x)

    def nodes(self):
        return sum(tree.tree_.node_count for tree in self.model.estimators_)


class Ydf:
    """YDF, with exact splits or, which is its fast way, on at most 255 bins a column."""

    def __init__(self, c):
        import ydf

        ydf.verbose(0)
        self.classes = c.classes
        self.learner = ydf.RandomForestLearner(
            label="y", num_trees=c.trees, num_candidate_attributes=c.mtry, max_depth=-1, min_examples=1, num_threads=c.threads,
            random_seed=c.seed, winner_take_all=True, compute_oob_performances=False, discretize_numerical_columns=c.peer == "ydf-bins",
        )

    def fit(self, x, y):
        self.model = self.learner.train({"x": x, "y": y})

    def ask(self, x):
        said = self.model.predict({"x": x})
        if said.ndim == 1:
            said = np.stack([1 - said, said], axis=1)
        shares = np.zeros((len(x), self.classes), np.float32)
        shares[:, [int(name) for name in self.model.label_classes()]] = said
        return shares

    def nodes(self):
        return self.model.num_nodes()


# The two that boost begin at even odds here: begun at the shares of the classes, as is their
# default, one leaf of a rare class would outweigh all other trees.


class LightGBM:
    """LightGBM with boosting=rf: bins, leaf-wise, one tree for each class; rows drawn without replacement."""

    def __init__(self, c):
        import lightgbm

        self.module, self.trees = lightgbm, c.trees
        self.settings = {
            "boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.632, "feature_fraction_bynode": c.mtry / c.features,
            "num_leaves": max(2, min(c.rows, 131072)), "max_depth": -1, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0, "min_data_in_bin": 1,
            "histogram_pool_size": 64,  # MB; unbounded, that many leaves take gigabytes, and longer
            "boost_from_average": False, "num_threads": c.threads, "seed": c.seed, "verbosity": -1,
        }
        self.settings |= {"objective": "binary"} if c.classes == 2 else {"objective": "multiclass", "num_class": c.classes}

    def fit(self, x, y):
        self.model = self.module.train(self.settings, self.module.Dataset(x, y), num_boost_round=self.trees)

    def ask(self, x):
        return both(self.model.predict(x))

    def nodes(self):
        return None


class XGBoost:
    """XGBoost's forest mode: one round of many trees; rows drawn without replacement."""

    def __init__(self, c):
        import xgboost

        self.module, self.threads = xgboost, c.threads
        self.settings = {
            "num_parallel_tree": c.trees, "learning_rate": 1.0, "subsample": 0.632, "colsample_bynode": c.mtry / c.features,
            "tree_method": "hist", "max_depth": 0, "min_child_weight": 0, "reg_lambda": 0.001, "base_score": 0.5, "nthread": c.threads, "seed": c.seed,
        }
        self.settings |= {"objective": "binary:logistic"} if c.classes == 2 else {"objective": "multi:softprob", "num_class": c.classes}

    def fit(self, x, y):
        self.model = self.module.train(self.settings, self.module.DMatrix(x, y, nthread=self.threads), num_boost_round=1)

    def ask(self, x):
        return both(self.model.predict(self.module.DMatrix(x, nthread=self.threads)))

    def nodes(self):
        return None


def both(said):
    """Shares of both classes, where only those of the second are said."""
    return np.stack([1 - said, said], axis=1) if said.ndim == 1 else said


SIDE = {"scikit-learn": ScikitLearn, "ydf": Ydf, "ydf-bins": Ydf, "lightgbm": LightGBM, "xgboost": XGBoost}


class Case:
    """What is asked for: peer, stem, trees, threads, seed, votes, model; and of the data rows, features, classes, mtry."""

    def __init__(self, args):
        self.peer, self.stem, self.votes, self.model = args[0], args[1], args[5], args[6]
        self.trees, self.threads, self.seed = (int(word) for word in args[2:5])

    def load(self, part):
        return np.load(f"{self.stem}.{part}.npy")


def measure(c):
    x, y = c.load("train.X"), c.load("train.y")
    (c.rows, c.features), c.classes = x.shape, int(y.max()) + 1
    c.mtry = int(np.sqrt(c.features))
    side = SIDE[c.peer](c)
    told = {"version": version(c.peer), "mtry": c.mtry}
    _, told["fit_s"] = timed(lambda: side.fit(x, y))
    told["fit_mb"] = peak()
    rows = c.load("test.X")
    shares, told["predict_s"] = timed(lambda: side.ask(rows))
    told["peak_mb"] = peak()
    told["nodes"] = side.nodes()
    np.ascontiguousarray(shares, np.float32).tofile(c.votes)
    if c.model and c.peer == "scikit-learn":
        told |= more(side.model, rows, c.model)
    return told


def more(model, rows, path):
    """Size of the model's file, seconds to load it, microseconds for a single row."""
    import joblib

    joblib.dump(model, path)
    told = {"file_bytes": os.path.getsize(path)}
    model, told["load_s"] = timed(lambda: joblib.load(path))
    os.remove(path)
    model.n_jobs = 1
    took = [timed(lambda: model.predict_proba(rows[i : i + 1]))[1] for i in range(100)]
    told["row_us"] = float(np.median(took)) * 1e6
    return told


def version(peer):
    return importlib.import_module(MODULE[peer]).__version__


if __name__ == "__main__":
    if len(sys.argv) == 2:
        print(json.dumps({"version": version(sys.argv[1])}))
    else:
        print(json.dumps(measure(Case(sys.argv[1:]))))

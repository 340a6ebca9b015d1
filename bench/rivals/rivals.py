"""Probabilities of a rival of the Python world, told in files; the last line of the output is JSON.

usage: rivals.py RIVAL          prints its version
       rivals.py RIVAL FOLDER   does the task in the folder

See task and answer in process.go. Rivals have their default settings, but for what stands here; categories and missing cells are
given to each as its documentation advises.
"""
import importlib
import json
import os
import pathlib
import sys
import time

import numpy as np


# A rival is made for a Task, with its modules loaded. fit(x, y, seed) returns what ask takes; ask(model, x) returns probabilities of the
# classes in y, which are 0, 1, ... without a gap.


class RandomForest:
    """500 trees. Categories are one-hot, a missing one being a level of its own; missing numbers are left to the trees, which know them."""

    needs, trees = ["sklearn.ensemble"], 500

    def __init__(self, task):
        self.levels, self.threads = task["levels"], task["threads"]

    def coded(self, x):
        columns = []
        for j, levels in enumerate(self.levels):
            if levels == 0:
                columns.append(x[:, [j]])
                continue
            level = np.where(np.isnan(x[:, j]), levels, x[:, j])
            columns.append((level[:, None] == np.arange(levels + 1)).astype(float))
        return np.hstack(columns)

    def fit(self, x, y, seed):
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(self.trees, n_jobs=self.threads, random_state=seed).fit(self.coded(x), y)

    def ask(self, model, x):
        return model.predict_proba(self.coded(x))

    def smooth(self, p):
        """As if one more tree had split its vote evenly, as ours are smoothed: so no class has probability 0."""
        return (self.trees * p + 1 / p.shape[1]) / (self.trees + 1)


class HistGradientBoosting:
    """Categories and missing cells are native. It takes up to 255 levels; a column of more is a number to it. It fails on a column of
    which it sees no cell, so that is 0 throughout, which tells as little."""

    needs = ["sklearn.ensemble"]

    def __init__(self, task):
        self.categorical = np.array([0 < levels <= 255 for levels in task["levels"]])

    def fit(self, x, y, seed):
        from sklearn.ensemble import HistGradientBoostingClassifier

        empty = np.isnan(x).all(axis=0)
        model = HistGradientBoostingClassifier(categorical_features=self.categorical, random_state=seed)
        return model.fit(np.where(empty, 0, x), y), empty

    def ask(self, fitted, x):
        model, empty = fitted
        return model.predict_proba(np.where(empty, 0, x))


class LightGBM:
    """Categories and missing cells are native."""

    needs = ["lightgbm", "sklearn"]

    def __init__(self, task):
        self.categorical, self.threads = [j for j, levels in enumerate(task["levels"]) if levels], task["threads"]

    def fit(self, x, y, seed):
        from lightgbm import LGBMClassifier

        model = LGBMClassifier(n_jobs=self.threads, random_state=seed, deterministic=True, force_row_wise=True, verbose=-1)
        return model.fit(x, y, categorical_feature=self.categorical)

    def ask(self, model, x):
        return model.predict_proba(x)


class XGBoost:
    """Categories (enable_categorical) and missing cells are native."""

    needs = ["xgboost", "sklearn"]

    def __init__(self, task):
        self.types, self.threads = ["c" if levels else "q" for levels in task["levels"]], task["threads"]

    def fit(self, x, y, seed):
        from xgboost import XGBClassifier

        return XGBClassifier(enable_categorical=True, feature_types=self.types, n_jobs=self.threads, random_state=seed).fit(x, y)

    def ask(self, model, x):
        return model.predict_proba(x)


class CatBoost:
    """500 iterations, half the default, because of the time. Categories are native, a missing one is a level of its own; missing numbers are native."""

    needs = ["catboost"]

    def __init__(self, task):
        self.categorical, self.threads = [j for j, levels in enumerate(task["levels"]) if levels], task["threads"]

    def coded(self, x):
        if not self.categorical:
            return x
        x = x.astype(object)
        for j in self.categorical:
            x[:, j] = ["missing" if np.isnan(v) else str(int(v)) for v in x[:, j].astype(float)]
        return x

    def fit(self, x, y, seed):
        from catboost import CatBoostClassifier

        model = CatBoostClassifier(
            iterations=500, cat_features=self.categorical, thread_count=self.threads, random_seed=seed, verbose=False, allow_writing_files=False,
        )
        return model.fit(self.coded(x), y)

    def ask(self, model, x):
        return model.predict_proba(self.coded(x))


class TabPFN:
    """Only with weights that are there: nothing is fetched."""

    needs = ["tabpfn"]

    def __init__(self, task):
        self.categorical = [j for j, levels in enumerate(task["levels"]) if levels]
        if task["classes"] > 10:
            sys.exit("TabPFN takes up to 10 classes")

    @staticmethod
    def weights():
        """The newest file of weights of a classifier, where the library keeps them; an error if there is none."""
        home = pathlib.Path.home()
        folders = [os.environ.get("TABPFN_MODEL_CACHE_DIR"), os.environ.get("XDG_CACHE_HOME", home / ".cache") / pathlib.Path("tabpfn"), home / "Library/Caches/tabpfn"]
        files = [f for folder in folders if folder for f in pathlib.Path(folder).glob("tabpfn*classifier*.ckpt")]
        if not files:
            sys.exit("there are no weights of TabPFN, and none are fetched; keep them in the folder that TABPFN_MODEL_CACHE_DIR names")
        return max(files, key=lambda f: (f.stat().st_mtime, f.name))

    def fit(self, x, y, seed):
        from tabpfn import TabPFNClassifier

        model = TabPFNClassifier(
            model_path=str(self.weights()), device="cpu", categorical_features_indices=self.categorical, random_state=seed, ignore_pretraining_limits=True,
        )
        return model.fit(x, y)

    def ask(self, model, x):
        return model.predict_proba(x)


RIVALS = {
    "random-forest": RandomForest, "hist-gradient-boosting": HistGradientBoosting, "lightgbm": LightGBM, "xgboost": XGBoost,
    "catboost": CatBoost, "tabpfn": TabPFN,
}


def version(name):
    """The version of the rival; ends the program where it cannot run."""
    os.environ.update(HF_HUB_OFFLINE="1", TABPFN_DISABLE_TELEMETRY="1", TABPFN_ALLOW_CPU_LARGE_DATASET="1")
    needs = RIVALS[name].needs
    for module in needs:
        importlib.import_module(module)
    of = sys.modules[needs[0].partition(".")[0]].__version__
    if name == "tabpfn":
        of += " " + TabPFN.weights().name
    return of


def does(rival, task, x, y, within, asked, seed, out):
    """Fits on the rows within and writes the probabilities of the rows asked. Returns the seconds to fit."""
    start = time.perf_counter()
    present, coded = np.unique(y[within], return_inverse=True)
    model = rival.fit(x[within], coded, seed)
    seconds = time.perf_counter() - start
    p = np.zeros((np.sum(asked), task["classes"]))
    p[:, present] = rival.ask(model, x[asked])
    out[asked] = rival.smooth(p) if hasattr(rival, "smooth") else p
    return seconds


def main():
    name = sys.argv[1]
    told = {"version": version(name)}
    if len(sys.argv) > 2:
        folder = pathlib.Path(sys.argv[2])
        task = json.loads((folder / "task.json").read_text())
        x = np.fromfile(folder / "cells", "<f8").reshape(task["rows"], len(task["levels"]))
        y, outer = np.array(task["truth"]), np.array(task["outer"])
        rival = RIVALS[name](task)
        out, told["seconds"] = np.zeros((len(task["inner"]), task["rows"], task["classes"])), []
        for fold, inner in enumerate(task["inner"]):
            inner, seed = np.array(inner), 1000 * task["seed"] + fold
            start = time.perf_counter()
            for part in range(task["parts"]):
                does(rival, task, x, y, (inner >= 0) & (inner != part), inner == part, seed, out[fold])
            within = time.perf_counter() - start
            told["seconds"].append(within + does(rival, task, x, y, outer != fold, outer == fold, seed, out[fold]))
        out.astype("<f8").tofile(folder / "probabilities")
    print(json.dumps(told))


main()

"""Writes scikit.json, a forest of scikit-learn as rfpragma imports it, and shap.json, its rows and what the
TreeExplainer of the package shap says of them.

    pip install shap scikit-learn; python scikit.py

Last written with shap 0.51.0 and scikit-learn 1.9.1. The data are made up; nothing is downloaded.
"""

import json
import pathlib
import sys

import numpy as np
import shap
from sklearn.ensemble import RandomForestClassifier

here = pathlib.Path(__file__).parent
sys.path.append(str(here.parents[1] / "foreign" / "testdata"))
from sklearn_json import export  # noqa: E402

rng = np.random.default_rng(5)
x = (np.round(64 * rng.normal(size=(150, 5))) / 64).astype(np.float32)  # float32 has them exactly
x[:, 4] = rng.integers(0, 4, len(x))
y = np.array(["well", "ill", "unclear"])[(x[:, 0] + x[:, 1] * x[:, 2] > 0.5).astype(int) + (x[:, 4] > 2)]

# Without bags what a tree was grown on is what shap goes by where a cell is not known.
forest = RandomForestClassifier(5, bootstrap=False, max_depth=7, random_state=1).fit(x, y)
rows, background = x[:10], x[100:115]
path = shap.TreeExplainer(forest)
interventional = shap.TreeExplainer(forest, background, feature_perturbation="interventional")
export(forest, here / "scikit.json")
(here / "shap.json").write_text(json.dumps({
    "train": x.astype(float).tolist(), "labels": y.tolist(),
    "rows": rows.astype(float).tolist(), "background": background.astype(float).tolist(),
    "classes": forest.classes_.tolist(),
    "base": path.expected_value.tolist(),
    "values": path.shap_values(rows).tolist(),  # rows, features, classes
    "interventional_base": interventional.expected_value.tolist(),
    "interventional": interventional.shap_values(rows).tolist(),
}, separators=(",", ":")) + "\n")

"""Writes shap.json: a forest of scikit-learn as plain nodes, and what shap's TreeExplainer says of its rows.

    pip install shap scikit-learn; python explain.py > shap.json

Last written with shap 0.51.0 and scikit-learn 1.9.1. The data are made up; nothing is downloaded.
"""

import json
import sys

import numpy as np
import shap
import sklearn
from sklearn.ensemble import RandomForestClassifier

rng = np.random.default_rng(7)
n, p = 300, 7
x = (np.round(64 * rng.normal(size=(n, p))) / 64).astype(np.float32)  # float32 has them exactly
x[:, 5] = rng.integers(0, 4, n)
y = (x[:, 0] + x[:, 1] * x[:, 2] + 0.5 * rng.normal(size=n) > 0).astype(int) + (x[:, 5] > 2)

forest = RandomForestClassifier(4, max_depth=9, random_state=1).fit(x, y)
rows, background = x[:12], x[100:115]
path = shap.TreeExplainer(forest)
interventional = shap.TreeExplainer(forest, background, feature_perturbation="interventional")

trees = []
for tree in (e.tree_ for e in forest.estimators_):
    leaf = tree.children_left < 0
    trees.append({
        "feature": np.where(leaf, -1, tree.feature).tolist(),
        "threshold": np.where(leaf, 0, tree.threshold).tolist(),
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "cover": tree.weighted_n_node_samples.tolist(),
        "value": (tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)).tolist(),
    })
print(f"shap {shap.__version__}, scikit-learn {sklearn.__version__}", file=sys.stderr)
json.dump({
    "trees": trees,
    "rows": rows.astype(float).tolist(),
    "background": background.astype(float).tolist(),
    "base": path.expected_value.tolist(),
    "values": path.shap_values(rows).tolist(),  # rows, features, classes
    "interventional_base": interventional.expected_value.tolist(),
    "interventional": interventional.shap_values(rows).tolist(),
}, sys.stdout, separators=(",", ":"))

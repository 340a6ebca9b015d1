"""Fits a forest of scikit-learn, writes it for main.go as plain nodes, and times shap's TreeExplainer on it.

Writes to the folder that it is given: forest.json, and the parts that shap finds. Prints the processor seconds, best of three.
"""

import json
import pathlib
import sys
import time

import numpy as np
import shap
from sklearn.ensemble import RandomForestClassifier

folder, columns, depth, rows = pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:5])
rng = np.random.default_rng(1)
x = (np.round(64 * rng.normal(size=(10_000, columns))) / 64).astype(np.float32)  # float32 has them exactly
score = x[:, 0] + x[:, 1] * x[:, 2] + x[:, 3] ** 2 - 1 + rng.normal(size=len(x))
y = score > 1.5
forest = RandomForestClassifier(100, max_depth=depth, n_jobs=-1, random_state=1).fit(x, y)
explainer, asked = shap.TreeExplainer(forest), x[:rows]


def timed():
    start = time.process_time()
    values = explainer.shap_values(asked)
    return time.process_time() - start, values


seconds, values = min((timed() for _ in range(3)), key=lambda run: run[0])
trees = []
for tree in (e.tree_ for e in forest.estimators_):
    leaf = tree.children_left < 0
    trees.append({
        "feature": np.where(leaf, -1, tree.feature).tolist(),
        "threshold": np.where(leaf, 0, tree.threshold).tolist(),
        "left": tree.children_left.tolist(),
        "right": tree.children_right.tolist(),
        "cover": tree.weighted_n_node_samples.tolist(),
        "value": (tree.value[:, 0, 1] / tree.value[:, 0, :].sum(axis=1)).tolist(),
    })
(folder / "forest.json").write_text(json.dumps({
    "trees": trees, "rows": asked.astype(float).tolist(), "values": values[:, :, 1].tolist()}))
print(seconds)

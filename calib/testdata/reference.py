"""Reference values for calib, from scikit-learn's isotonic regression and proper scores.

python reference.py       (made with scikit-learn 1.9.1; reads r.csv, writes sklearn.json here)
"""
import csv
import json

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

with open("r.csv") as f:
    rows = list(csv.DictReader(f))

isotonic = []
for case in dict.fromkeys(r["case"] for r in rows):
    score, hit, weight = (np.array([float(r[c]) for r in rows if r["case"] == case]) for c in ("score", "hit", "weight"))
    fit = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(score, hit, weight)
    span = score.max() - score.min()
    new = np.linspace(score.min() - span / 10, score.max() + span / 10, 41)
    isotonic.append({"case": case, "score": new.tolist(), "prob": fit.predict(new).tolist()})

rng = np.random.default_rng(7)
scores = []
for k, weighted in [(2, False), (2, True), (3, False), (5, True)]:
    prob = rng.dirichlet(np.ones(k), 12)
    truth = np.r_[np.arange(k), rng.integers(0, k, 12 - k)]
    weight = rng.uniform(0.1, 3, 12) if weighted else None
    given = prob[:, 1] if k == 2 else prob
    scores.append({
        "k": k, "prob": prob.ravel().tolist(), "truth": truth.tolist(),
        "weight": weight.tolist() if weighted else None,
        "brier": brier_score_loss(truth, given, sample_weight=weight),
        "logloss": log_loss(truth, prob, sample_weight=weight),
    })

with open("sklearn.json", "w") as f:
    json.dump({"isotonic": isotonic, "scores": scores}, f)
    f.write("\n")

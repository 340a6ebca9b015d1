"""Reference values for the judging half of calib, from scikit-learn.

python judging.py       (made with scikit-learn 1.9.1; writes judging.csv and judging.json here)

judging.csv has the rows of all cases; judging.R reads it. Weights of 1 are rows without one.
"""
import csv
import json

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, mean_pinball_loss, roc_auc_score

rng = np.random.default_rng(11)
logistic = lambda x: 1 / (1 + np.exp(-x))


def drawn(prob):
    return (rng.uniform(size=len(prob)) < prob).astype(int)


cases = {}
p = rng.beta(0.8, 1.6, 200)
cases["calibrated"] = p, drawn(p), np.ones(200)
p = rng.beta(0.8, 1.6, 200)
cases["too extreme"] = logistic(2 * np.log(p / (1 - p)) - 1), drawn(p), np.ones(200)
p = (rng.binomial(20, rng.beta(0.6, 0.9, 300)) + 0.5) / 21
cases["votes"] = p, drawn(0.1 + 0.8 * p), np.ones(300)
p = rng.binomial(20, rng.beta(0.6, 0.9, 300)) / 20
cases["certain"] = p, drawn(0.1 + 0.8 * p), np.ones(300)
p = rng.beta(0.5, 20, 500)
cases["rare"] = p, drawn(p), np.ones(500)
p = rng.beta(2, 2, 120)
cases["backwards"] = p, drawn(1 - p), np.ones(120)
p = np.round(rng.beta(1, 1, 150), 2)
cases["whole weights"] = p, drawn(p**2), rng.integers(1, 6, 150).astype(float)
p = np.round(rng.beta(1, 1, 150), 2)
cases["real weights"] = p, drawn(p**0.7), rng.gamma(1, 2, 150)

with open("judging.csv", "w") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(["case", "prob", "hit", "weight"])
    for name, (prob, hit, weight) in cases.items():
        out.writerows([name, repr(float(p)), int(h), repr(float(w))] for p, h, w in zip(prob, hit, weight))

reference = []
for name, (prob, hit, weight) in cases.items():
    uniform, quantile = ([c.tolist() for c in calibration_curve(hit, prob, n_bins=10, strategy=s)] for s in ("uniform", "quantile"))
    clipped = np.clip(prob, 1e-15, 1 - 1e-15)
    reference.append({
        "case": name,
        "auc": roc_auc_score(hit, prob, sample_weight=weight),
        "average_precision": average_precision_score(hit, prob, sample_weight=weight),
        "brier": brier_score_loss(hit, prob, sample_weight=weight),
        "log_loss": log_loss(hit, np.c_[1 - clipped, clipped], sample_weight=weight),
        # Of rows without weights; mean probabilities and shares of the bins that are not empty.
        # A probability at the border of two bins goes down there, and up in calib.
        "uniform": uniform[::-1] if (weight == 1).all() and not np.isin(np.arange(11) / 10, np.round(prob, 12)).any() else None,
        # Only where no values tie at the borders and all bins are of one size is there one way to cut.
        "quantile": quantile[::-1] if (weight == 1).all() and len(set(prob)) == len(prob) else None,
    })

target, forecast, weight = rng.normal(size=40), rng.normal(size=40), rng.gamma(1, 2, 40)
pinball = {
    "target": target.tolist(), "forecast": forecast.tolist(), "weight": weight.tolist(),
    "tau": [0, 0.1, 0.5, 0.95, 1],
}
pinball["loss"] = [mean_pinball_loss(target, forecast, sample_weight=weight, alpha=t) for t in pinball["tau"]]

with open("judging.json", "w") as f:
    json.dump({"cases": reference, "pinball": pinball}, f)
    f.write("\n")

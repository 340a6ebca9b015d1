"""Reference values for the maps of calib from Python's packages.

python maps.py       (made with scikit-learn 1.9.1, betacal 1.1.0, venn-abers 1.5.4, scipy; reads r.csv, writes maps.json here)

Scikit-learn and betacal fit to the labels themselves, calib to Platt's targets, so the tests
switch the smoothing off. Scikit-learn's sigmoid has Platt's targets.
"""
import csv
import json

import numpy as np
from betacal import BetaCalibration
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.calibration import _SigmoidCalibration, _TemperatureScaling
from venn_abers import VennAbers

with open("r.csv") as f:
    rows = list(csv.DictReader(f))

binary = []
for case in ("votes", "rare", "backwards", "separated", "margins"):
    score, hit, weight = (np.array([float(r[c]) for r in rows if r["case"] == case]) for c in ("score", "hit", "weight"))
    sigmoid = _SigmoidCalibration().fit(score, hit, weight)
    out = {"case": case, "sigmoid": sigmoid.predict(score).tolist()}
    if case in ("rare", "votes"):
        share = (score * 20 + 0.5) / 21  # never 0 or 1
        beta = BetaCalibration(parameters="abm").fit(share, hit, weight)
        out["share"], out["beta"] = share.tolist(), beta.predict(share).tolist()
        out["slope"] = float(_TemperatureScaling().fit(np.c_[1 - share, share], hit, weight).beta_)
    if (weight == 1).all() and case != "margins":
        va = VennAbers()
        va.fit(np.c_[1 - score, score], hit)
        new = np.linspace(-0.05, 1.05, 111)
        _, p = va.predict_proba(np.c_[1 - new, new])
        out["new"], out["low"], out["high"] = new.tolist(), p[:, 0].tolist(), p[:, 1].tolist()
    binary.append(out)


def vector(log, truth, weight):
    """Slopes in [0, 100] and offsets of multinomial logistic regression on logarithms, with targets like Platt's."""
    n, k = log.shape
    count = np.array([weight[truth == c].sum() for c in range(k)])
    target = np.empty((n, k))
    for i, t in enumerate(truth):
        target[i] = 1 / (count[t] + 2) / (k - 1)
        target[i, t] = (count[t] + 1) / (count[t] + 2)

    def loss(x):
        q = log_softmax(log * x[:k] + np.r_[0, x[k:]], axis=1)
        d = weight[:, None] * (np.exp(q) - target)
        return -(weight[:, None] * target * q).sum() / weight.sum(), np.r_[(d * log).sum(0), d.sum(0)[1:]] / weight.sum()

    bounds = [(0, 100)] * k + [(None, None)] * (k - 1)
    best = minimize(loss, np.r_[np.ones(k), np.zeros(k - 1)], jac=True, method="L-BFGS-B", bounds=bounds,
                    options={"maxiter": 100000, "maxfun": 1000000, "ftol": 1e-16, "gtol": 1e-11, "maxcor": 50})
    return best.x, np.exp(log_softmax(log * best.x[:k] + np.r_[0, best.x[k:]], axis=1))


rng = np.random.default_rng(11)
classes = []
for k, n in [(3, 150), (3, 60), (6, 400)]:
    likely = rng.dirichlet(np.full(k, 0.5), n)
    truth = np.array([rng.choice(k, p=p) for p in likely])
    truth[:k] = np.arange(k)
    votes = np.array([rng.multinomial(50, 0.6 * p + 0.4 / k) for p in likely])
    share = (votes + 0.5) / (51 if k == 3 else 50 + k / 2)
    share /= share.sum(1, keepdims=True)
    weight = rng.integers(1, 4, n).astype(float)
    _, prob = vector(np.log(share), truth, weight)
    classes.append({
        "k": k, "share": share.ravel().tolist(), "truth": truth.tolist(), "weight": weight.tolist(),
        "slope": float(_TemperatureScaling().fit(share, truth, weight).beta_), "vector": prob.ravel().tolist(),
    })

with open("maps.json", "w") as f:
    json.dump({"binary": binary, "classes": classes}, f)
    f.write("\n")

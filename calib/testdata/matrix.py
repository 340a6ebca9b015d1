"""Reference values for temperature and structured matrix scaling, by scipy, from their definitions.

python matrix.py       (made with scipy 1.17.1; reads maps.json and r.csv, writes matrix.json here)

Temperature: 1/T with Platt's targets. Matrix: W = (I + D)/T with the labels as targets, and the sum over the rows of the log loss
increased by k·|b|², k·|diag D|² and k(k-1)·|the rest of D|²; for two classes with Platt's targets, as a, b, c of a beta curve, by
half of (aT - 1)² + (bT - 1)² + c². Weights have mean 1 in the loss.
"""
import csv
import json

import numpy as np
import scipy
from scipy.optimize import minimize, minimize_scalar
from scipy.special import log_expit, log_softmax

print(scipy.__version__)


def targets(truth, weight, k):
    count = np.array([weight[truth == c].sum() for c in range(k)])
    target = np.empty((len(truth), k))
    for i, t in enumerate(truth):
        target[i] = 1 / (count[t] + 2) / (k - 1)
        target[i, t] = (count[t] + 1) / (count[t] + 2)
    return target


def slope(log, target, weight):
    loss = lambda a: -(weight[:, None] * target * log_softmax(a * log, axis=1)).sum()
    return minimize_scalar(loss, bounds=(0, 100), method="bounded", options={"xatol": 1e-12}).x


def least(loss, x):
    for _ in range(3):
        x = minimize(loss, x, jac=True, method="L-BFGS-B", options={"maxiter": 100000, "maxfun": 1000000, "ftol": 1e-16, "gtol": 1e-12, "maxcor": 50}).x
    return x


def matrix(log, truth, weight, t):
    n, k = log.shape
    x, hit = t * log, np.eye(k)[truth]
    pull = np.where(np.eye(k) == 1, k, k * (k - 1))

    def loss(v):
        d, b = v[: k * k].reshape(k, k), v[k * k:]
        q = log_softmax(x + x @ d.T + b, axis=1)
        off = weight[:, None] * (np.exp(q) - hit)
        value = -(weight[:, None] * hit * q).sum() + (pull * d * d).sum() + k * b @ b
        return value, np.r_[(off.T @ x + 2 * pull * d).ravel(), off.sum(0) + 2 * k * b]

    v = least(loss, np.zeros(k * k + k))
    return np.exp(log_softmax(x + x @ v[: k * k].reshape(k, k).T + v[k * k:], axis=1))


def curve(share, hit, weight, t):
    target = targets(hit, weight, 2)[:, 1]
    own, rest = np.log(share), np.log1p(-share)

    def loss(v):
        a, b, c = v
        z = a * own - b * rest + c
        off = weight * (1 / (1 + np.exp(-z)) - target)
        value = -(weight * (target * log_expit(z) + (1 - target) * log_expit(-z))).sum() + ((a / t - 1) ** 2 + (b / t - 1) ** 2 + c * c) / 2
        return value, np.array([off @ own + (a / t - 1) / t, -off @ rest + (b / t - 1) / t, off.sum() + c])

    return least(loss, np.array([t, t, 0])).tolist()


with open("maps.json") as f:
    maps = json.load(f)
with open("r.csv") as f:
    rows = list(csv.DictReader(f))
out = {"binary": [], "classes": []}
for case in maps["binary"]:
    if "share" not in case:
        continue
    hit, weight = (np.array([float(r[c]) for r in rows if r["case"] == case["case"]]) for c in ("hit", "weight"))
    share = np.array(case["share"])
    t = slope(np.log(np.c_[1 - share, share]), targets(hit.astype(int), weight, 2), weight)
    out["binary"].append({"case": case["case"], "slope": t, "curve": curve(share, hit.astype(int), weight, t)})
for case in maps["classes"]:
    k, truth, weight = case["k"], np.array(case["truth"]), np.array(case["weight"])
    log = np.log(np.array(case["share"]).reshape(-1, k))
    t = slope(log, targets(truth, weight, k), weight)
    out["classes"].append({"slope": t, "matrix": matrix(log, truth, weight, t).ravel().tolist()})
with open("matrix.json", "w") as f:
    json.dump(out, f)
    f.write("\n")

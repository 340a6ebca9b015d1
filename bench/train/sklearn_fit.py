"""Fits scikit-learn's random forest each time a line with a seed comes in, and answers with
the seconds it took and the accuracy of its out-of-bag votes.

usage: sklearn_fit.py DATA.csv TREES MTRY THREADS   (numeric columns, label last)
"""
import csv
import sys
import time

import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier

path, trees, mtry, threads = sys.argv[1], *map(int, sys.argv[2:5])
with open(path, newline="") as f:
    rows = list(csv.reader(f))[1:]
X = np.array([[float(c) for c in r[:-1]] for r in rows])
y = np.array([r[-1] for r in rows])
print(sklearn.__version__, flush=True)
for line in sys.stdin:
    model = RandomForestClassifier(n_estimators=trees, max_features=mtry, n_jobs=threads, random_state=int(line))
    start = time.perf_counter()
    model.fit(X, y)
    seconds = time.perf_counter() - start
    # Out-of-bag votes are counted apart from the timed fit, which makes it easier for this side.
    model.set_params(oob_score=True)
    model.fit(X, y)
    print(seconds, model.oob_score_, flush=True)

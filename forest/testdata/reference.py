"""Figures of scikit-learn on public sets, for sklearn.csv:

    python3 reference.py FOLDER > sklearn.csv

FOLDER holds the sets as NAME/NAME.csv, the label last, in a column named class. Every fifth
row, the first among them, is a test row, the others train. Mean and standard deviation are
those of 20 seeds. What is compared:

    extra    ExtraTreesClassifier, test accuracy
    entropy  RandomForestClassifier(criterion="entropy"), test accuracy
    leaf     RandomForestClassifier with leaves of a weight of at least 5 (min_samples_leaf
             counts different rows, not draws), test log loss of predict_proba, 0 taken as 1e-4
"""

import csv
import sys
from os.path import join

import numpy as np
import sklearn
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

TREES, SEEDS = 50, range(20)


def read(folder, name):
    with open(join(folder, name, name + ".csv"), newline="") as f:
        rows = list(csv.reader(f))[1:]
    x = np.array([[float(v) for v in r[:-1]] for r in rows])
    y = np.array([r[-1] for r in rows])
    test = np.arange(len(y)) % 5 == 0
    return x[~test], y[~test], x[test], y[test]


def accuracy(forest, x, y):
    return np.mean(forest.predict(x) == y)


def log_loss(forest, x, y):
    p = forest.predict_proba(x)[np.arange(len(y)), np.searchsorted(forest.classes_, y)]
    return -np.mean(np.log(np.maximum(p, 1e-4)))


print("what,set,trees,seeds,mean,sd,version")
for what, name, make, judge in [
    ("extra", "satimage", lambda n, s: ExtraTreesClassifier(TREES, random_state=s), accuracy),
    ("extra", "phoneme", lambda n, s: ExtraTreesClassifier(TREES, random_state=s), accuracy),
    ("entropy", "satimage", lambda n, s: RandomForestClassifier(TREES, criterion="entropy", random_state=s), accuracy),
    ("entropy", "phoneme", lambda n, s: RandomForestClassifier(TREES, criterion="entropy", random_state=s), accuracy),
    ("leaf", "satimage", lambda n, s: RandomForestClassifier(TREES, min_weight_fraction_leaf=4.999 / n, random_state=s), log_loss),
]:
    train, labels, x, y = read(sys.argv[1], name)
    values = [judge(make(len(labels), seed).fit(train, labels), x, y) for seed in SEEDS]
    print(f"{what},{name},{TREES},{len(SEEDS)},{np.mean(values):.6f},{np.std(values, ddof=1):.6f},scikit-learn {sklearn.__version__}", flush=True)

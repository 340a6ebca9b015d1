"""Probabilities of scikit-learn's forest on the sets and outer folds that the study has written, raw and calibrated.

    go run ./calibration -export FOLDER german_credit.csv sick.csv ...
    python3 calibration/peers.py FOLDER --trees 200
    go run ./calibration -peers FOLDER german_credit.csv sick.csv ...

A forest without a map votes with the shares of the classes in its leaves. CalibratedClassifierCV has five inner folds, as many as ours.
"""
import argparse
import csv
import pathlib

import numpy
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import RandomForestClassifier

parser = argparse.ArgumentParser()
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--trees", type=int, default=200)
parser.add_argument("--seeds", type=int, default=1)
args = parser.parse_args()

WAYS = [("sklearn-none", None, None)] + [
    (f"sklearn-{method}-{'ensemble' if ensemble else 'single'}", method, ensemble) for method in ("sigmoid", "isotonic") for ensemble in (True, False)
]


def model(method, ensemble, seed):
    forest = RandomForestClassifier(args.trees, random_state=seed, n_jobs=2)
    return forest if method is None else CalibratedClassifierCV(forest, method=method, cv=5, ensemble=ensemble)


for path in sorted(args.folder.glob("*.csv")):
    if path.name.count(".") > 1:
        continue
    with path.open(newline="") as file:
        head, *lines = csv.reader(file)
    table = numpy.array([[float(cell) if cell else numpy.nan for cell in line] for line in lines])
    at = head.index("class")
    x, y = table[:, :at], table[:, at].astype(int)
    for seed in range(args.seeds):
        fold = table[:, head.index(f"fold{seed}")].astype(int)
        for name, method, ensemble in WAYS:
            to = args.folder / f"{path.stem}.{seed}.{name}.csv"
            if to.exists():
                continue
            out = numpy.zeros((len(y), y.max() + 1))
            for f in range(fold.max() + 1):
                test = fold == f
                try:
                    fitted = model(method, ensemble, seed * 1000 + f).fit(x[~test], y[~test])
                except ValueError as error:  # a class with fewer rows than inner folds
                    print(path.stem, name, error)
                    break
                out[numpy.ix_(test, fitted.classes_)] = fitted.predict_proba(x[test])
            else:
                numpy.savetxt(to, out, delimiter=",", fmt="%.9g")
        print(path.stem, seed, flush=True)

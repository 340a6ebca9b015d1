"""Searches for vote weights with SciPy's global optimisers, and with rfpragma, on the same votes.

    go run ./tuning -write votes.csv letter.csv
    python3 tuning/optimisers.py votes.csv --classes A,E,I,O,U,Y --program rfpragma

The objective is vectorised: one product, one argmax and two bincounts for each evaluation. The optimisers search the logarithms of the
weights, from 1/100 to 100, until the time is up.
"""
import argparse
import csv
import json
import subprocess
import time

import numpy
from scipy.optimize import differential_evolution, dual_annealing

parser = argparse.ArgumentParser()
parser.add_argument("votes")
parser.add_argument("--classes", required=True, help="those of theta 10, x 0.1, y 0.9; all others theta 1, x 0.8, y 0.8")
parser.add_argument("--program", default="rfpragma")
parser.add_argument("--seconds", type=float, default=60, help="for each optimiser")
args = parser.parse_args()

with open(args.votes, newline="") as file:
    header, *lines = csv.reader(file)
names = [c for c in header if c not in ("class", "weight")]
votes = numpy.array([[float(line[header.index(c)]) for c in names] for line in lines])
truth = numpy.array([names.index(line[header.index("class")]) for line in lines])
voted = votes.sum(1) > 0
votes, truth, k = votes[voted], truth[voted], len(names)
first = [c in args.classes.split(",") for c in names]
theta = numpy.where(first, 10.0, 1.0)
# f(r, p) = 1 + alpha r + beta p with f(0, 0) = 1, f(1, 1) = 0, f(1, x) = f(y, 1)
x, y = numpy.where(first, 0.1, 0.8), numpy.where(first, 0.9, 0.8)
recall_weight, precision_weight = (1 - x) / (2 - x - y), (1 - y) / (2 - x - y)
rows = numpy.bincount(truth, minlength=k)


def loss(logs):
    decided = numpy.argmax(votes * numpy.exp(logs), axis=1)
    hits = numpy.bincount(truth[decided == truth], minlength=k)
    recall = hits / rows
    precision = hits / numpy.maximum(numpy.bincount(decided, minlength=k), 1)
    return float((theta * (recall_weight * (1 - recall) + precision_weight * (1 - precision))).sum() / theta.sum())


class Watch:
    """Counts evaluations, keeps the best, and stops when the time is up."""

    def __init__(self):
        self.best, self.count, self.start = float("inf"), 0, time.perf_counter()

    def __call__(self, logs):
        if time.perf_counter() - self.start > args.seconds:
            raise TimeoutError
        value = loss(logs)
        self.count += 1
        if value < self.best:
            self.best, self.at = value, time.perf_counter() - self.start
        return value


print(f"{len(votes)} rows, {k} classes; plain votes {loss(numpy.zeros(k)):.5f}")
prefer = ";".join(f'"{c}"' for c, f in zip(names, first) if f)
for choice in ("lowest", "careful"):
    begin = time.perf_counter()
    out = subprocess.run([args.program, "tune", args.votes, "--prefer", prefer, "--choice", choice, "--format", "json", "--quiet"],
                         capture_output=True, check=True, text=True)
    print(f"rfpragma, {choice}: {json.loads(out.stdout)['loss']:.5f} in {time.perf_counter() - begin:.2f} s, the whole program with its cross-validation")
bounds = [(-numpy.log(100), numpy.log(100))] * k
for name, optimiser in (
    ("differential_evolution", lambda f: differential_evolution(f, bounds, seed=1, maxiter=10**6, tol=0)),
    ("dual_annealing", lambda f: dual_annealing(f, bounds, seed=1, maxiter=10**6)),
):
    watch = Watch()
    try:
        optimiser(watch)
    except TimeoutError:
        pass
    print(f"{name}: {watch.best:.5f} after {watch.at:.0f} of {args.seconds:.0f} s, {watch.count} evaluations")

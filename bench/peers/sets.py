"""Makes the benchmark sets: NAME.train.X.npy, NAME.train.y.npy, NAME.test.X.npy, NAME.test.y.npy.

X is float32 in C order, n x p; y is int32, 0 to K-1. Every value is rounded to float32 once,
here, so sides that compute in float32 and in float64 see the same numbers. Seeds are fixed.

usage: sets.py [--out FOLDER] [--real FOLDER] [NAME ...]

The real sets are read from FOLDER/NAME/NAME.csv or .csv.gz: numeric columns, the label last.
Needs numpy alone.
"""
import argparse
import csv
import gzip
import os
import sys

import numpy as np

PARTS = ("train", "test")


def wave(rows, rng):
    """Breiman's waveform: 21 points of a random mixture of two of three triangles, with noise."""
    points = np.arange(1, 22)
    triangles = np.maximum(6.0 - np.abs(points - np.array([[7], [15], [11]])), 0)
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    y = rng.integers(3, size=rows)
    share = rng.random((rows, 1))
    first, second = triangles[pairs[y, 0]], triangles[pairs[y, 1]]
    return share * first + (1 - share) * second + rng.standard_normal((rows, 21)), y


def fraud(rows, rng):
    """Two rows in a thousand are positive. 30 correlated features, ten of them with long tails.

    The positives come in three clusters: two fifths stand far off in five features, a third
    somewhat off in four, and the rest can hardly be told from the others.
    """
    p = 30
    fixed = np.random.default_rng(20)  # what both parts share
    loads = fixed.standard_normal((6, p)) / 3
    moves = np.zeros((3, p))
    moves[0, [0, 3, 7, 11, 16]] = [3.0, -3.0, 2.5, -2.5, 2.5]
    moves[1, [1, 4, 8, 17]] = [2.0, -2.0, 1.8, -1.8]
    moves[2, [2, 5, 7]] = [0.7, -0.7, 0.6]
    x = rng.standard_normal((rows, 6)) @ loads + 0.8 * rng.standard_normal((rows, p))
    x[:, ::3] *= np.exp(0.6 * rng.standard_normal((rows, 10)))
    y = (rng.random(rows) < 0.002).astype(int)
    positive = np.flatnonzero(y)
    x[positive] += moves[rng.choice(3, size=len(positive), p=[0.4, 0.35, 0.25])]
    return x, y


def wide(rows, rng):
    """5000 features, 40 of which make the class, a few of them most of it; half of all are small whole numbers."""
    p = 5000
    fixed = np.random.default_rng(21)
    informative = fixed.choice(p, 40, replace=False)
    weights = 2 * 0.75 ** np.arange(40) * fixed.choice([-1, 1], 40)
    counts = fixed.choice(p, p // 2, replace=False)
    x = rng.standard_normal((rows, p))
    score = x[:, informative] @ weights + 0.5 * x[:, informative[0]] * x[:, informative[1]] + 0.5 * rng.standard_normal(rows)
    x[:, counts] = np.clip(np.round(3 * x[:, counts] + 9), 0, 20)
    return x, (score > 0).astype(int)


# name: how, rows to train on, rows to test on, seed
MADE = {
    "wave-5k": (wave, 5_000, 5_000, 1),
    "wave-50k": (wave, 50_000, 50_000, 2),
    "wave-500k": (wave, 500_000, 100_000, 3),
    "fraud": (fraud, 300_000, 100_000, 4),
    "wide": (wide, 2_000, 2_000, 5),
}

# name: leading rows to train on as is the custom, None for a random fifth to test on
REAL = {"letter": 16_000, "satimage": 4_435, "covtype_20k": None, "fraud_simulated": None}


def made(name):
    how, train, test, seed = MADE[name]
    return [how(rows, np.random.default_rng([seed, part])) for part, rows in enumerate((train, test))]


def real(name, folder):
    x, y = read(find(name, folder))
    order, train = np.arange(len(y)), REAL[name]
    if train is None:
        order = np.random.default_rng(6).permutation(len(y))
        train = len(y) - min(len(y) // 5, 100_000)
    return [(x[rows], y[rows]) for rows in (order[:train], order[train:])]


def find(name, folder):
    for end in (".csv", ".csv.gz"):
        path = os.path.join(folder, name, name + end)
        if os.path.exists(path):
            return path
    sys.exit(f"sets.py: {folder} has no {name}/{name}.csv or {name}/{name}.csv.gz; name the folder with --real, or leave {name} out")


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", newline="") as file:
        lines = csv.reader(file)
        header = next(lines)
        cells, labels = [], []
        for line in lines:
            try:
                cells.append(np.array(line[:-1], np.float64).astype(np.float32))
            except ValueError as error:
                sys.exit(f"sets.py: {path}:{lines.line_num}: {error}; the sets here are of numbers alone, leave this one out")
            labels.append(line[-1])
    if header[-1] != "class":
        sys.exit(f'sets.py: {path}: the last column is "{header[-1]}"; put the label last and name it class')
    return np.array(cells), np.unique(labels, return_inverse=True)[1]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--out", default="data", help="folder to write to (data)")
    args.add_argument("--real", help="folder of the real sets; without it only the made ones are written")
    args.add_argument("names", nargs="*", metavar="NAME", help="all, unless named: " + " ".join([*MADE, *REAL]))
    a = args.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for name in a.names or [*MADE, *(REAL if a.real else [])]:
        if name not in MADE and name not in REAL:
            args.error(f"no set {name}; choose of " + " ".join([*MADE, *REAL]))
        if name in REAL and not a.real:
            args.error(f"{name} is a real set; name the folder it lies in with --real")
        for part, (x, y) in zip(PARTS, made(name) if name in MADE else real(name, a.real)):
            stem = os.path.join(a.out, f"{name}.{part}")
            np.save(stem + ".X.npy", np.ascontiguousarray(x, np.float32))
            np.save(stem + ".y.npy", y.astype(np.int32))
            print(f"{name} {part}: {x.shape[0]} x {x.shape[1]}, rows of each class {np.bincount(y).tolist()}", flush=True)


if __name__ == "__main__":
    main()

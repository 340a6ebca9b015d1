"""Makes the benchmark sets: NAME.train.X.npy, NAME.train.y.npy, NAME.test.X.npy, NAME.test.y.npy.

X is float32 in C order, n x p; y is int32, 0 to K-1. Every value is rounded to float32 once,
here, so sides that compute in float32 and in float64 see the same numbers. Seeds are fixed.

usage: sets.py [--out FOLDER] [--real FOLDER] [NAME ...]

The real sets are read from FOLDER/NAME/NAME.csv or .csv.gz, the label last. Those with a rare
class are dealt to five stratified folds, NAME.1.train.X.npy to NAME.5.test.y.npy, each being the
test part once; NAME.1.levels.npy (int32, p) and so on tell of each column how many levels it has,
0 if it is numeric. A category is the index of its level in X; NaN is a missing cell.
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


def payments(rows, rng):
    """Two rows in a hundred are positive, by 20 features of which six tell."""
    x = rng.standard_normal((rows, 20))
    score = x[:, :6] @ [1.0, 0.8, 0.6, 0.5, 0.4, 0.3] + 0.7 * x[:, 0] * x[:, 1] + rng.standard_normal(rows)
    return x, (score > 4.0).astype(int)


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
    "payments-100k": (payments, 100_000, 100_000, 8),
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


# name: the set it is made of, the label that stands against the rest, one to leave out, how many rows to take; None for all as they are
RARE = {
    "satimage_4": ("satimage", "4", None, None),
    "mammography": ("mammography", None, None, None),
    "oil_spill": ("oil_spill", None, None, None),
    "hypothyroid": ("hypothyroid", None, "secondary_hypothyroid", None),  # which has two rows
    "ann_thyroid": ("ann_thyroid", None, None, None),
    "churn": ("churn", None, None, None),
    "car_claims_fraud": ("car_claims_fraud", None, None, None),
    "fraud_20k": ("fraud_simulated", None, None, 20_000),
}

FOLDS = 5


def rare(name, folder):
    """Cells, labels, levels of the columns, and the fold of each row."""
    source, positive, left_out, most = RARE[name]
    columns, labels = lines(find(source, folder))
    rng = np.random.default_rng(7)
    rows = np.flatnonzero(labels != (left_out or ""))
    if most is not None:
        rows = np.sort(rng.choice(rows, most, replace=False))
    labels = labels[rows]
    if positive is not None:
        labels = np.where(labels == positive, labels, "rest")
    y = np.unique(labels, return_inverse=True)[1]
    coded = [coded_column(column[rows]) for column in columns]
    fold = np.empty(len(y), int)
    for label in range(y.max() + 1):
        of = rng.permutation(np.flatnonzero(y == label))
        fold[of] = np.arange(len(of)) % FOLDS
    return np.column_stack([cells for cells, _ in coded]), y, np.array([levels for _, levels in coded]), fold


def coded_column(words):
    """Numbers, and 0, of a column without words; else indices of the sorted levels, and their number."""
    missing = words == ""
    cells = np.full(len(words), np.nan)
    try:
        cells[~missing] = words[~missing].astype(float)
        return cells, 0
    except ValueError:
        names, cells[~missing] = np.unique(words[~missing], return_inverse=True)
        return cells, len(names)


def lines(path):
    """The columns of a file, as words, and the labels."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    if header[-1] != "class":
        sys.exit(f'sets.py: {path}: the last column is "{header[-1]}"; put the label last and name it class')
    *columns, labels = np.array(rows).T
    return columns, labels


def read(path):
    """The cells of a file of numbers, and its labels as 0 to K-1."""
    columns, labels = lines(path)
    try:
        cells = np.array(columns).T.astype(np.float64).astype(np.float32)
    except ValueError as error:
        sys.exit(f"sets.py: {path}: {error}; the sets here are of numbers alone, leave this one out")
    return cells, np.unique(labels, return_inverse=True)[1]


def save(stem, part, x, y):
    np.save(f"{stem}.{part}.X.npy", np.ascontiguousarray(x, np.float32))
    np.save(f"{stem}.{part}.y.npy", y.astype(np.int32))
    print(f"{os.path.basename(stem)} {part}: {x.shape[0]} x {x.shape[1]}, rows of each class {np.bincount(y).tolist()}", flush=True)


def save_folds(stem, x, y, levels, fold):
    for f in range(FOLDS):
        np.save(f"{stem}.{f + 1}.levels.npy", levels.astype(np.int32))
        for part, rows in zip(PARTS, (fold != f, fold == f)):
            save(f"{stem}.{f + 1}", part, x[rows], y[rows])


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--out", default="data", help="folder to write to (data)")
    args.add_argument("--real", help="folder of the real sets; without it only the made ones are written")
    args.add_argument("names", nargs="*", metavar="NAME", help="all, unless named: " + " ".join([*MADE, *REAL, *RARE]))
    a = args.parse_args()
    os.makedirs(a.out, exist_ok=True)
    for name in a.names or [*MADE, *((*REAL, *RARE) if a.real else ())]:
        if name not in MADE and name not in REAL and name not in RARE:
            args.error(f"no set {name}; choose of " + " ".join([*MADE, *REAL, *RARE]))
        if name not in MADE and not a.real:
            args.error(f"{name} is a real set; name the folder it lies in with --real")
        stem = os.path.join(a.out, name)
        if name in RARE:
            save_folds(stem, *rare(name, a.real))
            continue
        for part, (x, y) in zip(PARTS, made(name) if name in MADE else real(name, a.real)):
            save(stem, part, x, y)


if __name__ == "__main__":
    main()

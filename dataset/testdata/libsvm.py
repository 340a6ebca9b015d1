"""Writes from0.csv and from1.csv: what scikit-learn (1.9.1) reads of the libsvm files of those names."""
import csv

from sklearn.datasets import load_svmlight_file

for first in 0, 1:
    rows, labels = load_svmlight_file(f"from{first}.svm")
    with open(f"from{first}.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["class"] + [f"f{first + j}" for j in range(rows.shape[1])])
        for label, row in zip(labels, rows.toarray()):
            out.writerow([int(label)] + [repr(float(v)) for v in row])

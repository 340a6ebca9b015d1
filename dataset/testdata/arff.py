"""Writes sample.csv: what scipy.io.arff (1.17.1) reads of sample.arff, missing cells empty."""
import csv
import math

from scipy.io import arff

table, meta = arff.loadarff("sample.arff")
with open("sample.csv", "w", newline="") as f:
    out = csv.writer(f, lineterminator="\n")
    out.writerow(meta.names())
    for row in table:
        cells = [v.decode() if isinstance(v, bytes) else "" if math.isnan(v) else repr(float(v)) for v in row]
        out.writerow("" if c == "?" else c for c in cells)

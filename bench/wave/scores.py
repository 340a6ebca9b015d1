"""Scores of four models on two classes of the waveform data.

    go run ./wave -write rows.csv
    python3 wave/scores.py rows.csv wave/scores.csv

The first 500 rows train, the next 500 tune and the other 10,000 test; scores are of tuning and test rows, the higher the likelier class 2. Those that are no
probabilities, the margins of the support vector machine and of boosting, are brought into [0, 1] by the lowest and highest margin of
the tuning rows, as the experiment's author did. Naive Bayes looks at each feature in five intervals.
"""
import csv
import sys

import numpy
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

TRAIN, TUNE = 500, 500

with open(sys.argv[1], newline="") as file:
    head, *lines = csv.reader(file)
at = head.index("class")
x = numpy.array([[float(c) for j, c in enumerate(line) if j != at] for line in lines])
y = numpy.array([line[at] == "2" for line in lines])

models = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(C=numpy.inf)),
    "support vector machine": make_pipeline(StandardScaler(), SVC(kernel="rbf")),
    "boosted trees": AdaBoostClassifier(DecisionTreeClassifier(max_depth=3, random_state=1), n_estimators=200, random_state=1),
    "naive Bayes": make_pipeline(KBinsDiscretizer(5, encode="ordinal", strategy="uniform"), CategoricalNB(min_categories=5)),
}
scores = {}
for name, model in models.items():
    model.fit(x[:TRAIN], y[:TRAIN])
    if name in ("support vector machine", "boosted trees"):
        s = model.decision_function(x[TRAIN:])
        low, high = s[:TUNE].min(), s[:TUNE].max()
        scores[name] = numpy.clip((s - low) / (high - low), 0, 1)
    else:
        scores[name] = model.predict_proba(x[TRAIN:])[:, 1]

with open(sys.argv[2], "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(scores)
    for row in zip(*scores.values()):
        out.writerow(f"{v:.6g}" for v in row)

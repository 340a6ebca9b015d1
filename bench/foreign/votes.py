"""Votes of scikit-learn's random forest, in the form that rfpragma tunes: a column class, and one for each class.

usage: votes.py TRAIN.csv NEW.csv OOB.csv VOTES.csv

The label is the column class. OOB.csv gets for each row of TRAIN.csv the votes of the trees that have not seen it,
which is what to tune and calibrate on; VOTES.csv gets those of all trees for each row of NEW.csv, to judge by.
Words are numbered, as scikit-learn takes none. Needs pandas and scikit-learn.
"""
import sys

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import OrdinalEncoder


def votes_of(tree, x, k):
    """A hard vote of one tree for each row, in a column of its class."""
    return np.eye(k, dtype=int)[tree.predict_proba(x).argmax(axis=1)]


def write(path, votes, labels, classes):
    table = pd.DataFrame(votes, columns=classes)
    table.insert(0, "class", labels)
    table.to_csv(path, index=False)


train, new = pd.read_csv(sys.argv[1]), pd.read_csv(sys.argv[2])
words = list(train.select_dtypes(exclude="number").columns.drop("class"))
encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan).fit(train[words])
for frame in (train, new):
    frame[words] = encoder.transform(frame[words])
x, later = (frame.drop(columns="class").to_numpy(np.float32) for frame in (train, new))

forest = RandomForestClassifier(n_estimators=300, random_state=1).fit(x, train["class"])
k = len(forest.classes_)
oob, votes = np.zeros((len(x), k), int), np.zeros((len(later), k), int)
for tree, bag in zip(forest.estimators_, forest.estimators_samples_):
    out = np.setdiff1d(np.arange(len(x)), bag)
    oob[out] += votes_of(tree, x[out], k)
    votes += votes_of(tree, later, k)
write(sys.argv[3], oob, train["class"], forest.classes_)
write(sys.argv[4], votes, new["class"], forest.classes_)

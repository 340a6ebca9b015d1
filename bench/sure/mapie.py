"""Thresholds that MAPIE guarantees, for the samples in a folder: for each constraint and sample the chosen one, or null."""
import json
import sys
import warnings

import numpy as np
from mapie.risk_control import BinaryClassificationController

warnings.filterwarnings("ignore")
folder = sys.argv[1]
task = json.load(open(folder + "/task.json"))
score = np.fromfile(folder + "/score", "<f8")
truth = np.fromfile(folder + "/truth", "<i4")
samples = np.fromfile(folder + "/samples", "<i4").reshape(task["draws"], -1)


def proba(rows):
    p = score[np.asarray(rows).ravel()]
    return np.column_stack([1 - p, p])


answer = []
for figure, limit in zip(task["figures"], task["limits"]):
    chosen = []
    for rows in samples:
        controller = BinaryClassificationController(
            proba, risk=figure, target_level=limit, confidence_level=task["confidence"]
        )
        controller.calibrate(rows.reshape(-1, 1), truth[rows])
        best = controller.best_predict_param
        chosen.append(None if best is None else float(best))
    answer.append(chosen)
json.dump(answer, open(folder + "/answer.json", "w"))

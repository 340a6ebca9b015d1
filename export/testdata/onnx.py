"""Prints what onnxruntime makes of the rows of a CSV file: python3 onnx.py MODEL.onnx ROWS.csv"""
import csv
import json
import sys

import numpy
import onnxruntime

rows = list(csv.DictReader(open(sys.argv[2], encoding="utf-8")))
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
feed = {}
for i in session.get_inputs():
    cells = [[row[i.name]] for row in rows]
    if i.type == "tensor(double)":
        feed[i.name] = numpy.array([[float(c or "nan")] for [c] in cells])
    else:
        feed[i.name] = numpy.array(cells, dtype=object)
for decision, probabilities, _ in zip(*session.run(None, feed)):
    print(json.dumps({"decision": decision, "probabilities": list(probabilities)}))

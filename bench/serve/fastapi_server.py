"""Serves a random forest of scikit-learn on the letter data with FastAPI and uvicorn, as its tutorials do."""

import sys

import numpy as np
import pandas
import uvicorn
from fastapi import FastAPI
from sklearn.ensemble import RandomForestClassifier

data = pandas.read_csv(sys.argv[1])
columns = [c for c in data.columns if c != "class"]
forest = RandomForestClassifier(n_estimators=100, random_state=1).fit(data[columns].to_numpy(float), data["class"])
classes = [str(c) for c in forest.classes_]
app = FastAPI()


def decided(rows):
    cells = np.array([[row[c] for c in columns] for row in rows], dtype=float)
    probabilities = forest.predict_proba(cells)
    return [
        {"decision": classes[p.argmax()], "probabilities": dict(zip(classes, p.tolist()))} for p in probabilities
    ]


@app.post("/score")
async def score(row: dict[str, float]):
    return decided([row])[0]


@app.post("/batch")
async def batch(rows: list[dict[str, float]]):
    return decided(rows)


uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")

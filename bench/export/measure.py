"""Does what `rfpragma export` writes decide as `rfpragma predict` does?

    python3 export/measure.py RFPRAGMA FOLDER [NAME...]    # in bench: the command, and the sets, FOLDER/NAME/NAME.csv

For each set it trains two models on up to 20,000 rows: one of 100 full trees, which goes to ONNX, and one of 100 trees
of 250 leaves, which goes to SQL. Both decide 20,000 rows: those of the set and, if these are fewer, copies of which each
cell is taken from another row with probability 0.1, is empty with 0.05, and, if it is a number, moves by a thousandth
with 0.2. It needs onnxruntime, duckdb, numpy and pandas.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import duckdb
import numpy as np
import onnxruntime
import pandas as pd

ROWS = 20_000
SETS = {  # the map, and what else is asked for
    "letter": ["--calibrate", "isotonic"],
    "adult": ["--calibrate", "beta", "--cost", ">50K=3", "--cost", "<=50K=1", "--decide", "cost"],
    "bank_marketing": ["--calibrate", "venn-abers", "--prefer", "yes", "--soft-votes"],
    "hypothyroid": ["--calibrate", "vector", "--prefer", "primary_hypothyroid"],
    "car_claims_fraud": ["--calibrate", "platt", "--prefer", "1", "--review", "2%"],
    "diabetes130": ["--calibrate", "temperature", "--prefer", "<30"],
}


def read(path):
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def enlarged(rows, numeric, rng):
    parts, n = [rows], len(rows)
    while n < ROWS:
        copy = rows.copy()
        for name in copy.columns.drop("class"):
            cells = copy[name].to_numpy(object)
            other = rng.random(len(cells)) < 0.1
            cells[other] = rng.permutation(cells)[other]
            if name in numeric:
                for i in np.flatnonzero((rng.random(len(cells)) < 0.2) & (cells != "")):
                    cells[i] = repr(float(cells[i]) * 1.001)
            cells[rng.random(len(cells)) < 0.05] = ""
            copy[name] = cells
        parts.append(copy)
        n += len(copy)
    return pd.concat(parts)[:ROWS]


def words(rows):
    """Columns that are not all numbers."""
    return [c for c in rows.columns.drop("class")
            if pd.to_numeric(rows[c][rows[c] != ""], errors="coerce").isna().any()]


def run(*args):
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def predicted(command, model, rows):
    out = model.with_suffix(".jsonl")
    run(command, "predict", str(model), str(rows), "-o", str(out))
    return [json.loads(line) for line in open(out)]


def compare(name, form, want, decisions, probabilities, classes, begun):
    differ = sum(w["decision"] != d for w, d in zip(want, decisions, strict=True))
    most = max(abs(p[c] - w["probabilities"][k]) for w, p in zip(want, probabilities, strict=True)
               for c, k in enumerate(classes))
    print(f"| {name} | {form} | {len(want)} | {len(classes)} | {differ} | {most:.1e} | {time.time() - begun:.1f} s |",
          flush=True)
    return differ == 0 and most < 1e-6 and len(want) == ROWS


def onnx(name, model, rows, want):
    begun = time.time()
    session = onnxruntime.InferenceSession(str(model.with_suffix(".onnx")), providers=["CPUExecutionProvider"])
    feed = {}
    for i in session.get_inputs():
        cells = rows[i.name]
        if "double" in i.type:
            cells = pd.to_numeric(cells.replace("", np.nan))
        feed[i.name] = cells.to_numpy(float if "double" in i.type else object).reshape(-1, 1)
    decisions, probabilities, _ = session.run(None, feed)
    classes = json.loads(session.get_modelmeta().custom_metadata_map["classes"])
    return compare(name, "ONNX", want, decisions, probabilities, classes, begun)


def sql(name, model, rows, want):
    begun = time.time()
    db = duckdb.connect(config={"threads": 2})
    numeric = {c["name"] for c in json.load(open(model.with_suffix(".json")))["columns"] if "levels" not in c}
    types = {c: "DOUBLE" if c in numeric else "VARCHAR" for c in rows.columns}
    rows.to_csv(model.with_suffix(".rows.csv"), index=False)
    db.execute("CREATE TABLE data AS SELECT * FROM read_csv(?, header=true, columns=?)",
               [str(model.with_suffix(".rows.csv")), types])
    result = db.execute(open(model.with_suffix(".sql")).read())
    columns = [d[0] for d in result.description]
    found = pd.DataFrame(result.fetchall(), columns=range(len(columns)))
    last = len(columns) - 1 - columns[::-1].index("decision")
    classes = [c.removeprefix("probability_") for c in columns[last + 1:]]
    return compare(name, "SQL", want, found[last].tolist(), found.iloc[:, last + 1:].to_numpy(), classes, begun)


def main(command, sets, *names):
    print("| set | form | rows | classes | decisions that differ | largest difference of a probability | time |")
    print("|---|---|---|---|---|---|---|")
    good, rng = True, np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for name in names or SETS:
            base = pathlib.Path(folder, name)
            source = pathlib.Path(sets, name)
            rows = read(next(p for p in (source / f"{name}.csv", source / f"{name}.csv.gz") if p.exists()))[:ROWS]
            rows.to_csv(f"{base}.csv", index=False)
            asked = [*SETS[name], *(f"--categorical={c}" for c in words(rows))]
            for form, trees in ("onnx", []), ("sql", ["--max-leaves", "250"]):
                model = pathlib.Path(f"{base}-{form}.rfp")
                run(command, "train", f"{base}.csv", "--trees", "100", "--tune-forest", "off", "-o", str(model), *trees,
                    *asked)
                for ending in {form, "json"}:
                    run(command, "export", str(model), "-o", str(model.with_suffix("." + ending)))
                columns = json.load(open(model.with_suffix(".json")))["columns"]
                many = enlarged(rows, {c["name"] for c in columns if "levels" not in c}, rng)
                many.to_csv(f"{base}.many.csv", index=False)
                want = predicted(command, model, f"{base}.many.csv")
                good = {"onnx": onnx, "sql": sql}[form](name, model, many, want) and good
    sys.exit(0 if good else "not as predict decides")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

"""Models of other programs, and what these say of rows, for the tests of package foreign.

usage: make.py ROWS.csv FOLDER [TREES]

ROWS.csv has a column class, and may have words and missing cells. Classes of up to four rows are left out. Half of the
rows are grown on, and all are answered for. Without ROWS.csv, small made-up rows are written there first. Needs scikit-learn, LightGBM, XGBoost,
onnx, skl2onnx, onnxmltools and onnxruntime. Each model has a file of its own name and one that ends in .scores.json:
the rows that it answers for, and its scores, as decimals that give the bits again.
"""
import json
import os
import sys

import lightgbm as lgb
import numpy as np
import onnxmltools
import onnxruntime as ort
import pandas as pd
import xgboost as xgb
from onnx import TensorProto, helper
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import to_onnx
from sklearn.ensemble import (ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier,
                              RandomForestClassifier)

from sklearn_json import export


def made_up(path):
    """Three classes, numbers with and without gaps, zeros, and words."""
    rng = np.random.default_rng(7)
    n = 200
    d = pd.DataFrame({"a": rng.normal(size=n).round(3), "b": rng.integers(0, 6, n).astype(float),
                      "c": rng.exponential(2, n), "word": rng.choice(["red", "green", "blue", "x1", "x 2"], n)})
    d["class"] = np.where(d.a + (d.word == "red") > 1, "ill", np.where(d.b * d.c > 6, "unclear", "well"))
    d.loc[rng.random(n) < 0.1, "a"] = np.nan
    d.loc[rng.random(n) < 0.1, "c"] = 0
    d.loc[rng.random(n) < 0.08, "word"] = None
    d.to_csv(path, index=False)


def main(path, folder, trees=5):
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(path):
        made_up(path)
    native = pd.read_csv(path, na_values=["?"]).dropna(axis="columns", how="all")
    native = native[native.groupby("class")["class"].transform("size") > 4]  # both halves have them all
    native.columns = native.columns.str.replace(" ", "_")  # as LightGBM has it
    classes, y = np.unique(native.pop("class").astype(str), return_inverse=True)
    k = len(classes)
    for c in native.select_dtypes(exclude="number"):
        native[c] = native[c].astype(object).where(native[c].notna(), None).astype("category")
    coded = native.copy()
    for c in native.select_dtypes("category"):
        coded[c] = native[c].cat.codes.where(native[c].notna()).astype(float)
    coded, train = coded.astype(float), slice(None, None, 2)
    filled = coded.fillna(-1).astype(np.float32).astype(float)

    def put(name, rows, scores, sums=None, **more):
        frame = {"native": native, "coded": coded, "filled": filled}[rows]
        table = os.path.join(folder, rows + ".csv")
        if not os.path.exists(table):
            frame.to_csv(table, index=False)
        scores = np.asarray(scores)
        if scores.ndim == 1:
            scores = np.stack([1 - scores, scores], 1)
        out = dict(rows=rows + ".csv", features=list(map(str, frame.columns)), classes=list(classes),
                   scores=scores.astype(float).tolist(), **more)
        if sums is not None:
            out["sums"] = np.asarray(sums, float).reshape(len(scores), -1).tolist()
        with open(os.path.join(folder, name + ".scores.json"), "w") as f:
            json.dump(out, f)

    at = lambda name: os.path.join(folder, name)

    # scikit-learn; with one job trees are added in their order
    for name, model in {
        "sklearn-forest": RandomForestClassifier(trees, min_samples_leaf=3, random_state=1),
        "sklearn-extra": ExtraTreesClassifier(trees, max_depth=8, random_state=1),
        "sklearn-boosted": GradientBoostingClassifier(n_estimators=trees, random_state=1),
        "sklearn-hist": HistGradientBoostingClassifier(max_iter=trees, min_samples_leaf=5, random_state=1),
    }.items():
        rows, x = ("filled", filled) if name == "sklearn-boosted" else ("coded", coded)
        model.fit(x[train], classes[y[train]])
        export(model, at(name + ".json"))
        sums = None
        if name == "sklearn-boosted":
            sums = model.decision_function(x)
        if name == "sklearn-hist":
            sums = model.decision_function(x)
        put(name, rows, model.predict_proba(x), sums, decided=list(model.predict(x)))

    # LightGBM: categories of pandas, missing cells; zeros as missing; one against the rest; a forest
    for name, rows, set in [
        ("lightgbm", "native", {}),
        ("lightgbm-zero", "coded", dict(zero_as_missing=True)),
        ("lightgbm-none", "coded", dict(use_missing=False)),
        ("lightgbm-ova", "native", dict(objective="multiclassova")),
        ("lightgbm-forest", "native", dict(boosting_type="rf", bagging_freq=1, bagging_fraction=0.6)),
        ("lightgbm-binary", "native", dict(binary=True)),
    ]:
        label = (y == 0).astype(int) if set.pop("binary", False) or k == 2 else y
        if k == 2:
            label = y
            if name == "lightgbm-ova":
                continue
        x = {"native": native, "coded": coded}[rows]
        model = lgb.LGBMClassifier(n_estimators=trees, min_child_samples=5, num_leaves=15, verbose=-1, n_jobs=1, min_data_per_group=5,
                                   random_state=1, **set).fit(x[train], label[train])
        model.booster_.save_model(at(name + ".txt"))
        more = {} if len(np.unique(label)) == k else dict(numbers=True)
        put(name, rows, model.predict_proba(x), model.predict_proba(x, raw_score=True) if name != "lightgbm-forest" else None, **more)

    # XGBoost: categories, missing cells; JSON and UBJ; a forest
    for name, ext, kind, set in [
        ("xgboost", "json", xgb.XGBClassifier, {}),
        ("xgboost-ubj", "ubj", xgb.XGBClassifier, dict(max_cat_to_onehot=1)),
        ("xgboost-forest", "json", xgb.XGBRFClassifier, dict(max_depth=8)),
        ("xgboost-binary", "ubj", xgb.XGBClassifier, dict(binary=True)),
    ]:
        label = (y == 0).astype(int) if set.pop("binary", False) and k > 2 else y
        model = kind(n_estimators=trees, enable_categorical=True, n_jobs=1, random_state=1, **set)
        model.fit(native[train], label[train])
        model.save_model(at(name + "." + ext))
        more = {} if len(np.unique(label)) == k else dict(numbers=True)
        put(name, "native", model.predict_proba(native), model.predict(native, output_margin=True), **more)

    # ONNX, as its runtime answers
    def run(name, proto, **more):
        with open(at(name + ".onnx"), "wb") as f:
            f.write(proto.SerializeToString())
        one = ort.SessionOptions()
        one.intra_op_num_threads = 1
        session = ort.InferenceSession(proto.SerializeToString(), one)
        out = session.run(None, {session.get_inputs()[0].name: more.pop("x", filled).to_numpy(np.float32)})
        put(name, more.pop("rows", "filled"), out[-1], **more)

    forest = RandomForestClassifier(trees, min_samples_leaf=3, random_state=1).fit(filled[train], classes[y[train]])
    options = {id(forest): {"zipmap": False}}
    run("onnx-forest", to_onnx(forest, filled[:1].to_numpy(np.float32), options=options))
    run("onnx-forest3", to_onnx(forest, filled[:1].to_numpy(np.float32), options=options, target_opset={"": 17, "ai.onnx.ml": 3}))
    run("onnx-ensemble5", ensemble5(forest, filled.shape[1]))
    cells = [("x", FloatTensorType([None, coded.shape[1]]))]
    boosted = lgb.LGBMClassifier(n_estimators=trees, min_child_samples=5, verbose=-1, n_jobs=1).fit(coded[train].to_numpy(), y[train])
    run("onnx-lightgbm", onnxmltools.convert_lightgbm(boosted, initial_types=cells, zipmap=False),
        x=coded, rows="coded", numbers=True)
    boosted = xgb.XGBClassifier(n_estimators=trees, n_jobs=1).fit(coded[train].to_numpy(), y[train])
    try:
        run("onnx-xgboost", onnxmltools.convert_xgboost(boosted, initial_types=cells),
            x=coded, rows="coded", numbers=True)
    except Exception as e:
        print("onnx-xgboost:", e)


def ensemble5(forest, p):
    """The trees of a forest as a TreeEnsemble of ai.onnx.ml 5, a leaf for each class."""
    f, k = {n: [] for n in "feature at yes yesleaf no noleaf root target weight".split()}, len(forest.classes_)
    assert k >= 2
    for e in forest.estimators_:  # a tree for each class, as a leaf has one target
        for c in range(k):
            t, number = e.tree_, {}
            inner = [i for i in range(t.node_count) if t.children_left[i] >= 0]
            base = len(f["feature"])
            for at, i in enumerate(inner):
                number[i] = base + at
            f["root"].append(base)
            for i in inner:
                f["feature"].append(int(t.feature[i]))
                f["at"].append(t.threshold[i])
                for side, child in (("yes", t.children_left[i]), ("no", t.children_right[i])):
                    leaf = t.children_left[child] < 0
                    f[side + "leaf"].append(int(leaf))
                    if leaf:
                        f[side].append(len(f["target"]))
                        f["target"].append(c)
                        f["weight"].append(t.value[child, 0, c] / len(forest.estimators_))
                    else:
                        f[side].append(number[child])
    tensor = lambda name, kind, v: helper.make_tensor(name, kind, [len(v)], v)
    down = [float(np.nextafter(np.float32(t), np.float32(-np.inf))) if np.float32(t) > t else float(np.float32(t)) for t in f["at"]]
    node = helper.make_node(
        "TreeEnsemble", ["x"], ["scores"], domain="ai.onnx.ml", n_targets=k, aggregate_function=1, post_transform=0,
        tree_roots=f["root"], nodes_featureids=f["feature"], nodes_truenodeids=f["yes"], nodes_trueleafs=f["yesleaf"],
        nodes_falsenodeids=f["no"], nodes_falseleafs=f["noleaf"], leaf_targetids=f["target"],
        nodes_modes=tensor("modes", TensorProto.UINT8, [0] * len(f["feature"])),
        nodes_splits=tensor("splits", TensorProto.FLOAT, down), leaf_weights=tensor("weights", TensorProto.FLOAT, f["weight"]))
    graph = helper.make_graph([node], "trees", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, p])],
                              [helper.make_tensor_value_info("scores", TensorProto.FLOAT, [None, k])])
    return helper.make_model(graph, ir_version=9, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 5)])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))

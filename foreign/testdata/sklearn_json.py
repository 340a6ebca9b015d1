import json
import numpy as np
import sklearn


def export(model, path):
    """Write a fitted forest, or boosted trees without categories, of scikit-learn for rfpragma import."""
    def lists(leaf, left, right, feature, at, missing_left, value):
        return dict(left=np.where(leaf, -1, left.astype(int)).tolist(), right=right.tolist(), feature=feature.tolist(),
                    threshold=[t if np.isfinite(t) else None for t in at.tolist()],
                    missing_left=missing_left.astype(int).tolist(), value=value.tolist())
    def tree(e):
        t = e.tree_
        return lists(t.children_left < 0, t.children_left, t.children_right, t.feature, t.threshold,
                     t.missing_go_to_left, t.value[:, 0])
    def hist(p):
        assert not p.nodes["is_categorical"].any(), "categories are not exported; code them as numbers"
        return lists(*(p.nodes[f] for f in ("is_leaf", "left", "right", "feature_idx", "num_threshold",
                                            "missing_go_to_left")), p.nodes["value"][:, None])
    kind, p = type(model).__name__, model.n_features_in_
    out = dict(format="scikit-learn", version=sklearn.__version__, model=kind, classes=list(map(str, model.classes_)),
               features=list(map(str, getattr(model, "feature_names_in_", [f"x{j}" for j in range(p)]))))
    if kind == "HistGradientBoostingClassifier":
        out.update(trees=[list(map(hist, r)) for r in model._predictors], rate=1, base=model._baseline_prediction.ravel().tolist())
    elif kind == "GradientBoostingClassifier":
        assert model.init is None or model.init == "zero", "sums that begin with a model of their own are not exported"
        out.update(trees=[list(map(tree, r)) for r in model.estimators_], rate=model.learning_rate,
                   base=model._raw_predict_init(np.zeros((1, p), np.float32)).ravel().tolist())
    else:
        out.update(trees=[[tree(e)] for e in model.estimators_])
    if hasattr(model, "feature_importances_"):
        out["importance"] = model.feature_importances_.tolist()
    with open(path, "w") as f:
        json.dump(out, f)

"""What train_with_h2o.py trains. A case has these keys:

name, train, valid (optional), score (optional: predict this file instead of the first training rows), response,
ignored_columns, column_types (where H2O's guess is not wanted), parameters (H2O's names; everything else is H2O's
default, except reproducible = true), weights (optional: store every weight and bias).
"""

PINNED = {"seed": 4294967298, "hidden": [10, 10], "l1": 1e-5, "stopping_rounds": 0}
SMALL = {"seed": 1234, "hidden": [8, 6], "epochs": 3}
ACTIVATIONS = ["Rectifier", "Tanh", "Maxout", "ExpRectifier"]
ACTIVATIONS += [f"{name}WithDropout" for name in ACTIVATIONS]


def cases():
    yield from pinned()
    yield from activations()
    yield from dropout()
    yield from manual_rate()
    yield from regularisation()
    yield from preparation()
    yield from sparse()
    yield from iterations()
    yield from stopping()
    yield from start()
    yield from credit()


def pinned():
    """The settings whose results H2O's own tests pin."""
    age = {"train": "prostate.csv", "response": "AGE", "ignored_columns": ["ID"]}
    capsule = {
        "train": "prostate.csv",
        "response": "CAPSULE",
        "ignored_columns": ["ID"],
        "column_types": {"CAPSULE": "enum"},
    }
    iris = {"train": "iris.csv", "response": "class"}
    settings = [
        ("age", age, "Rectifier", 1),
        ("age", age, "Rectifier", 5),
        ("age", age, "Rectifier", 50),
        ("age", age, "Tanh", 1),
        ("age", age, "Maxout", 100),
        ("capsule", capsule, "Rectifier", 1),
        ("capsule", capsule, "RectifierWithDropout", 1),
        ("capsule", capsule, "Tanh", 1),
        ("capsule", capsule, "TanhWithDropout", 1),
        ("capsule", capsule, "Maxout", 100),
        ("capsule", capsule, "MaxoutWithDropout", 100),
        ("iris", iris, "Rectifier", 1),
        ("iris", iris, "Rectifier", 5),
    ]
    for what, data, activation, epochs in settings:
        yield {
            "name": f"pinned-{what}-{kebab(activation)}-{epochs}",
            **data,
            "parameters": {**PINNED, "activation": activation, "epochs": epochs},
        }


def mixed(name, kind, parameters, **more):
    """A case on mixed.csv; `kind` names the response."""
    response = {"binomial": "churn", "multinomial": "grade", "regression": "cost"}[kind]
    return {
        "name": f"{name}-{kind}",
        "train": "mixed.csv",
        "response": response,
        "ignored_columns": [other for other in ("churn", "grade", "cost") if other != response],
        "parameters": {**SMALL, **parameters},
        **more,
    }


def activations():
    for activation in ACTIVATIONS:
        for kind in ("binomial", "multinomial", "regression"):
            yield mixed(kebab(activation), kind, {"activation": activation})


def dropout():
    yield mixed("hidden-dropout-uneven", "binomial", {
        "activation": "RectifierWithDropout", "hidden_dropout_ratios": [0.2, 0.35]})
    yield mixed("hidden-dropout-tanh-zero", "regression", {
        "activation": "TanhWithDropout", "hidden_dropout_ratios": [0.0, 0.3]})
    yield mixed("hidden-dropout-maxout", "multinomial", {
        "activation": "MaxoutWithDropout", "hidden_dropout_ratios": [0.25, 0.1]})
    yield mixed("input-dropout", "binomial", {"input_dropout_ratio": 0.2})
    yield mixed("input-and-hidden-dropout", "multinomial", {
        "activation": "RectifierWithDropout", "input_dropout_ratio": 0.15, "hidden_dropout_ratios": [0.3, 0.2]})


def manual_rate():
    manual = {"adaptive_rate": False, "rate": 0.01}
    yield mixed("manual-rate", "regression", {**manual, "rate": 0.002})
    yield mixed("manual-annealing", "binomial", {**manual, "rate_annealing": 1e-3})
    yield mixed("manual-decay", "multinomial", {**manual, "rate_decay": 0.7, "hidden": [8, 6, 4]})
    yield mixed("momentum-start", "binomial", {
        **manual, "rate": 0.005, "momentum_start": 0.5, "momentum_ramp": 500, "momentum_stable": 0.9})
    yield mixed("momentum-no-nesterov", "binomial", {
        **manual, "rate": 0.005, "momentum_start": 0.5, "momentum_ramp": 500, "momentum_stable": 0.9,
        "nesterov_accelerated_gradient": False})
    yield mixed("momentum-stable-only", "regression", {
        **manual, "rate": 0.001, "momentum_stable": 0.9, "momentum_ramp": 100})
    yield mixed("momentum-no-ramp", "regression", {
        **manual, "rate": 0.001, "momentum_start": 0.3, "momentum_ramp": 0, "momentum_stable": 0.9,
        "activation": "MaxoutWithDropout"})
    yield mixed("momentum-mnist-like", "multinomial", {
        **manual, "rate": 0.005, "rate_annealing": 1e-6, "momentum_start": 0.9, "momentum_ramp": 1e6,
        "momentum_stable": 0.99, "activation": "RectifierWithDropout", "input_dropout_ratio": 0.2,
        "hidden_dropout_ratios": [0.3, 0.2], "l1": 1e-4, "l2": 1e-4})
    yield mixed("manual-no-nesterov-no-momentum", "regression", {
        **manual, "rate": 0.002, "nesterov_accelerated_gradient": False, "activation": "Tanh"})


def regularisation():
    yield mixed("l1", "binomial", {"l1": 1e-3})
    yield mixed("l2", "multinomial", {"l2": 1e-3, "activation": "Tanh"})
    yield mixed("l1-l2-no-fast-mode", "regression", {"l1": 1e-4, "l2": 1e-3, "fast_mode": False})
    yield mixed("no-fast-mode", "binomial", {"fast_mode": False})
    yield mixed("no-fast-mode-maxout", "multinomial", {"fast_mode": False, "activation": "Maxout", "l2": 1e-4})
    yield mixed("no-fast-mode-manual", "regression", {
        "fast_mode": False, "adaptive_rate": False, "rate": 0.002, "l1": 1e-4, "activation": "RectifierWithDropout"})
    yield mixed("l1-l2-manual-maxout", "binomial", {
        "adaptive_rate": False, "rate": 0.01, "rate_annealing": 1e-4, "l1": 1e-4, "l2": 1e-4, "activation": "Maxout"})
    yield mixed("max-w2", "binomial", {"max_w2": 0.5})
    yield mixed("max-w2-manual-momentum", "multinomial", {
        "max_w2": 0.7, "adaptive_rate": False, "rate": 0.01, "momentum_start": 0.6, "momentum_stable": 0.6,
        "activation": "ExpRectifierWithDropout"})
    yield mixed("max-w2-maxout", "regression", {"max_w2": 0.8, "activation": "Maxout"})
    yield mixed("rho-epsilon", "regression", {"rho": 0.95, "epsilon": 1e-6})


def preparation():
    yield mixed("no-standardize", "regression", {"standardize": False, "activation": "Tanh"})
    yield mixed("no-standardize", "binomial", {"standardize": False})
    yield mixed("drop-first-level", "binomial", {"use_all_factor_levels": False}, score="mixed-valid.csv")
    yield mixed("drop-first-level", "regression", {"use_all_factor_levels": False, "standardize": False},
                score="mixed-valid.csv")
    yield mixed("unseen-levels", "multinomial", {}, score="mixed-valid.csv")
    yield mixed("skip-missing", "binomial", {"missing_values_handling": "Skip"})
    yield mixed("skip-missing", "regression", {"missing_values_handling": "Skip"})
    yield mixed("skip-missing-drop-first-level", "multinomial", {
        "missing_values_handling": "Skip", "use_all_factor_levels": False})
    yield mixed("validation-lacks-a-column", "binomial", {}, valid="mixed-partial.csv", score="mixed-partial.csv")
    yield mixed("validation-lacks-a-column", "regression", {"activation": "Tanh"},
                valid="mixed-partial.csv", score="mixed-partial.csv")
    yield mixed("numbers-as-levels", "regression", {}, column_types={"age": "enum"})
    yield {
        "name": "mostly-missing-column",
        "train": "zeros-mixed.csv",
        "response": "amount",
        "ignored_columns": ["sign"],
        "parameters": {**SMALL},
    }
    yield {
        "name": "equal-level-counts",
        "train": "levels.csv",
        "response": "kind",
        "ignored_columns": ["amount"],
        "parameters": {**SMALL},
    }
    yield {
        "name": "equal-level-counts-drop-first",
        "train": "levels.csv",
        "response": "amount",
        "ignored_columns": ["kind"],
        "parameters": {**SMALL, "use_all_factor_levels": False},
    }
    awkward = {"train": "awkward.csv", "column_types": {"single": "enum"}}
    yield {
        "name": "unlabelled-rows-and-constant-columns",
        **awkward,
        "response": "amount",
        "ignored_columns": ["place"],
        "parameters": {**SMALL},
    }
    yield {
        "name": "unlabelled-rows-classes",
        **awkward,
        "response": "place",
        "ignored_columns": ["amount"],
        "parameters": {**SMALL},
    }
    yield {
        "name": "keep-constant-columns",
        **awkward,
        "response": "amount",
        "ignored_columns": ["place"],
        "parameters": {**SMALL, "ignore_const_cols": False},
    }


def sparse():
    for sparse_mode in (False, True):
        suffix = "sparse" if sparse_mode else "dense"
        for response, other in (("sign", "amount"), ("amount", "sign")):
            yield {
                "name": f"zeros-{response}-{suffix}",
                "train": "zeros.csv",
                "response": response,
                "ignored_columns": [other],
                "parameters": {**SMALL, "sparse": sparse_mode},
            }
    mixed_zeros = [
        ("sign", {}),
        ("amount", {}),
        ("amount-no-standardize", {"standardize": False}),
        ("amount-drop-first", {"use_all_factor_levels": False}),
        ("sign-skip-missing", {"missing_values_handling": "Skip"}),
        ("sign-dropout", {"activation": "TanhWithDropout", "input_dropout_ratio": 0.1}),
        ("amount-linear", {"hidden": [], "adaptive_rate": False, "rate": 0.01}),
    ]
    for name, parameters in mixed_zeros:
        response = name.split("-")[0]
        yield {
            "name": f"zeros-mixed-{name}-sparse",
            "train": "zeros-mixed.csv",
            "response": response,
            "ignored_columns": [other for other in ("sign", "amount") if other != response],
            "parameters": {**SMALL, "sparse": True, **parameters},
            "weights": True,
        }
    yield mixed("sparse", "multinomial", {"sparse": True, "use_all_factor_levels": False})


def iterations():
    dropped = {"activation": "MaxoutWithDropout", "input_dropout_ratio": 0.1, "hidden_dropout_ratios": [0.5, 0.2]}
    for samples in (100, 700):
        yield mixed(f"samples-per-iteration-{samples}-dropout", "multinomial", {
            **dropped, "train_samples_per_iteration": samples})
    for samples in (0, -1, 100, 1000):
        yield mixed(f"samples-per-iteration-{samples}", "binomial", {"train_samples_per_iteration": samples})
    yield mixed("samples-per-iteration-shuffled", "regression", {
        "train_samples_per_iteration": 450, "shuffle_training_data": True})
    yield mixed("shuffle", "multinomial", {"shuffle_training_data": True})
    yield mixed("epochs-half", "binomial", {"epochs": 0.5})
    yield mixed("epochs-two-and-a-half", "regression", {"epochs": 2.5})
    yield mixed("epochs-none", "multinomial", {"epochs": 0})
    yield mixed("score-fewer-rows", "binomial", {"score_training_samples": 100, "epochs": 5})


def stopping():
    yield mixed("early-stopping-validation", "binomial", {
        "epochs": 40, "stopping_rounds": 2, "stopping_metric": "logloss", "stopping_tolerance": 0.01},
        valid="mixed-valid.csv")
    yield mixed("early-stopping-training", "regression", {
        "epochs": 40, "stopping_rounds": 2, "stopping_metric": "MAE", "stopping_tolerance": 0.02})
    yield mixed("early-stopping-misclassification", "multinomial", {
        "epochs": 30, "stopping_rounds": 1, "stopping_metric": "misclassification", "stopping_tolerance": 0.001},
        valid="mixed-valid.csv")
    yield mixed("early-stopping-auc", "binomial", {
        "epochs": 30, "stopping_rounds": 2, "stopping_metric": "AUC", "stopping_tolerance": 0.005},
        valid="mixed-valid.csv")
    overfitting = {"epochs": 15, "stopping_rounds": 0, "rho": 0.95, "epsilon": 1e-6}
    yield mixed("best-model", "binomial", overfitting, valid="mixed-valid.csv")
    yield mixed("keep-last-model", "binomial", {**overfitting, "overwrite_with_best_model": False},
                valid="mixed-valid.csv")
    for metric in ("MSE", "RMSE", "RMSLE", "deviance"):
        yield mixed(f"early-stopping-{metric.lower()}", "regression", {
            "epochs": 25, "stopping_rounds": 2, "stopping_metric": metric, "stopping_tolerance": 0.05,
            "rho": 0.95, "epsilon": 1e-6})
    for metric in ("AUCPR", "lift_top_group", "mean_per_class_error", "AUTO"):
        yield mixed(f"early-stopping-{kebab(metric)}", "binomial", {
            "epochs": 25, "stopping_rounds": 2, "stopping_metric": metric, "stopping_tolerance": 0.01,
            "rho": 0.95, "epsilon": 1e-6}, valid="mixed-valid.csv")
    yield mixed("classification-stop", "binomial", {"epochs": 10, "classification_stop": 0.3})
    yield mixed("regression-stop", "regression", {"epochs": 10, "regression_stop": 20})


def start():
    yield mixed("weights-after-one-epoch", "binomial", {"epochs": 1}, weights=True)
    yield mixed("weights-after-one-epoch-maxout", "regression", {"epochs": 1, "activation": "Maxout"}, weights=True)
    yield mixed("initial-uniform", "binomial", {
        "initial_weight_distribution": "Uniform", "initial_weight_scale": 0.3})
    yield mixed("initial-normal", "regression", {
        "initial_weight_distribution": "Normal", "initial_weight_scale": 0.2, "activation": "Tanh"})
    yield mixed("initial-normal", "multinomial", {"initial_weight_distribution": "Normal"})
    yield mixed("initial-weights-explode", "binomial", {
        "initial_weight_distribution": "Uniform", "initial_weight_scale": 1e11, "activation": "Tanh"})
    yield mixed("no-hidden-layer", "multinomial", {"hidden": [], "input_dropout_ratio": 0.1})
    yield mixed("no-hidden-layer", "binomial", {"hidden": []})
    yield mixed("no-hidden-layer", "regression", {"hidden": []})
    yield mixed("three-hidden-layers", "multinomial", {"hidden": [8, 8, 5], "activation": "TanhWithDropout"})


def credit():
    """More rows than the 400 bins of H2O's AUC, and layers wide enough for every partial sum."""
    settings = [
        ("rectifier", {"hidden": [20, 12], "epochs": 2}),
        ("dropout", {"hidden": [24, 16], "epochs": 1, "activation": "RectifierWithDropout",
                     "hidden_dropout_ratios": [0.3, 0.2], "input_dropout_ratio": 0.1, "l1": 1e-5, "l2": 1e-5}),
        ("momentum-sampled", {"hidden": [17], "epochs": 2, "activation": "Tanh", "adaptive_rate": False,
                              "rate": 0.005, "momentum_start": 0.5, "momentum_stable": 0.9, "momentum_ramp": 2000,
                              "train_samples_per_iteration": 1500, "score_training_samples": 1000}),
    ]
    for name, parameters in settings:
        yield {
            "name": f"credit-{name}",
            "train": "credit.csv",
            "response": "Status",
            "parameters": {"seed": 77, **parameters},
        }
    yield {
        "name": "credit-amount",
        "train": "credit.csv",
        "response": "Amount",
        "ignored_columns": ["Price"],
        "parameters": {"seed": 78, "hidden": [20, 12], "epochs": 1},
    }


def kebab(name):
    """`TanhWithDropout` is tanh-with-dropout, `lift_top_group` lift-top-group, `AUTO` auto."""
    if name.isupper():
        return name.lower()
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-").replace("_", "-")


CASES = list(cases())

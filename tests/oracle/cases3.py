"""The second half of what train_with_h2o.py trains: the rest of the engine, the encodings and the metrics.

Keys besides those of cases.py: anomaly and deep_features (a list of hidden layers) ask for these answers on the rows
that are predicted; gains_lift stores that table; donor names an earlier case, whose model is the pretrained
autoencoder or, with start, whose weights and biases are the initial ones in the layers that start lists (the other
layers are null).
"""

SMALL = {"seed": 4321, "hidden": [8, 6], "epochs": 3}
SPECIAL = [
    "since", "kept", "copies", "share", "gaps", "up", "down", "either",
    "claims", "loss", "cost", "margin", "claim", "tier", "margin_part", "claim_part",
]
RESPONSE = {"regression": "margin", "binomial": "claim", "multinomial": "tier"}
DISTRIBUTIONS = [
    ("gaussian", "margin", {}),
    ("poisson", "claims", {}),
    ("gamma", "cost", {}),
    ("tweedie", "loss", {"tweedie_power": 1.2}),
    ("tweedie", "loss", {"tweedie_power": 1.5}),
    ("tweedie", "loss", {"tweedie_power": 1.8}),
    ("laplace", "margin", {}),
    ("quantile", "margin", {"quantile_alpha": 0.2}),
    ("quantile", "margin", {"quantile_alpha": 0.5}),
    ("quantile", "margin", {"quantile_alpha": 0.9}),
    ("huber", "margin", {"huber_alpha": 0.01}),
    ("huber", "margin", {"huber_alpha": 0.5}),
    ("huber", "margin", {"huber_alpha": 0.9}),
]
OTHER_ACTIVATIONS = ["RectifierWithDropout", "Maxout", "TanhWithDropout", "ExpRectifier", "MaxoutWithDropout"]


def cases():
    yield from distributions()
    yield from losses()
    yield from offsets()
    yield from weights()
    yield from balancing()
    yield from autoencoders()
    yield from starts()
    yield from encodings()
    yield from hashing()
    yield from engine()
    yield from columns()
    yield from metrics()
    yield from features()


def policies(name, response, parameters, use=(), **more):
    """A case on policies.csv; `use` names special columns that are predictors after all."""
    special = {response, parameters.get("weights_column"), parameters.get("offset_column"), *use}
    return {
        "name": name,
        "train": "policies.csv",
        "response": response,
        "ignored_columns": [column for column in SPECIAL if column not in special],
        "parameters": {**SMALL, **parameters},
        **more,
    }


VALID = {"valid": "policies-valid.csv", "score": "policies-valid.csv"}


def distributions():
    for number, (distribution, response, parameters) in enumerate(DISTRIBUTIONS):
        name = "-".join([distribution, *(str(value) for value in parameters.values())])
        parameters = {"distribution": distribution, **parameters}
        yield policies(f"{name}-rectifier", response, parameters)
        yield policies(f"{name}-tanh", response, {**parameters, "activation": "Tanh"}, **VALID)
        activation = OTHER_ACTIVATIONS[number % len(OTHER_ACTIVATIONS)]
        yield policies(f"{name}-{activation.lower()}", response, {**parameters, "activation": activation})
        yield policies(f"{name}-no-standardize", response, {
            **parameters, "standardize": False, "activation": "Tanh", "epochs": 2})
    stopping = {"epochs": 20, "stopping_rounds": 2, "stopping_tolerance": 0.02, "rho": 0.95, "epsilon": 1e-6}
    for distribution, response, metric in [
        ("poisson", "claims", "deviance"), ("gamma", "cost", "MAE"), ("tweedie", "loss", "RMSLE"),
        ("laplace", "margin", "MAE"), ("quantile", "margin", "AUTO"), ("huber", "margin", "deviance"),
    ]:
        yield policies(f"stopping-{distribution}-{metric.lower()}", response, {
            **stopping, "distribution": distribution, "stopping_metric": metric}, **VALID)
    yield policies("poisson-manual-rate", "claims", {
        "distribution": "poisson", "adaptive_rate": False, "rate": 0.002, "momentum_start": 0.4,
        "momentum_stable": 0.4, "nesterov_accelerated_gradient": False})
    yield policies("gamma-manual-rate", "cost", {
        "distribution": "gamma", "adaptive_rate": False, "rate": 0.002, "l1": 1e-4, "l2": 1e-4})
    yield policies("huber-no-hidden-layer", "margin", {"distribution": "huber", "hidden": []})
    yield policies("tweedie-large-steps", "loss", {
        "distribution": "tweedie", "adaptive_rate": False, "rate": 0.5, "activation": "Tanh"})


def losses():
    for loss in ("Quadratic", "CrossEntropy"):
        for kind in ("binomial", "multinomial"):
            yield policies(f"loss-{loss.lower()}-{kind}", RESPONSE[kind], {"loss": loss})
    yield policies("loss-quadratic-tanh-binomial", "claim", {"loss": "Quadratic", "activation": "Tanh"}, **VALID)
    yield policies("loss-quadratic-dropout-multinomial", "tier", {
        "loss": "Quadratic", "activation": "RectifierWithDropout", "adaptive_rate": False, "rate": 0.05}, **VALID)
    for loss in ("Absolute", "Huber", "Quantile", "Quadratic"):
        yield policies(f"loss-{loss.lower()}-auto", "margin", {"loss": loss})
        yield policies(f"loss-{loss.lower()}-gaussian", "margin", {"loss": loss, "distribution": "gaussian"})
    yield policies("loss-quantile-alpha-auto", "margin", {"loss": "Quantile", "quantile_alpha": 0.3})
    yield policies("loss-huber-alpha-auto", "margin", {"loss": "Huber", "huber_alpha": 0.6}, **VALID)
    yield policies("bernoulli-spelled-out", "claim", {"distribution": "bernoulli"})
    yield policies("multinomial-spelled-out", "tier", {"distribution": "multinomial"})
    yield policies("multinomial-on-two-classes", "claim", {"distribution": "multinomial"})


def offsets():
    for distribution, response in [
        ("gaussian", "margin"), ("poisson", "claims"), ("gamma", "cost"), ("tweedie", "loss"), ("laplace", "margin"),
    ]:
        for column in ("up", "down", "either"):
            yield policies(f"offset-{column}-{distribution}", response, {
                "distribution": distribution, "offset_column": column})
    yield policies("offset-either-no-standardize", "margin", {"offset_column": "either", "standardize": False})
    yield policies("offset-up-quantile", "margin", {"offset_column": "up", "distribution": "quantile"}, **VALID)
    yield policies("offset-either-huber", "margin", {"offset_column": "either", "distribution": "huber"}, **VALID)
    yield policies("offset-either-poisson-valid", "claims", {
        "offset_column": "either", "distribution": "poisson", "activation": "Tanh"}, **VALID)


def weights():
    for column in ("kept", "copies", "share", "gaps"):
        for kind in RESPONSE:
            yield policies(f"weights-{column}-{kind}", RESPONSE[kind], {"weights_column": column})
    yield policies("weights-share-valid-binomial", "claim", {"weights_column": "share"}, **VALID)
    yield policies("weights-gaps-valid-multinomial", "tier", {"weights_column": "gaps"}, **VALID)
    yield policies("weights-kept-valid-regression", "margin", {"weights_column": "kept"}, **VALID)
    yield policies("weights-share-offset", "margin", {"weights_column": "share", "offset_column": "up"})
    yield policies("weights-gaps-offset-poisson", "claims", {
        "weights_column": "gaps", "offset_column": "either", "distribution": "poisson"})
    yield policies("weights-kept-balanced", "claim", {"weights_column": "kept", "balance_classes": True})
    yield policies("weights-kept-balanced-multinomial", "tier", {"weights_column": "kept", "balance_classes": True})
    for column in ("kept", "share"):
        for kind in ("regression", "binomial"):
            yield policies(f"weights-{column}-skip-{kind}", RESPONSE[kind], {
                "weights_column": column, "missing_values_handling": "Skip"})
    yield policies("weights-kept-unlabelled", "margin_part", {"weights_column": "kept"})
    yield policies("weights-share-unlabelled", "margin_part", {"weights_column": "share"})
    yield policies("weights-gaps-unlabelled", "claim_part", {"weights_column": "gaps"})
    yield policies("weights-share-half-iterations", "margin", {
        "weights_column": "share", "train_samples_per_iteration": 100})
    yield policies("weights-copies-long-iterations", "tier", {
        "weights_column": "copies", "train_samples_per_iteration": 500})
    yield policies("weights-kept-half-iterations", "claim", {
        "weights_column": "kept", "train_samples_per_iteration": 100})
    yield policies("weights-share-huber", "margin", {"weights_column": "share", "distribution": "huber"}, **VALID)
    yield policies("weights-gaps-tweedie", "loss", {"weights_column": "gaps", "distribution": "tweedie"})
    yield policies("weights-share-gamma", "cost", {"weights_column": "share", "distribution": "gamma"})
    yield policies("weights-share-no-standardize", "margin", {"weights_column": "share", "standardize": False})
    yield policies("weights-share-scored-by-sample", "claim", {
        "weights_column": "share", "score_training_samples": 100})


def balancing():
    yield policies("balance-binomial", "claim", {"balance_classes": True})
    yield policies("balance-multinomial", "tier", {"balance_classes": True})
    for size in (0.5, 1.5):
        yield policies(f"balance-size-{size}-binomial", "claim", {
            "balance_classes": True, "max_after_balance_size": size})
        yield policies(f"balance-size-{size}-multinomial", "tier", {
            "balance_classes": True, "max_after_balance_size": size})
    yield policies("balance-factors-binomial", "claim", {
        "balance_classes": True, "class_sampling_factors": [0.5, 1.75]}, **VALID)
    yield policies("balance-factors-multinomial", "tier", {
        "balance_classes": True, "class_sampling_factors": [0.4, 1.0, 2.3]}, **VALID)
    yield policies("balance-factors-large", "claim", {
        "balance_classes": True, "class_sampling_factors": [2.0, 9.5], "max_after_balance_size": 2.0})
    yield policies("balance-unlabelled", "claim_part", {"balance_classes": True})
    yield policies("balance-skip", "claim", {"balance_classes": True, "missing_values_handling": "Skip"})
    yield policies("balance-valid-stratified", "claim", {
        "balance_classes": True, "score_validation_sampling": "Stratified", "score_validation_samples": 30}, **VALID)
    yield policies("balance-valid-stratified-multinomial", "tier", {
        "balance_classes": True, "score_validation_sampling": "Stratified", "score_validation_samples": 40}, **VALID)
    yield policies("balance-half-iterations", "tier", {"balance_classes": True, "train_samples_per_iteration": 100})
    yield policies("balance-scored-by-sample", "claim", {"balance_classes": True, "score_training_samples": 120})
    for size in (0.5, 5.0):
        yield {
            "name": f"balance-levels-size-{size}",
            "train": "levels.csv",
            "response": "kind",
            "ignored_columns": ["amount"],
            "parameters": {**SMALL, "balance_classes": True, "max_after_balance_size": size},
        }
    yield {
        "name": "balance-awkward",
        "train": "awkward.csv",
        "column_types": {"single": "enum"},
        "response": "place",
        "ignored_columns": ["amount"],
        "parameters": {**SMALL, "balance_classes": True, "class_sampling_factors": [1.3, 0.8]},
    }


def autoencoder(name, train, parameters, ignored=(), **more):
    return {
        "name": f"autoencoder-{name}",
        "train": train,
        "ignored_columns": list(ignored),
        "anomaly": True,
        "parameters": {**SMALL, "hidden": [4], "activation": "Tanh", "autoencoder": True, **parameters},
        **more,
    }


NUMERIC = ["since", "flat", "region", "vehicle", "fuel", "kept", "claim", "tier", "margin_part", "claim_part",
           "copies", "share", "gaps", "up", "down", "either"]


def autoencoders():
    mixed = {"train": "policies.csv", "ignored": SPECIAL}
    numeric = {"train": "policies.csv", "ignored": NUMERIC}
    for activation in ("Tanh", "Rectifier", "TanhWithDropout", "RectifierWithDropout", "ExpRectifier"):
        yield autoencoder(f"numeric-{activation.lower()}", parameters={"activation": activation}, **numeric)
    for activation in ("Tanh", "Rectifier", "ExpRectifier"):
        yield autoencoder(f"mixed-{activation.lower()}", parameters={"activation": activation}, **mixed)
    yield autoencoder("categorical", "colors.csv", {})
    yield autoencoder("categorical-dropout", "colors.csv", {"activation": "TanhWithDropout", "epochs": 5})
    for sparse in (False, True):
        yield autoencoder(f"zeros-{'sparse' if sparse else 'dense'}", "zeros.csv", {"sparse": sparse},
                          ["sign", "amount"])
    yield autoencoder("zeros-mixed-sparse", "zeros-mixed.csv", {"sparse": True}, ["sign", "amount"])
    yield autoencoder("sparsity", parameters={"average_activation": -0.2, "sparsity_beta": 0.1}, **numeric)
    yield autoencoder("sparsity-rectifier", parameters={
        "average_activation": 0.1, "sparsity_beta": 0.05, "activation": "Rectifier"}, **mixed)
    yield autoencoder("sparsity-manual", parameters={
        "average_activation": 0.0, "sparsity_beta": 0.5, "adaptive_rate": False, "rate": 0.01, "hidden": [5, 3]},
        **numeric)
    yield autoencoder("sparsity-expanding", parameters={
        "average_activation": 0.3, "sparsity_beta": 0.05, "activation": "ExpRectifierWithDropout"}, **numeric)
    yield autoencoder("sparsity-momentum", parameters={
        "average_activation": 0.2, "sparsity_beta": 0.5, "adaptive_rate": False, "rate": 0.01, "momentum_start": 0.5,
        "momentum_stable": 0.5}, **numeric)
    yield autoencoder("sparsity-manual-plain", parameters={
        "average_activation": 0.2, "sparsity_beta": 0.5, "adaptive_rate": False, "rate": 0.01, "momentum_start": 0.5,
        "momentum_stable": 0.5, "nesterov_accelerated_gradient": False, "rate_decay": 0.8, "hidden": [5, 3]},
        **numeric)
    yield autoencoder("sparsity-valid", parameters={
        "average_activation": 0.1, "sparsity_beta": 0.8, "score_training_samples": 100},
        valid="policies-valid.csv", score="policies-valid.csv", **mixed)
    yield autoencoder("sparsity-idle", parameters={
        "average_activation": 0.4, "sparsity_beta": 0.5, "activation": "RectifierWithDropout", "fast_mode": False},
        **numeric)
    yield autoencoder("input-dropout", parameters={"input_dropout_ratio": 0.2}, **mixed)
    yield autoencoder("deep", parameters={"hidden": [6, 3, 6]}, deep_features=[0, 1, 2], **mixed)
    yield autoencoder("no-hidden-layer", parameters={"hidden": []}, **numeric)
    yield autoencoder("skip-missing", parameters={"missing_values_handling": "Skip"}, **mixed)
    yield autoencoder("no-standardize", parameters={"standardize": False}, **mixed)
    yield autoencoder("regularised", parameters={"l1": 1e-4, "l2": 1e-3, "max_w2": 1.0}, **mixed)
    yield autoencoder("manual", parameters={
        "adaptive_rate": False, "rate": 0.01, "momentum_start": 0.3, "momentum_stable": 0.3}, **mixed)
    yield autoencoder("valid", parameters={}, valid="policies-valid.csv", score="policies-valid.csv", **mixed)
    yield autoencoder("stopping", parameters={
        "epochs": 30, "stopping_rounds": 2, "stopping_tolerance": 0.05, "stopping_metric": "MSE", "rho": 0.95,
        "epsilon": 1e-6}, valid="policies-valid.csv", **mixed)
    yield autoencoder("regression-stop", parameters={"epochs": 10, "regression_stop": 0.1}, **mixed)
    yield autoencoder("half-iterations", parameters={"train_samples_per_iteration": 100}, **numeric)
    yield autoencoder("scored-by-sample", parameters={"score_training_samples": 100}, **numeric)
    yield autoencoder("weights", parameters={"weights_column": "share"}, train="policies.csv",
                      ignored=[column for column in NUMERIC if column != "share"])
    yield autoencoder("weights-no-standardize", parameters={"weights_column": "share", "standardize": False},
                      train="policies.csv", ignored=[column for column in NUMERIC if column != "share"])
    yield autoencoder("weights-offset", parameters={"weights_column": "kept", "offset_column": "up"},
                      train="policies.csv", ignored=[column for column in NUMERIC if column not in ("kept", "up")])
    yield autoencoder("absolute", parameters={"loss": "Absolute"}, **numeric)
    yield autoencoder("huber", parameters={"loss": "Huber"}, **numeric)
    yield autoencoder("quantile", parameters={"distribution": "quantile", "quantile_alpha": 0.3}, **numeric)
    yield autoencoder("poisson", parameters={"distribution": "poisson", "activation": "Rectifier"}, **numeric)
    yield autoencoder("epochs-none", parameters={"epochs": 0}, **mixed)
    yield autoencoder("response-given", parameters={}, response="margin", **numeric)
    yield autoencoder("response-ignored", train="policies.csv", parameters={}, response="margin",
                      ignored=[*NUMERIC, "margin"])
    for best in (True, False):
        yield autoencoder(f"worse-with-training{'' if best else '-kept'}", parameters={
            "epochs": 0.04, "train_samples_per_iteration": 4, "adaptive_rate": False, "rate": 0.6,
            "overwrite_with_best_model": best}, **numeric)
    yield autoencoder("part-of-an-epoch", parameters={"epochs": 0.5}, **mixed)
    yield autoencoder("zeros-sparse-no-standardize", "zeros.csv", {"sparse": True, "standardize": False},
                      ["sign", "amount"])
    yield autoencoder("categories-and-constants", parameters={
        "ignore_const_cols": False, "use_all_factor_levels": False, "loss": "Quantile", "quantile_alpha": 0.7},
        **mixed)
    yield autoencoder("elastic", parameters={"elastic_averaging": True}, **mixed)
    yield autoencoder("elastic-sparsity", parameters={
        "elastic_averaging": True, "average_activation": 0.3, "sparsity_beta": 0.5}, **numeric)
    yield autoencoder("time", train="policies.csv", parameters={},
                      ignored=[column for column in SPECIAL if column != "since"])
    yield autoencoder("valid-partial", "mixed.csv", {"hidden": [5]}, valid="mixed-partial.csv",
                      score="mixed-partial.csv")
    yield autoencoder("dropout-skip-valid", parameters={
        "activation": "TanhWithDropout", "hidden": [7, 3, 7], "hidden_dropout_ratios": [0.1, 0.5, 0.3],
        "input_dropout_ratio": 0.1, "missing_values_handling": "Skip"}, deep_features=[0, 2],
        valid="policies-valid.csv", score="policies-valid.csv", **mixed)
    yield autoencoder("sparse-dropout-mixed", "zeros-mixed.csv", {
        "sparse": True, "activation": "RectifierWithDropout", "input_dropout_ratio": 0.2, "fast_mode": False},
        ["sign", "amount"])
    yield autoencoder("sparse-skip-sparsity", "zeros-mixed.csv", {
        "sparse": True, "missing_values_handling": "Skip", "sparsity_beta": 0.3, "average_activation": -0.1},
        ["sign", "amount"])
    yield autoencoder("huber-manual-annealed", parameters={
        "loss": "Huber", "adaptive_rate": False, "rate": 0.02, "rate_annealing": 1e-3, "rate_decay": 0.9,
        "momentum_start": 0.4, "nesterov_accelerated_gradient": False, "hidden": [5, 3]}, **mixed)
    yield autoencoder("laplace-normal-capped", parameters={
        "distribution": "laplace", "initial_weight_distribution": "Normal", "initial_weight_scale": 0.3, "max_w2": 0.5,
        "activation": "ExpRectifier", "l2": 1e-3}, **mixed)
    yield autoencoder("quantile-no-standardize", parameters={
        "loss": "Quantile", "quantile_alpha": 0.8, "standardize": False, "activation": "ExpRectifier"}, **mixed)
    yield autoencoder("parts-of-iterations-stopping", parameters={
        "train_samples_per_iteration": 60, "epochs": 20, "stopping_rounds": 3, "stopping_tolerance": 0.02,
        "shuffle_training_data": True, "score_training_samples": 80}, **numeric)
    yield autoencoder("maxout-dropout", parameters={"activation": "MaxoutWithDropout"}, **numeric)
    yield autoencoder("encoded-binary", parameters={"categorical_encoding": "Binary"}, **mixed)
    yield autoencoder("encoded-eigen", parameters={"categorical_encoding": "Eigen"}, **mixed)
    yield autoencoder("hashed", parameters={"max_categorical_features": 6}, **mixed)
    yield autoencoder("hashed-no-importances", parameters={
        "max_categorical_features": 6, "variable_importances": False}, **mixed)
    yield autoencoder("iris", "iris.csv", {"hidden": [3]}, deep_features=[0])


def starts():
    encoder = {"seed": 99, "hidden": [6, 4], "epochs": 2, "activation": "Tanh", "autoencoder": True}
    yield {
        "name": "donor-autoencoder",
        "train": "policies.csv",
        "ignored_columns": SPECIAL,
        "parameters": encoder,
        "weights": True,
    }
    yield {
        "name": "donor-autoencoder-rectifier",
        "train": "policies.csv",
        "ignored_columns": SPECIAL,
        "parameters": {**encoder, "activation": "Rectifier"},
        "weights": True,
    }
    pretrained = {"hidden": [6, 4], "activation": "Tanh"}
    for kind, response in RESPONSE.items():
        yield policies(f"pretrained-{kind}", response, pretrained, donor="donor-autoencoder")
    yield policies("pretrained-no-training", "tier", {**pretrained, "epochs": 0}, donor="donor-autoencoder",
                   weights=True)
    yield policies("pretrained-rectifier", "margin", {"hidden": [6, 4], "epochs": 2},
                   donor="donor-autoencoder-rectifier", weights=True)
    yield policies("pretrained-wrong-shape", "margin", {"hidden": [5, 4], "activation": "Tanh"},
                   donor="donor-autoencoder")

    for kind, response in RESPONSE.items():
        yield policies(f"donor-{kind}", response, {"epochs": 1}, weights=True)
        yield policies(f"initial-{kind}", response, {"epochs": 2}, donor=f"donor-{kind}", start=[0, 1, 2])
        yield policies(f"initial-no-training-{kind}", response, {"epochs": 0}, donor=f"donor-{kind}", start=[0, 1, 2],
                       weights=True)
    yield policies("initial-first-layer", "margin", {"epochs": 2}, donor="donor-regression", start=[0])
    yield policies("initial-last-layers", "tier", {"epochs": 2}, donor="donor-multinomial", start=[1, 2])
    yield policies("initial-wrong-shape", "margin", {"hidden": [7, 6]}, donor="donor-regression", start=[0, 1, 2])


def encodings():
    for encoding in ("Binary", "Eigen", "LabelEncoder", "SortByResponse", "EnumLimited", "OneHotInternal"):
        for kind in ("binomial", "regression"):
            yield policies(f"encoding-{encoding.lower()}-{kind}", RESPONSE[kind], {"categorical_encoding": encoding},
                           **VALID)
        yield policies(f"encoding-{encoding.lower()}-zone-multinomial", "tier", {
            "categorical_encoding": encoding, "activation": "Tanh"}, column_types={"zone": "enum"})
        yield policies(f"encoding-{encoding.lower()}-drop-first", "margin", {
            "categorical_encoding": encoding, "use_all_factor_levels": False}, **VALID)
    for encoding in ("SortByResponse", "EnumLimited"):
        yield policies(f"encoding-{encoding.lower()}-multinomial", "tier", {"categorical_encoding": encoding}, **VALID)
        yield policies(f"encoding-{encoding.lower()}-zone-binomial", "claim", {"categorical_encoding": encoding},
                       column_types={"zone": "enum"}, **VALID)
        yield policies(f"encoding-{encoding.lower()}-weights-valid", "margin", {
            "categorical_encoding": encoding, "weights_column": "gaps"}, **VALID)
    for encoding in ("SortByResponse", "Eigen", "EnumLimited"):
        yield policies(f"encoding-{encoding.lower()}-weights", "margin", {
            "categorical_encoding": encoding, "weights_column": "gaps"})
    yield policies("encoding-sortbyresponse-unlabelled", "claim_part", {"categorical_encoding": "SortByResponse"})
    yield policies("encoding-sortbyresponse-weights-binomial", "claim", {
        "categorical_encoding": "SortByResponse", "weights_column": "share"})
    yield policies("encoding-eigen-skip-missing", "margin", {
        "categorical_encoding": "Eigen", "missing_values_handling": "Skip"})
    yield policies("encoding-binary-skip-missing", "margin", {
        "categorical_encoding": "Binary", "missing_values_handling": "Skip"})
    yield policies("encoding-labelencoder-no-standardize", "margin", {
        "categorical_encoding": "LabelEncoder", "standardize": False}, **VALID)
    yield policies("encoding-binary-sparse", "claim", {"categorical_encoding": "Binary", "sparse": True})
    for encoding in ("Binary", "Eigen", "SortByResponse"):
        yield {
            "name": f"encoding-{encoding.lower()}-levels",
            "train": "levels.csv",
            "response": "amount",
            "ignored_columns": ["kind"],
            "parameters": {**SMALL, "categorical_encoding": encoding},
        }


def hashing():
    """H2O's variable importances break unless every categorical has a missing value in training."""
    yield policies("hashed-8-binomial", "claim", {"max_categorical_features": 8})
    yield without_fuel("hashed-8-importances", "claim", {"max_categorical_features": 8})
    yield without_fuel("hashed-5-importances", "margin", {"max_categorical_features": 5, "activation": "Tanh"},
                       **VALID)
    off = {"variable_importances": False}
    yield policies("hashed-8-multinomial", "tier", {**off, "max_categorical_features": 8}, **VALID)
    yield policies("hashed-12-drop-first", "tier", {
        **off, "max_categorical_features": 12, "use_all_factor_levels": False, "epochs": 2}, **VALID)
    yield policies("hashed-1", "margin", {**off, "max_categorical_features": 1})
    yield policies("hashed-sparse", "margin", {**off, "max_categorical_features": 6, "sparse": True})
    yield policies("hashed-wider-than-needed", "margin", {"max_categorical_features": 500})
    yield {
        "name": "hashed-levels",
        "train": "levels.csv",
        "response": "kind",
        "ignored_columns": ["amount"],
        "parameters": {**SMALL, **off, "max_categorical_features": 10, "seed": 77777777777},
    }


def without_fuel(name, response, parameters, **more):
    case = policies(name, response, parameters, **more)
    case["ignored_columns"].append("fuel")
    return case


def engine():
    elastic = {"elastic_averaging": True}
    yield policies("elastic-regression", "margin", elastic, **VALID)
    yield policies("elastic-binomial", "claim", {
        **elastic, "elastic_averaging_moving_rate": 0.5, "elastic_averaging_regularization": 0.01})
    yield policies("elastic-rate-one", "tier", {**elastic, "elastic_averaging_moving_rate": 1.0})
    yield policies("elastic-half-iterations", "margin", {
        **elastic, "train_samples_per_iteration": 100, "activation": "Tanh", "l2": 1e-3, "epochs": 4})
    yield policies("elastic-manual", "margin", {
        **elastic, "adaptive_rate": False, "rate": 0.002, "momentum_start": 0.5, "momentum_stable": 0.5}, weights=True)
    yield policies("elastic-one-iteration", "margin", {**elastic, "epochs": 1})
    yield policies("elastic-autoencoder-like-maxout", "margin", {**elastic, "activation": "Maxout"})
    for size in (10, 50):
        yield policies(f"mini-batch-{size}", "margin", {"mini_batch_size": size})
    for nesterov in (True, False):
        yield policies(f"nesterov-{str(nesterov).lower()}", "claim", {
            "nesterov_accelerated_gradient": nesterov, "adaptive_rate": False, "rate": 0.01, "momentum_start": 0.3,
            "momentum_ramp": 300, "momentum_stable": 0.8, "l1": 1e-4})
    for cap in (0.1, 2.0):
        yield policies(f"max-w2-{cap}", "tier", {"max_w2": cap, "activation": "Tanh"})
    yield policies("max-w2-no-fast-mode", "margin", {"max_w2": 0.5, "fast_mode": False})
    yield policies("shuffle-weights", "margin", {"shuffle_training_data": True, "weights_column": "copies"})
    yield policies("shuffle-balance", "tier", {
        "shuffle_training_data": True, "balance_classes": True, "train_samples_per_iteration": 200})
    yield policies("one-unit", "claim", {"hidden": [1]})
    yield policies("one-unit-twice", "margin", {"hidden": [1, 1], "activation": "Tanh"})
    yield policies("score-each-iteration", "margin", {"score_each_iteration": True, "score_interval": 0})
    yield policies("score-duty-cycle-none", "margin", {"score_duty_cycle": 0.0})
    yield policies("no-importances", "margin", {"variable_importances": False})
    for samples in (30, 10):
        yield policies(f"score-validation-samples-{samples}", "claim", {"score_validation_samples": samples}, **VALID)
    yield policies("score-validation-samples-uniform", "margin", {"score_validation_samples": 25}, **VALID)
    yield policies("stratified-without-balance", "claim", {
        "score_validation_sampling": "Stratified", "score_validation_samples": 30}, **VALID)
    yield policies("cluster-parameters", "margin", {
        "replicate_training_data": False, "single_node_mode": True, "target_ratio_comm_to_comp": 0.2,
        "force_load_balance": False, "quiet_mode": True, "diagnostics": False})
    yield policies("seed-large", "margin", {"seed": 9007199254740993})
    yield policies("seed-negative", "margin", {"seed": -123456789})
    yield policies("classification-stop-valid", "claim", {"epochs": 20, "classification_stop": 0.12}, **VALID)
    yield policies("classification-stop-off", "claim", {"epochs": 4, "classification_stop": -1})
    yield policies("ignored-rates", "margin", {"rate": 0.1, "momentum_start": 0.5, "rate_annealing": 0.01})
    yield policies("stopping-metric-ignored", "margin", {
        "stopping_rounds": 0, "stopping_metric": "MAE", "stopping_tolerance": 0.1})


def columns():
    yield policies("time-regression", "margin", {}, use=["since"])
    yield policies("time-binomial", "claim", {"activation": "Tanh"}, use=["since"])
    yield policies("time-no-standardize", "claim", {"activation": "Tanh", "standardize": False}, use=["since"])
    yield policies("nearly-constant-kept", "margin", {"ignore_const_cols": False})
    yield policies("two-classes-as-numbers", "kept", {})
    yield policies("numbers-as-classes", "claims", {}, column_types={"claims": "enum"})
    yield policies("numbers-as-two-classes", "kept", {}, column_types={"kept": "enum"}, **VALID)
    yield policies("skip-missing-valid", "tier", {"missing_values_handling": "Skip"}, **VALID)
    yield policies("drop-first-no-standardize", "claim", {
        "use_all_factor_levels": False, "standardize": False, "activation": "Tanh"}, **VALID)
    yield policies("sparse-weights", "margin", {"sparse": True, "weights_column": "share"})
    yield policies("sparse-offset", "margin", {"sparse": True, "offset_column": "either"})
    yield policies("sparse-valid", "tier", {"sparse": True, "standardize": False}, **VALID)


def metrics():
    for kind in ("MACRO_OVR", "WEIGHTED_OVR", "MACRO_OVO", "WEIGHTED_OVO", "NONE"):
        name = kind.lower().replace("_", "-")
        yield policies(f"auc-{name}", "tier", {"auc_type": kind}, **VALID)
    yield policies("auc-macro-ovo-weights", "tier", {"auc_type": "MACRO_OVO", "weights_column": "share"})
    yield policies("auc-weighted-ovr-stopping", "tier", {
        "auc_type": "WEIGHTED_OVR", "stopping_metric": "AUC", "stopping_rounds": 1, "stopping_tolerance": 0.01,
        "epochs": 15}, **VALID)
    yield policies("auc-weighted-ovo-balanced", "tier", {"auc_type": "WEIGHTED_OVO", "balance_classes": True})
    yield policies("auc-type-on-two-classes", "claim", {"auc_type": "MACRO_OVR"})
    for bins in (-1, 0, 5):
        yield policies(f"gains-lift-{bins}", "claim", {"gainslift_bins": bins}, gains_lift=True, **VALID)
    yield policies("gains-lift-weights", "claim", {"weights_column": "share"}, gains_lift=True)
    yield policies("gains-lift-copies", "claim", {"weights_column": "copies", "gainslift_bins": 4}, gains_lift=True)
    yield policies("gains-lift-balanced", "claim", {"balance_classes": True, "gainslift_bins": 10}, gains_lift=True)
    yield policies("gains-lift-gaps", "claim", {"weights_column": "gaps"}, gains_lift=True, **VALID)
    yield policies("gains-lift-unlabelled", "claim_part", {}, gains_lift=True, **VALID)
    yield policies("gains-lift-gaps-unlabelled", "claim_part", {"weights_column": "gaps"}, gains_lift=True, **VALID)
    yield policies("gains-lift-ties", "claim", {"epochs": 0, "hidden": [1], "gainslift_bins": 20}, gains_lift=True)
    yield policies("stopping-lift-top-group", "claim", {
        "epochs": 15, "stopping_rounds": 2, "stopping_metric": "lift_top_group", "stopping_tolerance": 0.05}, **VALID)
    yield policies("stopping-mean-per-class-error", "tier", {
        "epochs": 15, "stopping_rounds": 2, "stopping_metric": "mean_per_class_error", "stopping_tolerance": 0.05},
        **VALID)
    yield policies("stopping-auto", "tier", {
        "epochs": 15, "stopping_rounds": 2, "stopping_tolerance": 0.05, "rho": 0.95, "epsilon": 1e-6}, **VALID)
    yield {
        "name": "credit-gains-lift",
        "train": "credit.csv",
        "response": "Status",
        "gains_lift": True,
        "parameters": {"seed": 79, "hidden": [12], "epochs": 1},
    }
    yield policies("twelve-classes", "region", {"epochs": 4, "auc_type": "MACRO_OVR"})


def features():
    yield policies("deep-features-regression", "margin", {"hidden": [6, 4, 3]}, deep_features=[0, 1, 2])
    yield policies("deep-features-dropout", "claim", {
        "activation": "TanhWithDropout", "hidden_dropout_ratios": [0.2, 0.4]}, deep_features=[0, 1], **VALID)
    yield policies("deep-features-maxout", "tier", {"activation": "Maxout", "hidden": [5, 3]}, deep_features=[0, 1])
    yield policies("deep-features-weights", "margin", {"weights_column": "gaps"}, deep_features=[1])


CASES3 = list(cases())

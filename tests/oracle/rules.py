"""One small configuration for each rule about parameters that H2O has or might have; see ask_for_rules.py.

Keys as in cases.py; text holds the training data where no stored file shows the case. What a rule breaks is its name.
"""

BASE = {"hidden": [3], "epochs": 0.1, "seed": 1}
IGNORED = ["since", "kept", "copies", "share", "gaps", "up", "down", "either", "claims", "loss", "cost", "margin",
           "claim", "tier", "margin_part", "claim_part"]
TINY = "x,k,y\n1,a,2.5\n2,b,3\n4,a,1\n3,b,0.5\n"


def rules():
    yield from network()
    yield from losses()
    yield from autoencoders()
    yield from stopping()
    yield from columns()
    yield from frames()
    yield from accepted()


def rule(name, response, parameters, **more):
    used = {response, parameters.get("weights_column"), parameters.get("offset_column"), parameters.get("fold_column")}
    return {
        "name": name,
        "train": "policies.csv",
        "response": response,
        "ignored_columns": [column for column in IGNORED if column not in used],
        "parameters": {**BASE, **parameters},
        **more,
    }


def text(name, content, response, parameters, **more):
    return {"name": name, "text": content, "response": response, "parameters": {**BASE, **parameters}, **more}


def network():
    for value in (0, -3):
        yield rule(f"hidden of {value}", "margin", {"hidden": [4, value]})
    for value in (0, -1):
        yield rule(f"mini_batch_size {value}", "margin", {"mini_batch_size": value})
    yield rule("diagnostics off", "margin", {"diagnostics": False})
    dropout = {"activation": "RectifierWithDropout"}
    yield rule("too few hidden_dropout_ratios", "margin", {**dropout, "hidden_dropout_ratios": [0.1, 0.2]})
    yield rule("hidden_dropout_ratios without dropout", "margin", {"hidden_dropout_ratios": [0.1]})
    for value in (1.0, -0.1):
        yield rule(f"hidden_dropout_ratios {value}", "margin", {**dropout, "hidden_dropout_ratios": [value]})
        yield rule(f"input_dropout_ratio {value}", "margin", {"input_dropout_ratio": value})
    for value in (-0.1, 1.1):
        yield rule(f"score_duty_cycle {value}", "margin", {"score_duty_cycle": value})
    for name in ("l1", "l2"):
        yield rule(f"{name} negative", "margin", {name: -0.1})
        yield rule(f"{name} above one", "margin", {name: 1.5})
    ignored = {"rate": 0.1, "rate_annealing": 0.1, "rate_decay": 0.9, "momentum_start": 0.1, "momentum_ramp": 10,
               "momentum_stable": 0.1}
    for name, value in ignored.items():
        yield rule(f"{name} with adaptive_rate", "margin", {name: value})
    for name in ("rho", "epsilon"):
        yield rule(f"{name} without adaptive_rate", "margin", {"adaptive_rate": False, name: 0.5})
        for value in (0, -0.5, 1.5):
            yield rule(f"{name} {value}", "margin", {name: value})
    for name, value in [("rate", 0), ("rate", -1), ("rate_decay", -1), ("rate_annealing", -1),
                        ("momentum_start", 1.5), ("momentum_stable", -1), ("momentum_ramp", 0)]:
        yield rule(f"{name} {value}", "margin", {"adaptive_rate": False, name: value})
    for value in (0, -1):
        yield rule(f"max_w2 {value}", "margin", {"max_w2": value})
        yield rule(f"max_categorical_features {value}", "margin", {"max_categorical_features": value})
        yield rule(f"max_after_balance_size {value}", "claim", {"max_after_balance_size": value})
    yield rule("col_major", "margin", {"col_major": True})
    yield rule("sparse with elastic_averaging", "margin", {"sparse": True, "elastic_averaging": True})
    for value in (-0.1, 1.1):
        moving = {"elastic_averaging_moving_rate": value}
        yield rule(f"elastic_averaging_moving_rate {value}", "margin", {"elastic_averaging": True, **moving})
        yield rule(f"elastic_averaging_moving_rate {value} unused", "margin", moving)
    for on in (True, False):
        yield rule(f"elastic_averaging_regularization -1, elastic_averaging {on}", "margin", {
            "elastic_averaging": on, "elastic_averaging_regularization": -1})
    yield rule("more than 1e8 weights", "margin", {"hidden": [10000, 10000]})
    yield rule("initial_weights too few", "margin", {}, start=[0], donor=True)
    yield rule("initial_weights alone", "margin", {}, start=["weights"], donor=True)
    yield rule("initial_biases alone", "margin", {}, start=["biases"], donor=True)
    yield rule("pretrained_autoencoder is unknown", "margin", {"pretrained_autoencoder": "nowhere"})
    yield rule("pretrained_autoencoder is no autoencoder", "margin", {}, donor="supervised")
    yield rule("pretrained_autoencoder for an autoencoder", None, {"autoencoder": True}, donor="autoencoder")
    for name in ("score_training_samples", "score_validation_samples"):
        yield rule(f"{name} negative", "margin", {name: -1})
    for value in (-3, -2, -1):
        yield rule(f"train_samples_per_iteration {value}", "margin", {"train_samples_per_iteration": value})
    for name, value in [("epochs", -1), ("initial_weight_scale", -1), ("initial_weight_scale", 0),
                        ("target_ratio_comm_to_comp", -1), ("score_interval", -1), ("classification_stop", -2),
                        ("regression_stop", -2), ("max_runtime_secs", -1), ("max_confusion_matrix_size", -1)]:
        yield rule(f"{name} {value}", "margin", {name: value})


def losses():
    for loss in ("CrossEntropy", "Quadratic", "Absolute", "Huber", "Quantile", "ModifiedHuber"):
        for response in ("margin", "claim", "tier"):
            yield rule(f"loss {loss} for {response}", response, {"loss": loss})
    distributions = ["bernoulli", "multinomial", "gaussian", "poisson", "gamma", "tweedie", "laplace", "quantile",
                     "huber", "quasibinomial", "ordinal", "fractionalbinomial", "negativebinomial", "custom",
                     "modified_huber"]
    for distribution in distributions:
        for response in ("cost", "claim", "tier"):
            yield rule(f"distribution {distribution} for {response}", response, {"distribution": distribution})
    for distribution in ("gaussian", "poisson", "gamma", "tweedie", "laplace", "quantile", "huber"):
        for loss in ("Quadratic", "Absolute", "Huber", "Quantile"):
            yield rule(f"distribution {distribution} with loss {loss}", "cost", {
                "distribution": distribution, "loss": loss})
    for distribution in ("poisson", "gamma", "tweedie"):
        yield rule(f"{distribution} with negative responses", "margin", {"distribution": distribution})
        yield rule(f"{distribution} with zeros", "loss", {"distribution": distribution})
    for value in (1.0, 2.0, 0.5):
        yield rule(f"tweedie_power {value}", "cost", {"distribution": "tweedie", "tweedie_power": value})
        yield rule(f"tweedie_power {value} unused", "cost", {"tweedie_power": value})
    for distribution in ("quantile", "huber"):
        for value in (-0.1, 0, 1, 1.1):
            name = f"{distribution}_alpha"
            yield rule(f"{name} {value}", "margin", {"distribution": distribution, name: value})
            yield rule(f"{name} {value} unused", "margin", {name: value})


def autoencoders():
    def autoencoder(name, parameters, **more):
        return rule(f"autoencoder, {name}", None, {"autoencoder": True, "activation": "Tanh", **parameters}, **more)

    yield autoencoder("as such", {})
    yield rule("autoencoder, response given", "margin", {"autoencoder": True, "activation": "Tanh"})
    yield rule("autoencoder, categorical response given", "claim", {"autoencoder": True, "activation": "Tanh"})
    yield rule("autoencoder, unknown response", "nowhere", {"autoencoder": True, "activation": "Tanh"})
    yield rule("autoencoder, response among the ignored", "margin", {"autoencoder": True, "activation": "Tanh"},
               ignored_columns=IGNORED)
    encoder = {"autoencoder": True, "activation": "Tanh"}
    yield text("autoencoder, constant response", "x,k,y\n1,a,2\n2,b,2\n3,a,2\n", "y", encoder)
    yield text("autoencoder, constant columns", "x,y\n5,1\n5,1\n5,1\n", None, encoder)
    yield text("autoencoder, one column", "x\n5\n3\n4\n", None, encoder, header=True)
    yield text("autoencoder, skip leaves no row", "x,k\n1,\n,2\n4,\n,5\n", None, {
        **encoder, "missing_values_handling": "Skip"})
    for loss in ("CrossEntropy", "Quadratic", "Absolute", "Huber", "Quantile"):
        yield autoencoder(f"loss {loss}", {"loss": loss})
    for distribution in ("bernoulli", "multinomial", "gaussian", "poisson", "gamma", "tweedie", "laplace", "quantile",
                         "huber"):
        yield autoencoder(f"distribution {distribution}", {"distribution": distribution})
    for activation in ("Maxout", "MaxoutWithDropout", "Rectifier", "RectifierWithDropout", "TanhWithDropout",
                       "ExpRectifier", "ExpRectifierWithDropout"):
        yield autoencoder(f"activation {activation}", {"activation": activation})
    for activation in ("Tanh", "TanhWithDropout", "Rectifier", "RectifierWithDropout", "ExpRectifier"):
        for target in (-1, -0.5, 0, 0.5, 1, 2):
            yield autoencoder(f"average_activation {target} for {activation}", {
                "activation": activation, "sparsity_beta": 0.1, "average_activation": target})
    yield autoencoder("average_activation 2 without sparsity_beta", {"average_activation": 2})
    yield autoencoder("sparsity_beta -0.1", {"sparsity_beta": -0.1})
    yield rule("sparsity_beta without an autoencoder", "margin", {"sparsity_beta": 0.1})
    yield rule("average_activation without an autoencoder", "margin", {"average_activation": 0.1})
    yield autoencoder("balance_classes", {"balance_classes": True})
    yield autoencoder("weights_column", {"weights_column": "share"})
    yield autoencoder("weights_column of zeros and ones", {"weights_column": "kept"})
    yield autoencoder("offset_column", {"offset_column": "up"})
    yield autoencoder("use_all_factor_levels off", {"use_all_factor_levels": False})
    for encoding in ("Enum", "OneHotExplicit", "SortByResponse", "Binary", "Eigen", "LabelEncoder", "EnumLimited"):
        yield autoencoder(f"categorical_encoding {encoding}", {"categorical_encoding": encoding})
    for metric in ("AUTO", "MSE", "RMSE", "MAE", "deviance", "logloss"):
        for rounds in (0, 2):
            yield autoencoder(f"stopping_metric {metric}, rounds {rounds}", {
                "stopping_metric": metric, "stopping_rounds": rounds})
    yield autoencoder("max_categorical_features 5", {"max_categorical_features": 5})
    yield autoencoder("no hidden layer", {"hidden": []})
    frame = {"train": "policies.csv", "ignored_columns": IGNORED[:-4]}
    yield {"name": "autoencoder, validation without a common column", "response": None,
           "parameters": {**BASE, **encoder}, "valid_text": "other,more\n30,2\n40,1\n", **frame}
    yield {"name": "autoencoder, validation with one column", "response": None,
           "parameters": {**BASE, **encoder}, "valid_text": "age\n30\n40\n", **frame}


def stopping():
    metrics = ["AUTO", "deviance", "logloss", "MSE", "RMSE", "MAE", "RMSLE", "AUC", "AUCPR", "lift_top_group",
               "misclassification", "mean_per_class_error", "custom", "custom_increasing", "anomaly_score"]
    for response in ("margin", "claim", "tier"):
        for metric in metrics:
            yield rule(f"stopping_metric {metric} for {response}", response, {
                "stopping_metric": metric, "stopping_rounds": 2})
    yield rule("stopping_metric without rounds", "margin", {"stopping_metric": "MSE", "stopping_rounds": 0})
    yield rule("unfit stopping_metric without rounds", "margin", {"stopping_metric": "AUC", "stopping_rounds": 0})
    yield rule("stopping_tolerance without rounds", "margin", {"stopping_tolerance": 0.1, "stopping_rounds": 0})
    yield rule("stopping_rounds negative", "margin", {"stopping_rounds": -1})
    for value in (-0.1, 1.0, 0.999):
        yield rule(f"stopping_tolerance {value}", "margin", {"stopping_tolerance": value})


def columns():
    yield rule("no response", None, {})
    yield rule("unknown response", "nowhere", {})
    yield rule("unknown ignored column", "margin", {}, ignored_columns=["nowhere", *IGNORED[:13]])
    yield rule("response among the ignored", "margin", {}, ignored_columns=IGNORED)
    yield rule("time as response", "since", {})
    yield rule("numbers 0 and 1 as response", "kept", {})
    yield text("numbers -1 and 1 as response", TINY.replace("2.5", "1").replace("0.5", "-1").replace(",3\n", ",-1\n"),
               "y", {})
    yield text("constant response", "x,y\n1,2\n2,2\n3,2\n", "y", {})
    yield text("constant response with a missing value", "x,y\n1,2\n2,2\n3,2\n4,\n", "y", {})
    yield text("response all missing", "x,y\n1,\n2,\n3,\n", "y", {}, column_types={"y": "numeric"})
    yield text("response of one level", "x,y\n1,a\n2,a\n3,a\n", "y", {})
    yield text("string response", TINY, "k", {}, column_types={"k": "string"})
    yield text("string predictor", TINY, "y", {}, column_types={"k": "string"})
    yield text("string predictor kept", TINY, "y", {"ignore_const_cols": False}, column_types={"k": "string"})
    yield text("constant predictor", "x,c,y\n1,5,1\n2,5,4\n3,5,2\n", "y", {})
    yield text("only constant predictors", "c,y\n5,1\n5,4\n5,2\n", "y", {})
    yield text("only constant predictors kept", "c,y\n5,1\n5,4\n5,2\n", "y", {"ignore_const_cols": False})
    yield text("predictor all missing kept", "x,c,y\n1,,1\n2,,4\n3,,2\n", "y", {"ignore_const_cols": False})
    yield text("only the response", "y\n1\n2\n4\n", "y", {})
    yield rule("every predictor ignored", "margin", {},
               ignored_columns=[*IGNORED, "age", "income", "km", "flat", "zone", "region", "vehicle", "fuel"])
    yield rule("weights", "margin", {"weights_column": "share"})
    yield rule("unknown weights_column", "margin", {"weights_column": "nowhere"})
    yield rule("weights_column is the response", "margin", {"weights_column": "margin"})
    yield rule("weights_column is categorical", "margin", {"weights_column": "fuel"})
    yield rule("weights_column has missing values", "margin", {"weights_column": "income"})
    yield rule("weights_column has negative values", "margin", {"weights_column": "down"})
    yield text("weights_column all zero", "x,w,y\n1,0,1\n2,0,4\n3,0,2\n", "y", {"weights_column": "w"})
    yield text("weights_column constant", "x,w,y\n1,2,1\n2,2,4\n3,2,2\n", "y", {"weights_column": "w"})
    yield rule("weights_column is ignored", "margin", {"weights_column": "share"}, ignored_columns=IGNORED)
    yield rule("offset", "margin", {"offset_column": "up"})
    yield rule("offset with classes", "claim", {"offset_column": "up"})
    yield rule("offset with more classes", "tier", {"offset_column": "up"})
    yield rule("unknown offset_column", "margin", {"offset_column": "nowhere"})
    yield rule("offset_column is the response", "margin", {"offset_column": "margin"})
    yield rule("offset_column is the weights_column", "margin", {"offset_column": "up", "weights_column": "up"})
    yield rule("offset_column is categorical", "margin", {"offset_column": "fuel"})
    yield rule("offset_column has missing values", "margin", {"offset_column": "income"})
    yield text("offset_column constant", "x,o,y\n1,2,1\n2,2,4\n3,2,2\n", "y", {"offset_column": "o"})
    yield rule("balance_classes for regression", "margin", {"balance_classes": True})
    yield rule("balance_classes with fractional weights", "claim", {"balance_classes": True, "weights_column": "share"})
    yield rule("balance_classes with whole weights", "claim", {"balance_classes": True, "weights_column": "copies"})
    yield rule("balance_classes with 0/1 weights", "claim", {"balance_classes": True, "weights_column": "kept"})
    yield rule("class_sampling_factors alone", "claim", {"class_sampling_factors": [1, 2]})
    yield rule("class_sampling_factors for regression", "margin", {"class_sampling_factors": [1, 2]})
    balance = {"balance_classes": True}
    yield rule("class_sampling_factors too few", "tier", {**balance, "class_sampling_factors": [1, 2]})
    yield rule("class_sampling_factors too many", "claim", {**balance, "class_sampling_factors": [1, 2, 3]})
    yield rule("class_sampling_factors zero", "claim", {**balance, "class_sampling_factors": [0, 1]})
    yield rule("class_sampling_factors negative", "claim", {**balance, "class_sampling_factors": [-1, 1]})
    for encoding in ("Enum", "OneHotExplicit", "Binary", "Eigen", "LabelEncoder", "SortByResponse", "EnumLimited"):
        yield rule(f"categorical_encoding {encoding}", "margin", {"categorical_encoding": encoding})
    yield text("skip leaves no row", "x,k,y\n1,,2\n,b,3\n4,,1\n,a,5\n", "y", {"missing_values_handling": "Skip"})
    for bins in (-2, -1, 0, 3, 1000):
        yield rule(f"gainslift_bins {bins}", "claim", {"gainslift_bins": bins})
    yield rule("gainslift_bins -2 for regression", "margin", {"gainslift_bins": -2})


def frames():
    yield text("one row", "x,y\n1,2\n", "y", {}, header=True)
    yield text("two rows", "x,y\n1,2\n2,3\n", "y", {})
    valid = {"train": "policies.csv", "ignored_columns": IGNORED[:13] + IGNORED[14:]}
    for name, content in {
        "validation without the response": "age,km\n30,2\n40,1\n",
        "validation without a common predictor": "margin,other\n30,2\n40,1\n",
        "validation with one predictor": "age,margin\n30,2\n40,1\n",
        "validation without labels": "age,km,margin\n30,2,\n40,1,\n",
        "validation with a categorical for a number": "age,km,margin\nold,2,3\nnew,1,4\nold,2,3\n",
        "validation with numbers for a categorical": "age,fuel,margin\n30,2,3\n40,1,4\n",
        "validation with unseen levels": "age,fuel,margin\n30,gas,3\n40,diesel,4\n35,gas,2\n",
    }.items():
        yield {"name": name, "response": "margin", "parameters": BASE, "valid_text": content, **valid}
    classes = {**valid, "ignored_columns": [column for column in IGNORED if column != "claim"]}
    for name, content in {
        "validation with an unseen class": "age,claim\n30,maybe\n40,yes\n31,yes\n",
        "validation with one class": "age,claim\n30,yes\n40,yes\n",
        "validation with no class in common": "age,claim\n30,maybe\n40,perhaps\n31,maybe\n",
        "validation with numbers for classes": "age,claim\n30,1\n40,0\n",
    }.items():
        yield {"name": name, "response": "claim", "parameters": BASE, "valid_text": content, **classes}


def accepted():
    """What looks wrong and is not refused."""
    yield rule("unknown activation", "margin", {"activation": "Sigmoid"})
    for activation in ("ExpRectifier", "rectifier", "RECTIFIER", "rectifier_with_dropout"):
        yield rule(f"activation {activation}", "margin", {"activation": activation})
    yield rule("unknown parameter", "margin", {"dropout": 0.5})
    yield rule("nfolds 1", "margin", {"nfolds": 1})
    yield rule("nfolds with a fold_column", "margin", {"nfolds": 2, "fold_column": "zone"})
    yield rule("nfolds beyond the rows", "margin", {"nfolds": 241})
    yield rule("fold_assignment alone", "margin", {"fold_assignment": "Modulo"})
    yield rule("autoencoder with nfolds", None, {"autoencoder": True, "activation": "Tanh", "nfolds": 2})
    for auc in ("MACRO_OVR", "NONE"):
        yield rule(f"auc_type {auc} for regression", "margin", {"auc_type": auc})
    yield rule("empty hidden", "margin", {"hidden": []})
    yield rule("epochs 0", "margin", {"epochs": 0})


RULES = list(rules())

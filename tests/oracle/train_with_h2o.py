"""Trains real H2O in reproducible mode on the cases of cases.py and cases3.py and stores what it answers.

    python3 -m venv /tmp/h2o && /tmp/h2o/bin/pip install h2o==3.46.0.11      (and a Java runtime, 8 to 17)
    /tmp/h2o/bin/python train_with_h2o.py               every case; writes both files of results; four minutes
    /tmp/h2o/bin/python train_with_h2o.py NAME...       only the named cases; the others in the files stay

results.json (cases.py) and results3.json (cases3.py) are lists with one line a case: the case as there, and under
"result" H2O's numbers as its REST interface gives them (all digits; a NaN is null), or "error" where H2O refused or
the job failed. Tables are stored by column; clock times and columns without a name are left out. `predictions` are
H2O's in-cluster answers for the first rows of the training file, or for the `score` file: whole in results.json, its
first rows in results3.json. An autoencoder's predictions are its reconstruction. `weights` has a frame a layer, one
column a sending unit.
"""

import json
import sys
import time
from pathlib import Path

import h2o
import requests

from cases import CASES
from cases3 import CASES3

HERE = Path(__file__).resolve().parent
FOLDERS = [HERE / "data", HERE.parent / "data"]
RESULTS = {HERE / "results.json": CASES, HERE / "results3.json": CASES3}
BY_NAME = {case["name"]: case for case in [*CASES, *CASES3]}
PORT = 54880
PREDICTED_ROWS = 20
WIDE_ROWS = 4
ALL_ROWS = 1_000_000
PATIENCE = 20
ERROR_LENGTH = 160
LEFT_OUT = {None, "timestamp", "duration", "training_speed"}
METRICS = {
    "MSE": "mse",
    "RMSE": "rmse",
    "nobs": "rows",
    "logloss": "logloss",
    "AUC": "auc",
    "pr_auc": "pr_auc",
    "Gini": "gini",
    "mean_per_class_error": "mean_per_class_error",
    "r2": "r2",
    "mae": "mae",
    "rmsle": "rmsle",
    "mean_residual_deviance": "mean_residual_deviance",
    "loglikelihood": "loglikelihood",
    "AIC": "aic",
}


def main(names):
    unknown = set(names) - set(BY_NAME)
    if unknown:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    h2o.init(port=PORT, max_mem_size="2g", nthreads=1)
    h2o.no_progress()
    try:
        for path, cases in RESULTS.items():
            update(path, cases, names)
    finally:
        h2o.cluster().shutdown()


def update(path, cases, names):
    stored = {entry["name"]: entry for entry in json.loads(path.read_text())} if names and path.exists() else {}
    for case in cases:
        if not names or case["name"] in names:
            stored[case["name"]] = {**case, "result": result_of(case)}
            print(case["name"], stored[case["name"]]["result"].get("training", "refused"))
    lines = [json.dumps(stored[case["name"]], separators=(",", ":")) for case in cases if case["name"] in stored]
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def result_of(case):
    """Trains one case and gathers its numbers; a refusal or a failed job is a result too."""
    try:
        model_id, warnings, training = model_of(case)
    except Refused as refused:
        return {"error": str(refused)[:ERROR_LENGTH]}

    output = rest("GET", f"3/Models/{model_id}")["models"][0]["output"]
    result = {"warnings": warnings, "training": metrics(output["training_metrics"], case)}
    if output.get("validation_metrics"):
        result["validation"] = metrics(output["validation_metrics"], case)
    result["default_threshold"] = output["default_threshold"]
    result["history"] = table(output["scoring_history"])
    result["layers"] = table(output["model_summary"])
    if output.get("variable_importances"):
        result["importances"] = {name: cells[:10] for name, cells in table(output["variable_importances"]).items()}
    if case.get("weights"):
        result["weights"] = [matrix(reference) for reference in output["weights"]]
        result["biases"] = [matrix(reference) for reference in output["biases"]]
    scored = read(case["score"], case) if "score" in case else training
    is_autoencoder = case["parameters"].get("autoencoder", False)
    rows = ALL_ROWS if "score" in case and case in CASES else WIDE_ROWS if is_autoencoder else PREDICTED_ROWS
    result["predictions"] = predictions(model_id, scored, rows)
    if case.get("anomaly"):
        errors = {"reconstruction_error": True}
        result["anomaly"] = predictions(model_id, scored, PREDICTED_ROWS, errors)
        errors["reconstruction_error_per_feature"] = True
        result["anomaly_per_feature"] = predictions(model_id, scored, WIDE_ROWS, errors)
    if "deep_features" in case:
        layers = case["deep_features"]
        result["deep_features"] = [deep_features(model_id, scored, layer) for layer in layers]
    return result


def model_of(case):
    """The id of the trained model, H2O's warnings, and the training frame."""
    training = read(case["train"], case)
    parameters = {
        "training_frame": training.frame_id,
        "response_column": case.get("response"),
        "ignored_columns": case.get("ignored_columns"),
        "reproducible": True,
        "export_weights_and_biases": case.get("weights", False),
        **case["parameters"],
    }
    if "valid" in case:
        parameters["validation_frame"] = read(case["valid"], case).frame_id
    if "donor" in case:
        parameters.update(donation(case))
    return *train(parameters), training


def donation(case):
    """What the case's donor, trained anew, gives it to start from."""
    model_id, _, _ = model_of(BY_NAME[case["donor"]])
    if "start" not in case:
        return {"pretrained_autoencoder": model_id}
    output = rest("GET", f"3/Models/{model_id}")["models"][0]["output"]

    def frames(references):
        return [reference["name"] if layer in case["start"] else None for layer, reference in enumerate(references)]

    return {"initial_weights": frames(output["weights"]), "initial_biases": frames(output["biases"])}


class Refused(Exception):
    """H2O refused the parameters, or the job failed."""


def train(parameters):
    """Through REST, since the Python estimator refuses some values that the engine accepts."""
    form = {name: encoded(value) for name, value in parameters.items() if value is not None}
    answer = rest("POST", "3/ModelBuilders/deeplearning", form)
    messages = answer["messages"]
    errors = [f"{m['field_name']}: {m['message']}" for m in messages if m["message_type"] == "ERRR"]
    if errors:
        raise Refused("; ".join(errors))
    warnings = [f"{m['field_name']}: {m['message']}" for m in messages if m["message_type"] == "WARN"]
    return finished(answer["job"])["dest"]["name"], warnings


def finished(job):
    """Waits for a job; H2O has jobs that never end, which are cancelled."""
    deadline = time.monotonic() + PATIENCE
    while job["status"] in ("CREATED", "RUNNING"):
        if time.monotonic() > deadline:
            rest("POST", f"3/Jobs/{job['key']['name']}/cancel")
            raise Refused("the job does not end")
        time.sleep(0.02)
        job = rest("GET", f"3/Jobs/{job['key']['name']}")["jobs"][0]
    if job["status"] != "DONE":
        raise Refused(" ".join(job["exception"].split()))
    return job


def rest(method, path, form=None):
    answer = requests.request(method, f"http://localhost:{PORT}/{path}", data=form)
    body = plain(answer.json())
    if answer.status_code >= 400 and "messages" not in body:
        raise Refused(body["msg"])
    return body


def read(name, case):
    path = next(folder / name for folder in FOLDERS if (folder / name).exists())
    header = path.open().readline().strip().split(",")
    types = {column: kind for column, kind in case.get("column_types", {}).items() if column in header}
    return h2o.import_file(str(path), header=1, col_types=types or None)


def metrics(raw, case):
    found = {ours: raw[theirs] for theirs, ours in METRICS.items() if raw.get(theirs) is not None}
    matrix_table = (raw.get("cm") or {}).get("table")
    if matrix_table:
        found["confusion_matrix"] = table(matrix_table)
    if raw.get("max_criteria_and_metric_scores"):
        found["max_criteria"] = table(raw["max_criteria_and_metric_scores"])
        found["confusion_matrix"] = matrix_at_max_f1(raw)
    if raw.get("hit_ratio_table"):
        found["hit_ratios"] = table(raw["hit_ratio_table"])["hit_ratio"]
    for theirs, ours in {"multinomial_auc_table": "auc_table", "multinomial_aucpr_table": "pr_auc_table"}.items():
        if raw.get(theirs):
            found[ours] = table(raw[theirs])
    if case.get("gains_lift"):
        found["gains_lift"] = table(raw["gains_lift_table"]) if raw.get("gains_lift_table") else None
    return found


def matrix_at_max_f1(raw):
    """Rows are the actual labels: [[tn, fp], [fn, tp]]."""
    criteria = table(raw["max_criteria_and_metric_scores"])
    at = criteria["idx"][criteria["metric"].index("max f1")]
    scores = table(raw["thresholds_and_metric_scores"])
    return [[scores["tns"][at], scores["fps"][at]], [scores["fns"][at], scores["tps"][at]]]


def predictions(model_id, frame, rows, form=None):
    answer = rest("POST", f"3/Predictions/models/{model_id}/frames/{frame.frame_id}", form)
    return columns(answer["predictions_frame"]["name"], rows)


def deep_features(model_id, frame, layer):
    form = {"deep_features_hidden_layer": layer}
    answer = rest("POST", f"4/Predictions/models/{model_id}/frames/{frame.frame_id}", form)
    return columns(finished(rest("GET", f"3/Jobs/{answer['key']['name']}")["jobs"][0])["dest"]["name"], WIDE_ROWS)


def matrix(reference):
    """A matrix frame by column: the weights that leave one unit."""
    return list(columns(reference["name"], ALL_ROWS).values())


def columns(key, rows):
    frame = rest("GET", f"3/Frames/{key}?row_count={rows}&column_count=-1")["frames"][0]
    found = {}
    for column in frame["columns"]:
        cells = column["data"]
        if column["domain"]:
            cells = [None if cell is None else column["domain"][int(cell)] for cell in cells]
        found[column["label"]] = cells
    return found


def table(raw):
    """A table of the REST interface as {column: cells}."""
    named = zip((column["name"] for column in raw["columns"]), raw["data"])
    return {name: cells for name, cells in named if name not in LEFT_OUT}


def plain(value):
    """REST writes NaN as a text; here NaN and empty texts are None."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return None if value in ("NaN", "") else value


def encoded(value):
    return json.dumps(value) if isinstance(value, (list, bool)) else value


if __name__ == "__main__":
    main(sys.argv[1:])

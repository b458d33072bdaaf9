"""Trains real H2O in reproducible mode on the cases of cases.py and stores what it answers.

    python3 -m venv /tmp/h2o && /tmp/h2o/bin/pip install h2o==3.46.0.11      (and a Java runtime, 8 to 17)
    /tmp/h2o/bin/python train_with_h2o.py               every case; writes results.json; under two minutes
    /tmp/h2o/bin/python train_with_h2o.py NAME...       only the named cases; the others in results.json stay

results.json is a list with one line a case: the case as in cases.py, and under "result" H2O's numbers as its REST
interface gives them (all digits; a NaN is null), or "error" where H2O refused or the job failed. Tables are stored by
column; clock times and columns without a name are left out. `predictions` are H2O's in-cluster answers for the first
rows of the training file, or for the whole `score` file. `weights` has a frame a layer, one column a sending unit.
"""

import json
import sys
import time
from pathlib import Path

import h2o
import requests

from cases import CASES

HERE = Path(__file__).resolve().parent
FOLDERS = [HERE / "data", HERE.parent / "data"]
RESULTS = HERE / "results.json"
PORT = 54997
PREDICTED_ROWS = 20
ALL_ROWS = 1_000_000
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
    unknown = set(names) - {case["name"] for case in CASES}
    if unknown:
        sys.exit(f"no such case: {', '.join(sorted(unknown))}")
    stored = {entry["name"]: entry for entry in json.loads(RESULTS.read_text())} if names else {}

    h2o.init(port=PORT, max_mem_size="2g", nthreads=1)
    h2o.no_progress()
    try:
        for case in CASES:
            if not names or case["name"] in names:
                stored[case["name"]] = {**case, "result": result_of(case)}
                print(case["name"], stored[case["name"]]["result"].get("training", "refused"))
    finally:
        h2o.cluster().shutdown()

    lines = [json.dumps(stored[case["name"]], separators=(",", ":")) for case in CASES if case["name"] in stored]
    RESULTS.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def result_of(case):
    """Trains one case and gathers its numbers; a refusal or a failed job is a result too."""
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
    try:
        model_id, warnings = train(parameters)
    except Refused as refused:
        return {"error": str(refused)[:ERROR_LENGTH]}

    output = rest("GET", f"3/Models/{model_id}")["models"][0]["output"]
    result = {"warnings": warnings, "training": metrics(output["training_metrics"])}
    if output.get("validation_metrics"):
        result["validation"] = metrics(output["validation_metrics"])
    result["default_threshold"] = output["default_threshold"]
    result["history"] = table(output["scoring_history"])
    result["layers"] = table(output["model_summary"])
    if output.get("variable_importances"):
        result["importances"] = {name: cells[:10] for name, cells in table(output["variable_importances"]).items()}
    if case.get("weights"):
        result["weights"] = [matrix(reference) for reference in output["weights"]]
        result["biases"] = [matrix(reference) for reference in output["biases"]]
    if "score" in case:
        result["predictions"] = predictions(model_id, read(case["score"], case), ALL_ROWS)
    else:
        result["predictions"] = predictions(model_id, training, PREDICTED_ROWS)
    return result


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
    job = answer["job"]
    while job["status"] in ("CREATED", "RUNNING"):
        time.sleep(0.05)
        job = rest("GET", f"3/Jobs/{job['key']['name']}")["jobs"][0]
    if job["status"] != "DONE":
        raise Refused(" ".join(job["exception"].split()))
    return job["dest"]["name"], warnings


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


def metrics(raw):
    found = {ours: raw[theirs] for theirs, ours in METRICS.items() if raw.get(theirs) is not None}
    matrix_table = (raw.get("cm") or {}).get("table")
    if matrix_table:
        found["confusion_matrix"] = table(matrix_table)
    if raw.get("max_criteria_and_metric_scores"):
        found["max_criteria"] = table(raw["max_criteria_and_metric_scores"])
        found["confusion_matrix"] = matrix_at_max_f1(raw)
    if raw.get("hit_ratio_table"):
        found["hit_ratios"] = table(raw["hit_ratio_table"])["hit_ratio"]
    return found


def matrix_at_max_f1(raw):
    """Rows are the actual labels: [[tn, fp], [fn, tp]]."""
    criteria = table(raw["max_criteria_and_metric_scores"])
    at = criteria["idx"][criteria["metric"].index("max f1")]
    scores = table(raw["thresholds_and_metric_scores"])
    return [[scores["tns"][at], scores["fps"][at]], [scores["fns"][at], scores["tps"][at]]]


def predictions(model_id, frame, rows):
    answer = rest("POST", f"3/Predictions/models/{model_id}/frames/{frame.frame_id}")
    return columns(answer["predictions_frame"]["name"], rows)


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

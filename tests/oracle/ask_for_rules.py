"""Asks real H2O what it refuses and what it warns of, for each configuration of rules.py; writes rules.json.

    /tmp/h2o/bin/python ask_for_rules.py                set-up as in train_with_h2o.py; some two minutes

rules.json is a list with one line a rule: the configuration, and under "verdict" what H2O said:
refused and warned are lists of fields, as H2O names them; failed is how the job ended that passed the checks;
an empty verdict is a model without a word. The server runs without Java assertions, as it does
where `java -jar h2o.jar` starts it; the Python client would turn them on.
"""

import json
import re
import tempfile
from pathlib import Path

import h2o

import train_with_h2o as oracle
from rules import RULES

ANSWERS = Path(__file__).resolve().parent / "rules.json"
FAILURE_LENGTH = 120
SENDER = f" from /127.0.0.1:{oracle.PORT}"


def main():
    h2o.init(port=oracle.PORT, max_mem_size="2g", nthreads=1, enable_assertions=False)
    h2o.no_progress()
    try:
        lines = [answered(rule) for rule in RULES]
    finally:
        h2o.cluster().shutdown()
    ANSWERS.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def answered(rule):
    said = verdict(rule)
    print(rule["name"], said)
    return json.dumps({**rule, "verdict": said}, separators=(",", ":"))


def verdict(rule):
    parameters = {
        "training_frame": frame(rule, "train", "text"),
        "response_column": rule["response"],
        "ignored_columns": rule.get("ignored_columns"),
        "reproducible": True,
        **rule["parameters"],
    }
    if "valid_text" in rule:
        parameters["validation_frame"] = frame(rule, "valid", "valid_text")
    if "donor" in rule:
        parameters.update(donation(rule, parameters))
    form = {name: oracle.encoded(value) for name, value in parameters.items() if value is not None}
    answer = oracle.plain(oracle.requests.post(f"http://localhost:{oracle.PORT}/3/ModelBuilders/deeplearning",
                                               data=form).json())
    if "messages" not in answer:
        return {"failed": shortened(answer["msg"])}
    found = {
        "refused": fields(answer["messages"], "ERRR"),
        "warned": fields(answer["messages"], "WARN"),
    }
    if not found["refused"]:
        try:
            job = oracle.finished(answer["job"])
            found["warned"] += [warning.split(":")[0] for warning in (job.get("warnings") or [])]
        except oracle.Refused as failure:
            found["refused"] = late_refusals(str(failure))
            found["failed"] = None if found["refused"] else shortened(str(failure))
    return {key: value for key, value in found.items() if value}


def late_refusals(failure):
    """The fields of the checks that only the started job makes."""
    return re.findall(r"ERRR on field: _?(\w+)", failure)


def fields(messages, kind):
    return [message["field_name"] for message in messages if message["message_type"] == kind]


def shortened(message):
    return " ".join(message.split()).replace(SENDER, "")[:FAILURE_LENGTH]


def frame(rule, file_key, text_key):
    if text_key not in rule:
        return oracle.read(rule[file_key], rule).frame_id
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(rule[text_key])
        file.flush()
        return h2o.import_file(file.name, header=1, col_types=rule.get("column_types")).frame_id


def donation(rule, parameters):
    """A model on the same frame, of the kind that the rule names, or parts of its weights."""
    donor = {**parameters, "export_weights_and_biases": True}
    if rule["donor"] == "autoencoder":
        donor["autoencoder"] = True
    model_id, _ = oracle.train(donor)
    if "start" not in rule:
        return {"pretrained_autoencoder": model_id}
    output = oracle.rest("GET", f"3/Models/{model_id}")["models"][0]["output"]
    weights, biases = ([part["name"] for part in output[key]] for key in ("weights", "biases"))
    if rule["start"] == ["weights"]:
        return {"initial_weights": weights}
    if rule["start"] == ["biases"]:
        return {"initial_biases": biases}
    return {"initial_weights": weights[:1], "initial_biases": biases[:1]}


if __name__ == "__main__":
    main()

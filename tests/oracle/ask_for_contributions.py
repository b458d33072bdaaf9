"""Asks real H2O for the contributions of models that train_with_h2o.py trains; writes contributions.json.

    /tmp/h2o/bin/python ask_for_contributions.py        set-up as in train_with_h2o.py; half a minute

contributions.json is a list with one line a case: its name, under which cases.py and cases3.py have the model, and
what H2O answers to ROWS of the training file with those of BACKGROUND as the background frame: tables by column,
original and compact; output_space where the link is a logarithm; per_reference, compact, for the first row. Or "error", where
it fails.
"""

import json
from pathlib import Path

import h2o

import train_with_h2o as oracle

ANSWERS = Path(__file__).resolve().parent / "contributions.json"
ROWS = range(0, 4)
BACKGROUND = range(40, 43)
ERROR_LENGTH = 120
KINDS = ["binomial", "regression"]
SPECIAL = [
    "poisson-tanh", "gamma-tanhwithdropout", "laplace-maxout", "huber-no-hidden-layer", "drop-first-level-binomial",
    "drop-first-level-regression", "no-standardize-binomial", "no-standardize-regression", "offset-up-gaussian",
    "offset-either-poisson", "weights-share-binomial", "balance-binomial", "offset-up-tweedie",
    "loss-quadratic-binomial", "max-w2-maxout-regression", "hidden-dropout-uneven-binomial",
    "tanh-multinomial", "no-hidden-layer-binomial", "hashed-8-importances", "autoencoder-mixed-tanh",
]
# Eigen and EnumLimited go by the levels of the frame that is scored, here a part of the training frame.
ENCODINGS = ["binary", "labelencoder", "sortbyresponse"]
NAMES = [f"{oracle_name}-{kind}" for oracle_name in [
    "rectifier", "tanh", "maxout", "exp-rectifier", "rectifier-with-dropout", "tanh-with-dropout",
    "maxout-with-dropout", "exp-rectifier-with-dropout", *(f"encoding-{encoding}" for encoding in ENCODINGS),
] for kind in KINDS] + SPECIAL


def main():
    h2o.init(port=oracle.PORT, max_mem_size="2g", nthreads=1, enable_assertions=False)
    h2o.no_progress()
    try:
        lines = [json.dumps(answers(name), separators=(",", ":")) for name in NAMES]
    finally:
        h2o.cluster().shutdown()
    ANSWERS.write_text("[\n" + ",\n".join(lines) + "\n]\n")


def answers(name):
    case = oracle.BY_NAME[name]
    model_id, _, training = oracle.model_of(case)
    model = h2o.get_model(model_id)
    rows, background = training[ROWS.start:ROWS.stop, :], training[BACKGROUND.start:BACKGROUND.stop, :]

    def ask(rows, **how):
        found = model.predict_contributions(rows, background_frame=background, **how)
        return table(found)

    print(name)
    try:
        found = {"original": ask(rows, output_format="Original"), "compact": ask(rows, output_format="Compact")}
        if case["parameters"].get("distribution") in ("poisson", "gamma", "tweedie"):
            found["output_space"] = ask(rows, output_format="Compact", output_space=True)
        found["per_reference"] = ask(rows[:1, :], output_format="Compact", output_per_reference=True)
    except OSError as failure:
        found = {"error": " ".join(str(failure).split("failed with an exception: ")[-1].split())[:ERROR_LENGTH]}
    return {"name": name, **found}


def table(frame):
    answer = oracle.rest("GET", f"3/Frames/{frame.frame_id}?row_count={frame.nrows}&column_count=-1")
    return {column["label"]: column["data"] for column in answer["frames"][0]["columns"]}


if __name__ == "__main__":
    main()

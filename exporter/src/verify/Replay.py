"""Scores rows with onnxruntime: `python Replay.py MODEL ROWS` prints the answers, as JSON."""

import json
import math
import sys

try:
    import numpy
    import onnxruntime
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

TYPES = {
    "tensor(string)": numpy.object_,
    "tensor(int64)": numpy.int64,
    "tensor(float)": numpy.float32,
    "tensor(double)": numpy.float64,
}


def main(model, rows):
    with open(rows, encoding="utf-8") as file:
        request = json.load(file)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    feed = {tensor.name: matrix(tensor, request) for tensor in session.get_inputs()}
    labels, numbers = None, [[] for _ in range(request["rows"])]
    for tensor, values in zip(session.get_outputs(), session.run(None, feed)):
        if tensor.type in ("tensor(string)", "tensor(int64)"):
            labels = [label(value, request["classes"]) for value in values]
        else:
            for row, more in zip(numbers, values.reshape(request["rows"], -1)):
                row.extend(number(value) for value in more)
    json.dump({"labels": labels, "numbers": numbers}, sys.stdout)


def matrix(tensor, request):
    """The values of an input, row by row; a number that is missing is None."""
    values = request["inputs"][tensor.name]
    if tensor.type in ("tensor(float)", "tensor(double)"):
        values = [math.nan if value is None else value for value in values]
    return numpy.array(values, TYPES[tensor.type]).reshape(request["rows"], -1)


def label(value, classes):
    """The index of a class, from its name or its index."""
    if isinstance(value, str):
        return classes.index(value) if value in classes else None
    return int(value) if value < len(classes) else None


def number(value):
    """Every digit of a number; JSON has none for what is not finite."""
    value = float(value)
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2])
    except Exception as error:  # Whatever it is, a line says more than a traceback.
        sys.exit(f"{type(error).__name__}: {error}")

"""Scores ONNX files as their documentation says.

`python onnx.py JOBS` reads a JSON array of jobs, each {"model": FILE} or {"model": FILE, "input": CSV}, and prints a line for each: the
answers to the golden rows in the file, or to the rows of the table, as a JSON array of rows of texts, the label first.
Each file has to pass ONNX's full check.
"""

import csv
import json
import math
import sys

import numpy
import onnx
import onnxruntime

MISSING = ("", "NA", "N/A", "-")
FLOATS = {"tensor(float)": numpy.float32, "tensor(double)": numpy.float64}


def answers(job):
    model = onnx.load(job["model"])
    onnx.checker.check_model(model, full_check=True)
    papers = {entry.key: entry.value for entry in model.metadata_props}
    columns = json.loads(papers["aqueduct.columns"])
    rows = of_table(job["input"], columns) if "input" in job else golden(papers)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(job["model"], options, providers=["CPUExecutionProvider"])
    feed = {tensor.name: values(tensor, columns, rows, papers["aqueduct.inputs"]) for tensor in session.get_inputs()}
    outputs = dict(zip((tensor.name.rstrip("_") for tensor in session.get_outputs()), session.run(None, feed)))
    labels = outputs.pop("label", None)
    numbers = numpy.concatenate([output.astype(numpy.float64) for output in outputs.values()], axis=1)
    found = [[text(number) for number in row] for row in numbers]
    if labels is not None:
        classes = json.loads(papers["aqueduct.classes"])
        names = [label if isinstance(label, str) else (classes + [""])[label] for label in labels]
        none = [label == "" and "" not in classes for label in names]
        found = [["NA" if none else name] + row for name, none, row in zip(names, none, found)]
    return found


def golden(papers):
    """The cells of the rows that travel with the model, by column; None is missing."""
    rows = json.loads(papers["aqueduct.golden"])["rows"]
    return [row["cells"] for row in rows]


def of_table(path, columns):
    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    places = [header.index(column["name"]) if column["name"] in header else None for column in columns]
    cell = lambda row, place: None if place is None or row[place] in MISSING else row[place]
    return [[cell(row, place) for place in places] for row in rows]


def values(tensor, columns, rows, inputs):
    """What an input gets."""
    if inputs == "columns":
        place = next(index for index, column in enumerate(columns) if column["name"] == tensor.name)
        column = columns[place]
        cells = [row[place] for row in rows]
        if tensor.type == "tensor(string)":
            texts = [[column["missing"] if cell is None else cell] for cell in cells]
            return numpy.array(texts, dtype=object)
        return numpy.array([[number(cell)] for cell in cells])
    if tensor.name == "codes":
        chosen = [(index, column) for index, column in enumerate(columns) if "levels" in column]
        return numpy.array([[code(row[index], column) for index, column in chosen] for row in rows], dtype=numpy.int64)
    chosen = [index for index, column in enumerate(columns) if "levels" not in column]
    return numpy.array([[number(row[index]) for index in chosen] for row in rows], dtype=FLOATS[tensor.type])


def code(cell, column):
    levels = column["levels"]
    if cell is None:
        return -1
    for level in (cell, f"{column['name']}.{cell}"):
        if level in levels:
            return levels.index(level)
    return len(levels)


def number(cell):
    """A number as Java reads it, as far as the tables need."""
    if cell is None or isinstance(cell, float):
        return math.nan if cell is None else cell
    try:
        return float(str(cell).strip().rstrip("dDfF"))
    except ValueError:
        return math.nan


def text(number):
    return "NA" if math.isnan(number) else repr(float(number))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as jobs:
        for job in json.load(jobs):
            print(json.dumps(answers(job)))

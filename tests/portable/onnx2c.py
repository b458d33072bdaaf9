"""Replays the golden rows of ONNX files in the C that onnx2c makes of them. See `run`."""

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import onnx

MAIN = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
void entry({parameters});
{data}
int main(void) {{
    for (int row = 0; row < {rows}; row++) {{
        entry({arguments});
        {prints}
        puts("");
    }}
}}
"""
PARAMETER = re.compile(r"(const )?(\w+) tensor_(\w+?)((?:\[\d+\])+)$")


def largest_difference(onnx2c, path, folder):
    papers = {entry.key: entry.value for entry in onnx.load(path).metadata_props}
    columns, golden = json.loads(papers["aqueduct.columns"]), json.loads(papers["aqueduct.golden"])["rows"]
    source = subprocess.run([onnx2c, "-l", "0", "-d", "batch:1", path], check=True, capture_output=True, text=True).stdout
    (folder / "model.c").write_text(source)
    (folder / "main.c").write_text(main(source, columns, golden))
    program = folder / "program"
    sources = [folder / "main.c", folder / "model.c"]
    subprocess.run(["cc", "-O1", "-w", "-o", program, *sources, "-lm"], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    found = [[float(number) for number in line.split()] for line in printed.splitlines()]
    expected = [answer(row["answer"]) for row in golden]
    return max(difference(a, b) for old, new in zip(expected, found, strict=True) for a, b in zip(old, new, strict=True))


def main(source, columns, golden):
    """A program that has the rows in it, and prints the numbers of each answer."""
    parameters = re.search(r"void entry\((.*?)\)\s*\{", source, re.DOTALL).group(1)
    data, arguments, prints = [], [], []
    for parameter in parameters.split(", "):
        const, element, name, dims = PARAMETER.match(parameter).groups()
        if const:
            width = re.findall(r"\d+", dims)[1]
            data.append(f"static const {element} {name}[][1][{width}] = {{{values(name, columns, golden)}}};")
            arguments.append(f"{name}[row]")
            continue
        data.append(f"static {element} {name}{dims};")
        arguments.append(name)
        if name != "label":
            size = f"sizeof {name} / sizeof({element})"
            prints.append(f'for (int i = 0; i < {size}; i++) printf("%.17g ", (double)(({element} *){name})[i]);')
    return MAIN.format(
        parameters=parameters, data="\n".join(data), rows=len(golden), arguments=", ".join(arguments), prints="\n".join(prints)
    )


def values(name, columns, golden):
    chosen = [index for index, column in enumerate(columns) if ("levels" in column) == (name == "codes")]
    cell = code if name == "codes" else number
    return ", ".join(cell(row["cells"][index], columns[index]) for row in golden for index in chosen)


def code(cell, column):
    levels = column["levels"]
    return str(-1 if cell is None else levels.index(cell) if cell in levels else len(levels))


def number(cell, _):
    return "NAN" if cell is None else repr(cell)


def answer(answer):
    if "value" in answer:
        numbers = [answer["value"]]
    elif "class" in answer:
        numbers = answer["class"]["probabilities"]
    else:
        numbers = [*answer["reconstruction"]["values"], answer["reconstruction"]["mse"]]
    return [float(number) for number in numbers]


def difference(expected, found):
    if expected == found or (math.isnan(expected) and math.isnan(found)):
        return 0.0
    difference = abs(expected - found) / (1 + abs(expected))
    return math.inf if math.isnan(difference) else difference


if __name__ == "__main__":
    agree = True
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            difference_of_file = largest_difference(sys.argv[1], path, Path(folder))
        print(f"onnx2c: {path}: largest difference {difference_of_file:.1e}")
        agree &= difference_of_file <= 1e-4
    sys.exit(not agree)

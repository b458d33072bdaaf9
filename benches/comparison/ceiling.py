"""How fast the L2 cache would let a step go: the lines that it reads and rewrites, times what a line takes.

Only the first layer counts: it is the one that does not fit L1. A line holds 16 weights. The forward pass reads the row of
each input that is not zero and is not dropped. The update rewrites, of those rows, the lines of weights and of each number
that the rule remembers of them, where any of the 16 units has a gradient: where it is not zero and is not dropped. Units are
counted in the trained model, on test rows whose inputs are not dropped.
"""

import json
import subprocess
from pathlib import Path

from tables import reader

LANES = 16
ROWS = 2_000
L2 = 640 << 10
SIZES = [24 << 10, L2, 6 << 20]


def traffic(target):
    """Nanoseconds of a line, read and rewritten, by bytes that are gone through: the quickest of each hundred tries."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(["cargo", "bench", "--quiet", "--bench", "traffic"], check=True, **quiet)

    def line(kind, size):
        sample = json.loads((Path(target) / "criterion" / kind / str(size) / "new" / "sample.json").read_text())
        return min(time / count for time, count in zip(sample["times"], sample["iters"])) / (size / 64)

    return {kind: {size: line(kind, size) for size in SIZES} for kind in ("read", "rewrite")}


class Lines:
    """The lines of a step, on average."""

    def __init__(self, case, table, ours):
        """Of the model that was trained last."""
        kept_inputs = 1 - case.parameters["input_dropout_ratio"]
        dropped = case.parameters["hidden_dropout_ratios"][0]
        units = case.parameters["hidden"][0]
        self.inputs = kept_inputs * inputs_not_zero(table)
        touched = active = 0.0
        rows = ours.predict(table.test, "--deep-features", 0)[:ROWS]
        for row in rows:
            is_active = [float(x) != 0 for x in row.values()]
            active += sum(is_active) * (1 - dropped)
            for start in range(0, units, LANES):
                touched += 1 - dropped ** sum(is_active[start : start + LANES])
        self.active = active / len(rows)
        self.read = self.inputs * -(-units // LANES)
        self.rewritten = self.inputs * touched / len(rows) * (1 + case.slots)

    def samples_per_second(self, nanoseconds):
        return 1e9 / (self.read * nanoseconds["read"][L2] + self.rewritten * nanoseconds["rewrite"][L2])


def inputs_not_zero(table):
    count = 0
    with reader(table.train) as rows:
        for row, _ in zip(rows, range(ROWS)):
            count += sum(cell != "0" for cell in row[:-1])
    return count / ROWS

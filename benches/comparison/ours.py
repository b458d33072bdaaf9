"""Our side: the release build of the command."""

import csv
import json
import os
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Run:
    """What a training run of either side did. `seconds` are of training, `whole` also of reading the data."""

    samples: int
    seconds: float
    whole: float
    threads: int = 0
    error: float = float("nan")


class Aqueduct:
    def __init__(self, binary, folder):
        self.binary, self.folder = Path(binary).resolve(), folder
        # Seconds of training, and of processor time that others took in them.
        self.watched, self.taken = 0.0, 0.0

    def version(self):
        return self.call("--version").strip()

    def others(self):
        """Cores that others kept busy while we trained, on average."""
        return self.taken / self.watched

    def kernel(self):
        return json.loads((self.folder / "last.json").read_text())["kernel"]

    def train(self, table, parameters, epochs, seed, threads, scores=True):
        names = {
            **parameters,
            "training_frame": str(table.train),
            "response_column": table.response,
            "epochs": epochs,
            "seed": seed,
            "ignored_columns": list(table.ignored),
        }
        if not table.is_number:
            names["column_types"] = f"{table.response}=enum"
        settings = self.folder / "parameters.json"
        settings.write_text(json.dumps(names))
        start, busy = time.monotonic(), busy_with_others()
        options = ["--header", str(table.has_header).lower(), "--output", self.run_folder(), "--overwrite", "--json"]
        text = self.call("train", "--params", settings, "--threads", threads, "--progress", "off", *options)
        whole = time.monotonic() - start
        self.watched += whole
        self.taken += busy_with_others() - busy
        (self.folder / "last.json").write_text(text)
        said = json.loads(text)
        error = table.error(self.predictions(table.test)) if scores else float("nan")
        return Run(said["samples"], said["training_seconds"], whole, said["threads"], error)

    def predictions(self, path):
        return [row["predict"] for row in self.predict(path)]

    def predict(self, path, *options):
        """The rows that `predict` writes by the model that was trained last."""
        output = self.folder / "predictions.csv"
        output.unlink(missing_ok=True)
        self.call("predict", self.run_folder(), "--input", path, "--output", output, *options)
        with open(output, newline="") as file:
            return list(csv.DictReader(file))

    def run_folder(self):
        return self.folder / "run"

    def call(self, *arguments):
        done = subprocess.run([self.binary, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"aqueduct {' '.join(map(str, arguments))}: {done.stderr}")
        return done.stdout


def busy_with_others():
    """Seconds in which cores worked, or were not given to this machine, less those of our own commands."""
    user, nice, system, _, _, irq, softirq, steal, *_ = map(int, Path("/proc/stat").read_text().split()[1:11])
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    return busy - own.ru_utime - own.ru_stime

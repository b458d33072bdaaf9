"""Trains by turns with Aqueduct and H2O, as benches/against-h2o asks."""

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path
from statistics import mean

import report
import tables
from cases import CASES, SMALL_THREADS, TIMED
from ceiling import Lines, traffic
from ours import Aqueduct
from theirs import H2O

ROOT = Path(__file__).resolve().parents[2]
LONG_SEEDS = 3


def main():
    arguments = parsed()
    folder = Path(arguments.binary).resolve().parents[1] / "against-h2o"
    folder.mkdir(parents=True, exist_ok=True)
    ours = Aqueduct(arguments.binary, folder)
    results = report.Results(command=" ".join(["benches/against-h2o", *arguments.said]), began=datetime.now())
    results.versions["Aqueduct"] = ours.version()
    try:
        run_all(arguments, folder, ours, results)
    except KeyboardInterrupt:
        results.left_out.append("Interrupted: this is what was measured by then.")
    if not results.cases and not results.small:
        sys.exit("nothing was measured")
    results.versions["kernel"] = ours.kernel()
    results.others = ours.others()
    results.ended = datetime.now()
    report.write(Path(arguments.output), results.markdown())
    note(f"written to {arguments.output}")


def run_all(arguments, folder, ours, results):
    chosen = [case for case in CASES if case.name in arguments.cases]
    if arguments.quick:
        chosen = [case.shortened(0.2) for case in chosen]
    found = {}
    for kind in sorted({case.table for case in chosen}):
        note(f"table {kind}")
        found[kind] = {
            "mnist": lambda: tables.mnist(Path(arguments.mnist)),
            "dense": lambda: tables.dense(folder),
            "airline": lambda: tables.airline(folder),
        }[kind]()
    if found.get("mnist", ...) is None:
        results.left_out.append(f"MNIST was not measured: there is no train.csv.gz in {arguments.mnist}.")
        chosen = [case for case in chosen if case.table != "mnist"]

    if any(case.slots for case in chosen):
        note("memory traffic")
        results.traffic = traffic(folder.parent)
    with H2O() as h2o:
        results.versions["H2O"] = h2o.version()
        for seed in range(1, arguments.repeats + 1):
            for case in chosen:
                compare(case, found[case.table], seed, ours, h2o, results)
        if "small" in arguments.cases:
            compare_small(arguments, folder, ours, h2o, results)
    if arguments.long:
        for case in chosen:
            train_long(case, found[case.table], ours, results)


def compare(case, table, seed, ours, h2o, results):
    """One repeat of a case: both sides, the short and the long run of each."""
    parameters = {**case.parameters, **TIMED}
    for threads in case.threads:
        whom = f"threads {threads}"
        short = ours.train(table, parameters, case.epochs, seed, threads)
        if case.slots and threads == 1 and seed == 1:
            results.lines[case.name] = Lines(case, table, ours)
        long = None
        if threads in case.targets:
            long = ours.train(table, parameters, case.our_long, seed, threads, scores=False)
        results.add(case, whom, scored=short, short=short, long=long)
        note(f"{case.name}, seed {seed}, {results.last(case, whom)}")
    if seed == 1:
        # The JVM compiles what this case needs.
        h2o.train(table, parameters, case.h2o_short, seed, scores=False)
    short = h2o.train(table, parameters, case.h2o_short, seed, scores=False)
    long = h2o.train(table, parameters, case.epochs, seed)
    results.add(case, "H2O", scored=long, short=short, long=long)
    note(f"{case.name}, seed {seed}, {results.last(case, 'H2O')}")
    h2o.forget()
    if case not in results.cases:
        results.cases.append(case)


def compare_small(arguments, folder, ours, h2o, results):
    """The mean error over the folds, for each seed and side."""
    for seed in range(1, (1 if arguments.quick else arguments.seeds) + 1):
        for name, folds in tables.small(folder, arguments.jar, seed):
            for threads in SMALL_THREADS:
                runs = [ours.train(table, {}, 10, seed, threads) for table in folds]
                results.add_small(name, f"threads {threads}", folds[0], runs)
            results.add_small(name, "H2O", folds[0], [h2o.train(table, {}, 10, seed) for table in folds])
            h2o.forget()
        note(f"small sets, seed {seed}")


def train_long(case, table, ours, results):
    if not case.long_epochs:
        return
    for threads in case.targets:
        parameters = {**case.parameters, **TIMED}
        seeds = range(1, LONG_SEEDS + 1)
        errors = [ours.train(table, parameters, case.long_epochs, seed, threads).error for seed in seeds]
        results.long[case.name, threads] = errors
        note(f"{case.name}, {case.long_epochs} epochs, threads {threads}: {mean(errors):.2%}")


def parsed():
    names = [case.name for case in CASES] + ["small"]
    parser = argparse.ArgumentParser(prog="benches/against-h2o")
    parser.add_argument("--repeats", type=int, default=3, help="how often each case is run, each time with another seed")
    parser.add_argument("--seeds", type=int, default=5, help="how often the small sets are divided into folds")
    parser.add_argument("--cases", type=lambda text: text.split(","), default=names, help=f"of {','.join(names)}")
    parser.add_argument("--quick", action="store_true", help="one repeat of a fifth of the epochs")
    parser.add_argument("--long", action="store_true", help="60 epochs of MNIST as well, three seeds, ours alone")
    parser.add_argument("--mnist", default=str(ROOT.parent / "shared" / "data" / "mnist"), help="a folder with train.csv.gz, test.csv.gz")
    parser.add_argument("--output", default=str(ROOT / "BENCHMARKS.md"), help="the file whose part between the marks is replaced")
    parser.add_argument("--jar", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    unknown = set(arguments.cases) - set(names)
    if unknown:
        parser.error(f"no such case: {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    if arguments.quick:
        arguments.repeats = 1
    arguments.said = sys.argv[5:]
    return arguments


def note(text):
    print(f"{datetime.now():%H:%M:%S} {text}", file=sys.stderr, flush=True)


os.chdir(ROOT)
main()

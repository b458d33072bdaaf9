"""The part of BENCHMARKS.md that is measured."""

import json
import os
import platform
import subprocess
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from math import sqrt
from pathlib import Path
from statistics import mean, median, stdev

from cases import FOLDS, SMALL_THREADS
from ceiling import L2, SIZES

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


@dataclass
class Results:
    command: str
    began: datetime
    ended: datetime = None
    load: tuple = field(default_factory=os.getloadavg)
    others: float = 0.0
    commit: str = field(default_factory=lambda: commit())
    cases: list = field(default_factory=list)
    versions: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    traffic: dict = None
    lines: dict = field(default_factory=dict)
    # By case and side, one for each repeat.
    speeds: dict = field(default_factory=lambda: defaultdict(list))
    errors: dict = field(default_factory=lambda: defaultdict(list))
    wholes: dict = field(default_factory=lambda: defaultdict(list))
    # By small set and side, one for each seed.
    small: dict = field(default_factory=lambda: defaultdict(list))
    small_threads: dict = field(default_factory=dict)
    small_kinds: dict = field(default_factory=dict)
    long: dict = field(default_factory=dict)

    def add(self, case, side, scored, short, long):
        self.errors[case.name, side].append(scored.error)
        self.wholes[case.name, side].append(scored.whole)
        if long is not None:
            samples, seconds = long.samples - short.samples, long.seconds - short.seconds
            self.speeds[case.name, side].append(samples / seconds if seconds > 0 else float("nan"))

    def last(self, case, side):
        speed = f"{self.speeds[case.name, side][-1]:,.0f} samples/s, " if self.speeds[case.name, side] else ""
        return f"{side}: {speed}error {self.errors[case.name, side][-1]:.2%}, whole {self.wholes[case.name, side][-1]:.1f} s"

    def add_small(self, name, side, table, runs):
        self.small[name, side].append(mean(run.error for run in runs))
        self.small_threads[name, side] = max(run.threads for run in runs)
        self.small_kinds[name] = table.is_number

    def markdown(self):
        parts = [self.setting(), *self.left_out]
        if self.cases:
            parts += [self.speed_table(), self.repeats_table(), self.error_table(), self.whole_table()]
        if any(case.name in self.lines for case in self.cases):
            parts.append(self.ceiling_tables())
        if self.small:
            parts.append(self.small_table())
        if self.long:
            parts.append(self.long_table())
        if self.cases:
            parts.append(self.parameters())
        return "\n\n".join(parts)

    def setting(self):
        minutes = (self.ended - self.began).total_seconds() / 60
        rows = [
            ("command", f"`{self.command}`, {minutes:.0f} min"),
            ("date", f"{self.began:%Y-%m-%d %H:%M}"),
            ("CPU", f"{cpu()}, {os.cpu_count()} cores, L2 {l2_of_a_core()} a core, instructions `{self.versions['kernel']}`"),
            ("load average", f"{loads(self.load)} at the start, {loads(os.getloadavg())} at the end (1, 5 and 15 minutes)"),
            ("what else ran", f"other processes kept {self.others:.2f} cores busy while Aqueduct trained, H2O's idle server among them"),
            ("Aqueduct", f"{self.versions['Aqueduct']}, commit {self.commit}"),
            ("H2O", f"{self.versions.get('H2O', 'not asked')} on all cores, 3 GB, {java()}"),
            ("system", f"Linux {platform.release()}"),
        ]
        return table(["", ""], rows)

    def speed_table(self):
        rows = []
        for case in self.cases:
            h2o = median(self.speeds[case.name, "H2O"])
            row = [case.title, f"{h2o:,.0f}"]
            for threads, target in case.targets.items():
                ours = median(self.speeds[case.name, f"threads {threads}"])
                row += [f"{ours:,.0f}", f"**{ours / h2o:.1f}**", f"{target}"]
            rows.append(row)
        heads = ["case", "H2O, samples/s", "1 thread", "times H2O", "aim", "2 threads", "times H2O", "aim"]
        return "### Speed\n\nMedians of the repeats.\n\n" + table(heads, rows)

    def repeats_table(self):
        rows = []
        for case in self.cases:
            for side in ["H2O", *(f"threads {threads}" for threads in case.targets)]:
                each = " · ".join(f"{speed:,.0f}" for speed in self.speeds[case.name, side])
                rows.append([case.name, side, each])
        return "Each repeat, samples/s:\n\n" + table(["case", "", "repeats"], rows)

    def error_table(self):
        counts = sorted({threads for case in self.cases for threads in case.threads})
        rows = []
        for case in self.cases:
            row = [case.title, f"{case.epochs:g}", percents(self.errors[case.name, "H2O"])]
            rows.append(row + [percents(self.errors[case.name, f"threads {threads}"]) for threads in counts])
        heads = ["case", "epochs", "H2O", *(f"{n} thread{'s' * (n > 1)}" for n in counts)]
        return "### Test error\n\nOf the runs above: mean, and each repeat's.\n\n" + table(heads, rows)

    def whole_table(self):
        rows = []
        for case in self.cases:
            most = max(case.targets)
            ours, h2o = median(self.wholes[case.name, f"threads {most}"]), median(self.wholes[case.name, "H2O"])
            rows.append([case.title, f"{case.epochs:g}", f"{ours:.1f} s", f"{h2o:.1f} s", f"{h2o / ours:.1f}"])
        heads = ["case", "epochs", "`aqueduct train --threads 2`", "H2O, import and train", "times"]
        return "### The whole of it, reading included\n\n" + table(heads, rows)

    def ceiling_tables(self):
        traffic = []
        for size in SIZES:
            times = [self.traffic[kind][size] for kind in ("read", "rewrite")]
            cells = [cell for time in times for cell in (f"{time:.2f} ns", f"{64 / time:.0f} GB/s")]
            traffic.append([f"{size // 1024:,} KiB" + " (L2)" * (size == L2), *cells])
        text = "### Share of the L2 ceiling\n\nA line of 64 bytes, gone through in order by one core:\n\n"
        text += table(["of", "read", "", "rewritten", ""], traffic)
        rows = []
        for case in self.cases:
            if case.name not in self.lines:
                continue
            lines = self.lines[case.name]
            ceiling = lines.samples_per_second(self.traffic)
            row = [case.title, f"{lines.inputs:.0f}", f"{lines.active:.0f}", f"{lines.read:,.0f}", f"{lines.rewritten:,.0f}"]
            row.append(f"{ceiling:,.0f}")
            for threads in case.targets:
                row.append(f"{median(self.speeds[case.name, f'threads {threads}']) / ceiling / threads:.0%}")
            rows.append(row)
        heads = ["case", "inputs", "units", "lines read", "rewritten", "ceiling, samples/s a core", "1 thread", "2 threads"]
        return text + "\n\nA sample:\n\n" + table(heads, rows)

    def small_table(self):
        rows = []
        for name, is_number in self.small_kinds.items():
            sides = [self.small[name, side] for side in ["H2O", *(f"threads {n}" for n in SMALL_THREADS)]]
            if not all(sides):
                continue
            shown = [f"{mean(side):.2f}" if is_number else f"{mean(side):.2%}" for side in sides]
            differences = [ours - h2o for h2o, ours in zip(sides[0], sides[1])]
            difference = f"{mean(differences):+.2f}" if is_number else f"{100 * mean(differences):+.2f} points"
            if len(differences) > 1:
                error = stdev(differences) / sqrt(len(differences))
                difference += f" ± {error:.2f}" if is_number else f" ± {100 * error:.2f}"
            trained = self.small_threads[name, f"threads {SMALL_THREADS[-1]}"]
            measure = "root mean squared error" if is_number else "error"
            rows.append([name, measure, *shown, str(trained), difference])
        seeds = len(next(iter(self.small.values())))
        heads = ["set", "", "H2O", "1 thread", "8 threads asked", "of which trained", "1 thread less H2O"]
        text = f"### Small sets at defaults\n\n{FOLDS} folds, {seeds} seed{'s' * (seeds > 1)}; the last column with the standard error of the mean over seeds.\n\n"
        return text + table(heads, rows)

    def long_table(self):
        rows = []
        for case in self.cases:
            if all((case.name, threads) in self.long for threads in case.targets):
                cells = [percents(self.long[case.name, threads]) for threads in case.targets]
                rows.append([case.title, f"{case.long_epochs}", *cells])
        return "### Long runs\n\n" + table(["case", "epochs", "1 thread", "2 threads"], rows)

    def parameters(self):
        rows = [
            (case.title, f"`{json.dumps(case.parameters)}`" if case.parameters else "defaults",
             f"{case.epochs:g} and {case.our_long:g}", f"{case.h2o_short:g} and {case.epochs:g}")
            for case in self.cases
        ]  # fmt: skip
        return "### Parameters\n\n" + table(["case", "parameters", "our epochs", "H2O's epochs"], rows)


def write(path, text):
    """Puts the text between the marks of a file."""
    old = path.read_text() if path.exists() else f"{BEGIN}\n{END}\n"
    before, rest = old.split(BEGIN, 1)
    _, after = rest.split(END, 1)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def percents(errors):
    if not errors:
        return ""
    each = f" ({' '.join(f'{100 * error:.2f}' for error in errors)})" if len(errors) > 1 else ""
    return f"{mean(errors):.2%}{each}"


def loads(averages):
    return ", ".join(f"{average:.1f}" for average in averages)


def cpu():
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    said = dict(map(str.strip, line.split(":", 1)) for line in lines if ":" in line)
    return f"{said['model name']} (family {said['cpu family']}, model {said['model']})"


def l2_of_a_core():
    return Path("/sys/devices/system/cpu/cpu0/cache/index2/size").read_text().strip()


def commit():
    said = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def java():
    said = subprocess.run(["java", "-version"], capture_output=True, text=True)
    return said.stderr.splitlines()[0] if said.stderr else "Java"

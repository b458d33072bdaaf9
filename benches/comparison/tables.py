"""The tables that are trained on: MNIST where it lies, two that are made up, five small ones in folds."""

import csv
import gzip
import math
import random
import zipfile
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from cases import FOLDS, SMALL

DATA = Path(__file__).resolve().parents[2] / "tests" / "data"
LEVELS = [10, 12, 20, 31, 60, 150, 400, 1000]


@dataclass(frozen=True)
class Table:
    train: Path
    test: Path
    response: str
    is_number: bool = False
    has_header: bool = True
    ignored: tuple = ()

    def actual(self):
        """The responses of the test rows."""
        with reader(self.test) as rows:
            place = next(rows).index(self.response) if self.has_header else int(self.response[1:]) - 1
            return [row[place] for row in rows]

    def error(self, predicted):
        """The share of wrong labels, or the root of the mean squared error."""
        actual = self.actual()
        if len(actual) != len(predicted):
            raise ValueError(f"{self.test}: {len(actual)} rows, {len(predicted)} predictions")
        pairs = zip(actual, predicted)
        if self.is_number:
            return math.sqrt(sum((float(a) - float(p)) ** 2 for a, p in pairs) / len(actual))
        return sum(a != p for a, p in pairs) / len(actual)


class reader:
    """The rows of a CSV file, gzipped or not."""

    def __init__(self, path):
        self.file = (gzip.open if path.suffix == ".gz" else open)(path, "rt", newline="")

    def __enter__(self):
        return csv.reader(self.file)

    def __exit__(self, *_):
        self.file.close()


def mnist(folder):
    """MNIST as H2O's benchmark has it, or nothing where it does not lie."""
    train, test = folder / "train.csv.gz", folder / "test.csv.gz"
    return Table(train, test, "C785", has_header=False) if train.exists() and test.exists() else None


def dense(folder):
    """28 near-normal features; two classes by products, a sine and a magnitude of them, and noise."""
    random_numbers = random.Random(28)
    # Values from a fixed stock: a tenth of the time of as many normal deviates.
    stock = [random_numbers.gauss(0, 1) for _ in range(1 << 16)]
    texts = [f"{x:.4f}" for x in stock]
    header = [f"x{i}" for i in range(28)] + ["y"]

    def row():
        places = random_numbers.choices(range(len(stock)), k=28)
        x = [stock[place] for place in places[:8]]
        z = x[0] * x[1] + math.sin(2 * x[2]) + abs(x[3]) - 0.8 + 0.5 * x[4] - 0.5 * x[5] * x[6] + 0.3 * x[7]
        return [texts[place] for place in places] + ["a" if z + 0.5 * random_numbers.gauss(0, 1) > 0 else "b"]

    return made(folder / "dense", header, row, 200_000, 20_000)


def airline(folder):
    """8 categories, some levels far more frequent than others; late or not by effects of levels, a pair of them, and noise."""
    random_numbers = random.Random(8)
    header = [f"c{count}" for count in LEVELS] + ["late"]
    popularity = [list(accumulate((rank + 5) ** -0.8 for rank in range(count))) for count in LEVELS]
    effects = [[random_numbers.gauss(0, 0.7) for _ in range(count)] for count in LEVELS]
    pairs = [[random_numbers.gauss(0, 1) for _ in range(LEVELS[4])] for _ in range(LEVELS[0])]
    names = [[f"{chr(97 + column)}{level}" for level in range(count)] for column, count in enumerate(LEVELS)]
    levels = [range(count) for count in LEVELS]

    def row():
        codes = [random_numbers.choices(all, cum_weights=weights)[0] for all, weights in zip(levels, popularity)]
        z = sum(effect[code] for effect, code in zip(effects, codes)) + pairs[codes[0]][codes[4]]
        is_late = random_numbers.random() < 1 / (1 + math.exp(-z))
        return [name[code] for name, code in zip(names, codes)] + ["yes" if is_late else "no"]

    return made(folder / "airline", header, row, 1_000_000, 50_000)


def made(folder, header, row, train_rows, test_rows):
    table = Table(folder / "train.csv", folder / "test.csv", header[-1])
    if not table.test.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for path, count in [(table.train, train_rows), (table.test, test_rows)]:
            part = path.with_suffix(".part")
            write(part, header, (row() for _ in range(count)))
            part.rename(path)
    return table


def small(folder, jar, seed):
    """For each small set its folds, which the seed draws."""
    for name, file, response, is_number, ignored in SMALL:
        header, rows = small_rows(file, jar)
        order = list(range(len(rows)))
        random.Random(seed).shuffle(order)
        place = folder / "small" / Path(file).stem
        place.mkdir(parents=True, exist_ok=True)
        tables = []
        for fold in range(FOLDS):
            table = Table(
                place / f"train{seed}{fold}.csv", place / f"test{seed}{fold}.csv", response, is_number, True, tuple(ignored)
            )
            test = set(order[fold::FOLDS])
            write(table.train, header, (row for i, row in enumerate(rows) if i not in test))
            write(table.test, header, (row for i, row in enumerate(rows) if i in test))
            tables.append(table)
        yield name, tables


def small_rows(file, jar):
    """Of our tests' data, or of the examples that H2O's jar carries."""
    if (DATA / file).exists():
        text = (DATA / file).read_text()
    else:
        with zipfile.ZipFile(jar) as archive:
            text = archive.read(f"extdata/{file}").decode()
    rows = [row for row in csv.reader(text.splitlines()) if row]
    return rows[0], rows[1:]


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)

"""Writes the synthetic data sets under tests/oracle/data.

Every number is a short decimal: H2O's CSV reader is one unit in the last place off for many
longer ones. Python's `random.Random` gives the same draws on every version and platform.
"""

from pathlib import Path
from random import Random

FOLDER = Path(__file__).resolve().parent / "data"


def main():
    FOLDER.mkdir(exist_ok=True)
    write("mixed.csv", *mixed(300, seed=1))
    write("mixed-valid.csv", *mixed(120, seed=2, unseen=True))
    write("mixed-partial.csv", *partial(*mixed(60, seed=7, unseen=True)))
    write("levels.csv", *levels(200, seed=3))
    write("zeros.csv", *zeros(200, columns=24, seed=4))
    write("zeros-mixed.csv", *zeros(160, columns=6, seed=5, categoricals=True))
    write("awkward.csv", *awkward(150, seed=6))
    write("policies.csv", *policies(240, seed=8))
    write("policies-valid.csv", *policies(60, seed=9, unseen=True))
    write("colors.csv", *colors(120, seed=10))


def mixed(rows, seed, unseen=False):
    """Numeric and categorical columns, both with missing values, and a response of each kind."""
    random = Random(seed)
    cities = ["Bern", "Genf", "Linz", "Lyon", "Metz", "Pisa", "Wien"]
    table = []
    for row in range(rows):
        age = random.randrange(18, 80)
        pay = round(random.gauss(30, 8), 1)
        debt = round(random.expovariate(0.5), 2)
        size = random.choice(["large", "medium", "small"])
        color = random.choice(["blue", "green", "red"])
        city = random.choice(cities + ["Rome"] if unseen else cities)
        signal = 0.05 * (age - 45) - 0.1 * (pay - 30) + 0.4 * debt
        signal += {"large": 0.8, "medium": 0.0, "small": -0.8}[size]
        signal += {"blue": 0.5, "green": 0.0, "red": -0.3}[color]
        signal += 0.3 * (len(cities) / 2 - (cities + ["Rome"]).index(city))
        signal += random.gauss(0, 0.7)
        churn = "yes" if signal > 0.3 else "no"
        grade = "A" if signal > 1.0 else "B" if signal > -0.5 else "C"
        cost = round(20 + 5 * signal, 1)
        table.append([
            age,
            pay,
            missing(debt, random, 0.1, first=row == 2),
            size,
            missing(color, random, 0.08, first=row == 3),
            missing(city, random, 0.05, first=row == 5),
            churn,
            grade,
            cost,
        ])
    return "age,pay,debt,size,color,city,churn,grade,cost".split(","), table


def partial(header, table):
    """The columns turned round, `debt` gone, one nobody asked for, and rows without a response."""
    keep = [i for i, name in reversed(list(enumerate(header))) if name != "debt"]
    names = [header[i] for i in keep] + ["note"]
    rows = [[row[i] for i in keep] + [f"n{number % 3}"] for number, row in enumerate(table)]
    for row in rows[4::10]:
        row[:3] = ["", "", ""]
    return names, rows


def levels(rows, seed):
    """Mostly categorical; several columns have the same number of levels, which orders them by an unstable sort."""
    random = Random(seed)
    sizes = [3, 5, 2, 5, 3, 2, 5, 4]
    table = []
    for _ in range(rows):
        codes = [random.randrange(size) for size in sizes]
        x = round(random.uniform(-3, 3), 2)
        signal = codes[0] - codes[1] + 1.5 * codes[2] + 0.5 * codes[7] + x + random.gauss(0, 0.5)
        kind = "high" if signal > 2 else "mid" if signal > 0 else "low"
        table.append([f"v{code}" for code in codes] + [x, kind, round(signal, 2)])
    return [f"k{i}" for i in range(len(sizes))] + ["x", "kind", "amount"], table


def zeros(rows, columns, seed, categoricals=False):
    """Numeric columns that are mostly zero (`n0` never is); with categoricals also one that is mostly missing."""
    random = Random(seed)
    table = []
    for row in range(rows):
        numbers = [round(random.uniform(0.5, 4), 2)]
        numbers += [round(random.uniform(-2, 5), 1) if random.random() < 0.2 else 0 for _ in range(columns - 1)]
        signal = sum(number * (-1) ** i for i, number in enumerate(numbers)) / 3
        cells = [missing(n, random, 0.01, first=row == i) if i > 0 else n for i, n in enumerate(numbers)]
        if categoricals:
            group = random.choice(["g1", "g2", "g3", "g4"])
            side = random.choice(["left", "right"])
            signal += {"g1": 1.0, "g2": -1.0, "g3": 0.5, "g4": 0.0}[group]
            rare = random.randrange(1, 9) if random.random() < 0.08 else ""
            cells += [rare, missing(group, random, 0.05, first=row == 7), side]
        signal += random.gauss(0, 0.3)
        table.append(cells + ["pos" if signal > 0.4 else "neg", round(signal, 2)])
    names = [f"n{i}" for i in range(columns)] + (["rare", "group", "side"] if categoricals else [])
    return names + ["sign", "amount"], table


def awkward(rows, seed):
    """Rows without a response, constant columns, columns constant apart from missing values, and an outlier."""
    random = Random(seed)
    table = []
    for row in range(rows):
        x = round(random.gauss(0, 1), 2) if row != 11 else 40.5
        z = random.randrange(0, 5)
        level = random.choice("abc")
        signal = x + z + {"a": 1, "b": 0, "c": -1}[level] + random.gauss(0, 0.5)
        labelled = row % 9 != 4
        table.append([
            x,
            7,
            "" if row % 4 == 1 else 3.5,
            z,
            "only",
            level,
            ("in" if signal > 2 else "out") if labelled else "",
            round(signal, 2) if labelled else "",
        ])
    return "x,seven,nearly,z,single,level,place,amount".split(","), table


def policies(rows, seed, unseen=False):
    """A response for each distribution, weights and offsets of each kind, more than ten levels, rare classes."""
    random = Random(seed)
    regions = ["north", "south", "east", "west", "coast", "hills", "lakes", "plain", "delta", "ridge", "marsh", "cape"]
    likely = [30, 24, 20, 16, 14, 12, 10, 8, 6, 6, 4, 3]
    vehicles = ["van", "car", "bus", "bike"]
    table = []
    for row in range(rows):
        age = random.randrange(18, 90)
        income = round(random.gauss(40, 12), 1)
        km = round(random.expovariate(0.1), 2)
        since = f"{random.randrange(1998, 2024)}-{random.randrange(1, 13):02}-{random.randrange(1, 29):02}"
        flat = 1 if row % 97 == 5 else 0
        zone = random.choice([1, 2, 3, 10])
        region = random.choices(regions, likely)[0]
        vehicle = random.choice(vehicles)
        fuel = random.choice(["diesel", "petrol"])
        risk = 0.02 * (50 - age) + 0.03 * km - 0.02 * (income - 40) + 0.08 * (regions.index(region) - 5)
        risk += {"van": 0.4, "car": 0.0, "bus": 0.8, "bike": -0.6}[vehicle] + random.gauss(0, 0.4)
        if not unseen and row in (17, 54):
            region = ["isle", "dune"][row == 54]
        if unseen and row % 8 == 3:
            region, vehicle = random.choice(["moon", "north"]), random.choice(["tram", "van"])
        claims = sum(random.random() < 0.1 for _ in range(max(0, int(6 + 4 * risk))))
        loss = round(sum(random.expovariate(0.7) for _ in range(claims)), 2)
        cost = round(1.5 ** risk * random.gammavariate(3, 1) + 0.05, 2)
        margin = round(12 - 8 * risk + random.gauss(0, 3), 1)
        claim = "yes" if risk > 1.15 else "no"
        tier = "low" if risk < 0.6 else "mid" if risk < 1.3 else "top"
        table.append([
            age,
            missing(income, random, 0.08, first=row == 2),
            km,
            since,
            flat,
            zone,
            missing(region, random, 0.05, first=row == 3),
            missing(vehicle, random, 0.05, first=row == 4),
            fuel,
            int(random.random() < 0.75),
            random.randrange(1, 5),
            round(random.uniform(0.2, 2.5), 2),
            0 if random.random() < 0.2 else round(random.uniform(0.2, 3), 1),
            round(random.uniform(0.1, 1.2), 2),
            -round(random.uniform(0.1, 1.2), 2),
            round(random.uniform(-0.8, 0.8), 2),
            claims,
            loss,
            cost,
            margin,
            claim,
            tier,
            missing(margin, random, 0.1, first=row == 6),
            missing(claim, random, 0.1, first=row == 6),
        ])
    names = "age,income,km,since,flat,zone,region,vehicle,fuel,kept,copies,share,gaps,up,down,either"
    return f"{names},claims,loss,cost,margin,claim,tier,margin_part,claim_part".split(","), table


def colors(rows, seed):
    """Nothing but categorical columns."""
    random = Random(seed)
    table = []
    for row in range(rows):
        paint = random.choice(["azure", "black", "coral", "ivory"])
        trim = paint if random.random() < 0.7 else random.choice(["azure", "black"])
        gloss = random.choice(["matt", "satin"]) if trim != "black" else "matt"
        table.append([missing(paint, random, 0.05, first=row == 1), trim, gloss])
    return ["paint", "trim", "gloss"], table


def missing(value, random, share, first):
    """`value`, or an empty cell for a share of the rows, and surely in the row that `first` marks."""
    return "" if first or random.random() < share else value


def write(name, header, table):
    lines = [",".join(str(cell) for cell in row) for row in [header, *table]]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

"""What is compared: tables, parameters, epochs, and what Aqueduct promises."""

from dataclasses import dataclass, field

# Nothing stops early and nothing is scored between: both sides train the epochs that are asked for, and only that.
TIMED = {"stopping_rounds": 0, "score_interval": 1e6, "score_duty_cycle": 0.0}

MNIST = {
    "hidden": [128, 64],
    "activation": "RectifierWithDropout",
    "input_dropout_ratio": 0.2,
    "hidden_dropout_ratios": [0.3, 0.2],
    "l1": 1e-4,
    "l2": 1e-4,
    "sparse": True,
}
MOMENTUM = {
    "adaptive_rate": False,
    "rate": 0.005,
    "rate_annealing": 1e-6,
    "momentum_start": 0.9,
    "momentum_ramp": 1e6,
    "momentum_stable": 0.99,
}


@dataclass(frozen=True)
class Case:
    """Parameters on a table. Both sides train `epochs` and are scored on the test rows; the slope is taken from there to
    `our_long` epochs of ours, and from `h2o_short` epochs of H2O's to there."""

    name: str
    title: str
    table: str
    parameters: dict
    epochs: float
    our_long: float
    h2o_short: float
    threads: tuple = (1, 2)
    # How many times as fast as H2O, by threads.
    targets: dict = field(default_factory=dict)
    # Numbers that the rule remembers of each weight, where the share of the L2 ceiling is stated.
    slots: int = 0
    # The same of 60 epochs, with --long.
    long_epochs: float = 0

    def shortened(self, share):
        return Case(**{
            **self.__dict__,
            "epochs": self.epochs * share,
            "our_long": self.our_long * share,
            "h2o_short": self.h2o_short * share,
        })


CASES = [
    Case(
        "momentum", "MNIST, momentum, 128-64 with dropout", "mnist", {**MNIST, **MOMENTUM},
        epochs=10, our_long=30, h2o_short=2, threads=(1, 2, 4, 8), targets={1: 20, 2: 40}, slots=1, long_epochs=60,
    ),
    Case(
        "adadelta", "MNIST, ADADELTA, 128-64 with dropout", "mnist", MNIST,
        epochs=10, our_long=30, h2o_short=2, threads=(1, 2, 4, 8), targets={1: 14, 2: 27}, slots=2, long_epochs=60,
    ),
    Case(
        "dense", "28 dense inputs, 200-200, H2O's defaults", "dense", {},
        epochs=1, our_long=4, h2o_short=0.2, targets={1: 22, 2: 38},
    ),
    Case(
        "airline", "8 categories of 1,683 levels, a million rows, 200-200, H2O's defaults", "airline", {},
        epochs=0.3, our_long=1.2, h2o_short=0.06, targets={1: 15, 2: 28},
    ),
]  # fmt: skip

# Small sets, at H2O's defaults: name, file, response, whether it is a number, columns to leave out.
SMALL = [
    ("iris", "iris.csv", "class", False, []),
    ("prostate", "prostate.csv", "CAPSULE", False, ["ID"]),
    ("credit", "credit.csv", "Status", False, []),
    ("house votes", "housevotes.csv", "Class", False, []),
    ("australia", "australia.csv", "runoffnew", True, []),
]
SMALL_THREADS = (1, 8)
FOLDS = 5

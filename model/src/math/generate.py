"""Writes exp_tables.rs, ln_tables.rs and reference.csv beside this file.

    pip install mpmath && python3 generate.py

Every number is computed with 200 bits and rounded once, so any correct big-float library gives the same files.
"""

import pathlib
import random
import struct

from mpmath import mp, mpf

mp.prec = 200
HERE = pathlib.Path(__file__).parent
LN2 = mp.log(2)


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def on_grid(value, exponent):
    """The multiple of 2^exponent nearest to value."""
    return float(mpf(int(mp.nint(mp.ldexp(value, -exponent)))) * mp.ldexp(1, exponent))


def split(value, exponent=None):
    """value as hi + lo; with an exponent, hi is a multiple of 2^exponent."""
    hi = float(value) if exponent is None else on_grid(value, exponent)
    return hi, float(value - mpf(hi))


# Tables ---------------------------------------------------------------------------------------------------------------

HEADER = """\
//! Constants of [`{name}`](super::{name}), written by `generate.py`.
//!
//! Where a value is given as `hi` and `lo`, their sum is the exact value to more than 90 bits.

#![expect({lints}, reason = "shortest decimals that read back exactly")]

"""


def rust_table(doc, name, kind, rows):
    lines = [f"/// {line}".rstrip() for line in doc.splitlines()]
    lines.append(f"pub(super) static {name}: [{kind}; {len(rows)}] = [")
    lines += ["    (" + ", ".join(repr(v) for v in row) + ")," for row in rows]
    return "\n".join(lines + ["];", ""])


def rust_const(doc, name, value):
    return f"/// {doc}\npub(super) const {name}: f64 = {value!r};\n"


def reciprocals():
    """For each of 256 equal pieces of [1, 2): the multiple of 2^-9 that keeps |m c - 1| smallest on it.

    The outermost two are exactly 1 and 1/2, so that logarithms near 0 come from `r` alone.
    """
    for j in range(256):
        low, high = mpf(256 + j) / 256, mpf(257 + j) / 256
        if j in (0, 255):
            c = mpf(1) if j == 0 else mpf(1) / 2
        else:
            middle = int(mp.nint(512 * 2 / (low + high)))
            c = min((mpf(k) / 512 for k in range(middle - 1, middle + 2)),
                    key=lambda c: max(abs(low * c - 1), abs(high * c - 1)))
        r = max(abs(low * c - 1), abs(high * c - 1))
        assert r <= mpf(1) / 256
        # The upper part of [1, 2) is taken as [1/2, 1) and the exponent as one larger.
        log = -mp.log(c) if 256 + j < 362 else -mp.log(2 * c)
        assert log == 0 or abs(log) >= r, "hi + r is summed as if hi were the larger"
        hi, lo = split(log, -42)
        yield float(c), hi, lo


def write_exp_tables():
    step_hi, step_lo = split(LN2 / 128, -42)
    body = HEADER.format(name="exp", lints="clippy::unreadable_literal, clippy::approx_constant")
    body += rust_const("128 / ln 2.", "STEPS_PER_UNIT", float(128 / LN2))
    body += rust_const("ln 2 / 128 to a multiple of 2^-42: exact when multiplied by a step number.", "STEP_HI", step_hi)
    body += rust_const("ln 2 / 128 - `STEP_HI`.", "STEP_LO", step_lo)
    body += "\n" + rust_table(
        "2^(i/128) as `(hi, lo)`, `hi` rounded to nearest.",
        "POWERS", "(f64, f64)", [split(mp.power(2, mpf(i) / 128)) for i in range(128)])
    (HERE / "exp_tables.rs").write_text(body)


def write_ln_tables():
    ln2_hi, ln2_lo = split(LN2, -42)
    body = HEADER.format(name="ln", lints="clippy::unreadable_literal")
    body += rust_const("ln 2 to a multiple of 2^-42: exact when multiplied by an exponent.", "LN2_HI", ln2_hi)
    body += rust_const("ln 2 - `LN2_HI`.", "LN2_LO", ln2_lo)
    body += "\n" + rust_table(
        "Entry j serves m in [1 + j/256, 1 + (j + 1)/256): `(c, hi, lo)`.\n\n"
        "`c` is the multiple of 2^-9 that keeps the largest |m c - 1| smallest, but 1 for the first entry and 1/2 for the last.\n"
        "`hi + lo` is -ln c, from entry 106 on -ln 2c; `hi` is a multiple of 2^-42.",
        "RECIPROCALS", "(f64, f64, f64)", list(reciprocals()))
    (HERE / "ln_tables.rs").write_text(body)


# Reference values -----------------------------------------------------------------------------------------------------

def rounded(value):
    """(bits of the nearest double, (value - double) / ulp of the double)."""
    exponent = max(int(mp.floor(mp.log(abs(value), 2))), -1022)
    ulp = mp.ldexp(1, exponent - 52)
    count = mp.nint(value / ulp)
    nearest = float(mp.ldexp(count, exponent - 52)) if exponent > -1022 else (
        from_bits(int(abs(count))) * (1 if value > 0 else -1))
    return bits(nearest), float((value - count * ulp) / ulp)


def exp_arguments(rng):
    yield from (rng.uniform(-745.1, 709.78) for _ in range(300))
    yield from (rng.uniform(-1, 1) for _ in range(150))
    yield from (rng.choice((-1, 1)) * 2.0 ** rng.uniform(-60, 0) for _ in range(100))
    yield from (rng.uniform(-745.13, -708.3) for _ in range(200))
    yield from (rng.uniform(709.0, 709.782712893383) for _ in range(50))
    # Where the reduced argument is largest: halfway between two steps.
    yield from (float((mpf(rng.randrange(-136000, 131000)) + mpf("0.5")) * LN2 / 128) for _ in range(200))
    yield from (-708.3964185322641, -708.396418532264, -745.1332191019411, 709.782712893384)


def ln_arguments(rng):
    yield from (from_bits(rng.randrange(1, 0x7FF0 << 48)) for _ in range(300))
    yield from (from_bits(rng.randrange(1, 1 << 52)) for _ in range(50))
    yield from (from_bits(1 << rng.randrange(0, 52)) for _ in range(20))
    yield from (rng.uniform(0.5, 2) for _ in range(200))
    yield from (1 + rng.choice((-1, 1)) * 2.0 ** rng.uniform(-53, -4) for _ in range(250))
    # Where the reduced argument is largest: the ends of the pieces.
    yield from (1 + j / 256 - 2.0 ** -52 for j in range(1, 257))
    yield from (5e-324, 2.2250738585072014e-308, 1.7976931348623157e308)


def write_reference():
    rng = random.Random(1)
    lines = [
        "# function, bits of x, bits of the double nearest to f(x), (f(x) - that double) in units of its last place",
    ]
    for name, function, arguments in (("exp", mp.exp, exp_arguments), ("ln", mp.log, ln_arguments)):
        for x in arguments(rng):
            if name == "ln" and x == 1:
                continue
            value, residual = rounded(function(mpf(x)))
            lines.append(f"{name},{bits(x):016x},{value:016x},{residual:.5f}")
    (HERE / "reference.csv").write_text("\n".join(lines) + "\n")


write_exp_tables()
write_ln_tables()
write_reference()

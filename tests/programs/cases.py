# SPDX-License-Identifier: MIT
"""What each *_cases.py needs: a line for the program's version, for how many cases there are, and for each case.

ci/programs reads them: "version TEXT", "cases NUMBER", "right NAME", "wrong NAME: why".
"""
import os
import sys
import traceback

import numpy as np

rng = np.random.default_rng(42)


def version(text):
    print("version", text, flush=True)
    with open(sys.argv[0], encoding="utf-8") as program:
        planned(program.read().count("\n@case\n"))


def planned(number):
    """Says how many cases are to come; several numbers add up."""
    print("cases", number, flush=True)


def missing(why):
    print("missing", why, flush=True)
    os._exit(77)


def case(function):
    """Runs the function, which returns nothing, or raises, or returns why it is wrong."""
    try:
        why = function()
    except Exception:  # what a program raises is its own
        if "-v" in sys.argv:
            traceback.print_exc()
        why = traceback.format_exc().strip().splitlines()[-1]
    name = function.__name__.strip("_").replace("_", " ")
    print(f"wrong {name}: {why}" if why else f"right {name}", flush=True)
    return function


def cases(table):
    """A case for each name and function of a dictionary."""
    planned(len(table))
    for name, function in table.items():
        function.__name__ = name
        case(function)


def differs(got, want, tolerance=0.0):
    """Why two arrays differ, relative to the largest value; None if they do not."""
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    if want.size == 0:
        return None
    if tolerance == 0:
        wrong = int(np.sum(got != want))
        return f"{wrong} of {want.size} differ" if wrong else None
    if not np.all(np.isfinite(got) == np.isfinite(want)):
        return "infinite or no numbers"
    scale = np.max(np.abs(want)) or 1
    error = np.max(np.abs(got.astype(np.complex128) - want)) / scale
    return None if error <= tolerance else f"error {error:.3g}, more than {tolerance:g}"

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Compares what random programs compute: over ZeroCL, with several options and on several families of
the virtual device, and over PoCL.

differ.py BUILD test SEED[xKERNELS][:OPTIONS]…
                                        over ZeroCL, with and without the options (-cl-opt-disable), and PoCL, on one
                                        family; fails if anything differs
differ.py BUILD hunt SECONDS [SEED]     programs from SEED on; those that differ are kept in BUILD/differ
differ.py BUILD show SEED               the program's text
differ.py BUILD reduce SEED KERNEL [FAMILY:]OPTIONS [[FAMILY:]OPTIONS]
                                        a smaller program for which two ways differ, in BUILD/differ
A way is a family of the virtual device and options of the build, or "pocl", or "pocl METHOD" for one of PoCL's
methods to make loops over work-items.
"""
import os
import subprocess
import sys
import time

import differ_program

OPTIONS = ("", "-cl-opt-disable", "-DWIDTH=8", "-DWIDTH=16", "-DWIDTH=32")
FAMILIES = ("tgllp", "skl", "icl", "dg2", "adlp", "cfl")
POCL = "Portable Computing Language"
# Without this pass IGC 1.0.12504 makes right code of kernels that it else makes wrong code of (docs/COMPATIBILITY.md).
WITHOUT_WRONG_PASS = "-nocopyprop"


class Runner:
    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.folder = os.path.join(self.build, "differ")
        os.makedirs(self.folder, exist_ok=True)

    def run(self, path, way, options, limit=300, compiler=""):
        """
        Returns, for each string of options, a line for each kernel by its name; or why there is none. `compiler` is
        what Intel's compiler is told beside.
        """
        env = dict(os.environ, ZEROCL_CACHE_DIR=os.path.join(self.folder, "cache"), POCL_KERNEL_CACHE="0")
        if way.startswith("pocl"):
            env.pop("LD_PRELOAD", None)
            if way != "pocl":
                env["POCL_WORK_GROUP_METHOD"] = way[len("pocl "):]
            env["OCL_ICD_VENDORS"] = "/etc/OpenCL/vendors/pocl.icd"
        else:
            env.update(OCL_ICD_VENDORS=os.path.join(self.build, "zerocl.icd"), ZEROCL_DEVICE="vgpu", ZEROCL_VGPU=way)
            if compiler:
                env["IGC_VISAOptions"] = compiler
        command = [os.path.join(self.build, "tests/differ/differ_run"), POCL if way.startswith("pocl") else "ZeroCL", path, *options]
        try:
            done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit, text=True,
                                  errors="replace")
            why = "status %d: %s" % (done.returncode, done.stdout[-300:] if done.returncode else "")
            text, status = done.stdout, done.returncode
        except subprocess.TimeoutExpired:
            return dict.fromkeys(options, "no end in %d s" % limit)
        if status == 77:
            return None
        got, current = {}, None
        for line in text.splitlines():
            if line.startswith("options "):
                current = got.setdefault(line[8:], {})
            elif current is not None and line.startswith("k"):
                current[line.split()[0]] = line
            elif line.startswith("not built"):
                current["why"] = line
        return {o: (got[o].get("why") or got[o]) if o in got and (status == 0 or got[o]) else why for o in options}

    def write(self, program, name="now"):
        path = os.path.join(self.folder, name + ".cl")
        with open(path, "w") as f:
            f.write(program.text())
        return path


def votes(results):
    """results: way → lines or why. Returns lines of text that say which kernels differ."""
    out = []
    for way, lines in results.items():
        if isinstance(lines, str):
            out.append("%s: %s" % (way, lines.replace("\n", " ")))
    names = sorted({k for lines in results.values() if isinstance(lines, dict) for k in lines})
    for k in names:
        by = {}
        for way, lines in results.items():
            if isinstance(lines, dict):
                by.setdefault(lines.get(k, "missing"), []).append(way)
        if len(by) > 1:
            out.append("%s: %s" % (k, " | ".join(", ".join(w) for w in sorted(by.values(), key=len, reverse=True))))
    return out


def run_families(runner, path, families, options, compiler=""):
    """The results of ZeroCL, by way."""
    results = {}
    for family in families:
        for option, lines in runner.run(path, family, options, compiler=compiler).items():
            results["%s:%s" % (family, option)] = lines
    return results


def try_seed(runner, seed, families, options, n_kernels, with_pocl=True, is_excused=False):
    """
    Returns what differs, lines of text, and how many ways the program was run. `is_excused`: prints what is the same
    without WITHOUT_WRONG_PASS, and does not return it.
    """
    path = runner.write(differ_program.program(seed, n_kernels), "seed%d" % seed)
    results = run_families(runner, path, families, options)
    if with_pocl or votes(results):
        for lines in (runner.run(path, "pocl", [""]) or {}).values():
            results["pocl"] = lines
        # One that PoCL compiles wrongly by its default method (7.1: seed 7) it may compile rightly by another.
        for lines in (runner.run(path, "pocl cbs", [""]) or {}).values() if votes(results) else ():
            if not votes(dict(results, pocl=lines)):
                results["pocl"] = lines
                print("seed %d: by POCL_WORK_GROUP_METHOD=cbs PoCL computes the same, and else not" % seed)
    found = votes(results)
    if found and is_excused:
        again = dict(results, **run_families(runner, path, families, options, WITHOUT_WRONG_PASS))
        if not votes(again):
            print("seed %d: %s; the same by IGC_VISAOptions='%s'" % (seed, "; ".join(found), WITHOUT_WRONG_PASS))
            found = []
    if not found:
        os.remove(path)
    return found, len(results)


def test(runner, seeds):
    bad = 0
    for seed in seeds:
        program, _, options = seed.partition(":")
        number, _, kernels = program.partition("x")
        family = os.environ.get("ZEROCL_VGPU", "tgllp")
        found, n = try_seed(runner, int(number), (family,), ("", options or OPTIONS[1]), int(kernels or 1))
        for line in found:
            print("seed %s: %s" % (seed, line))
        print("seed %s: %d ways" % (seed, n))
        bad += bool(found)
    return 1 if bad else 0


def hunt(runner, seconds, seed):
    end, n, ways, bad = time.monotonic() + seconds, 0, 0, 0
    while time.monotonic() < end:
        family = FAMILIES[seed // 2 % len(FAMILIES)] if seed % 2 else FAMILIES[0]
        found, more = try_seed(runner, seed, (family,), ("", OPTIONS[1 + seed % 4]), 2, seed % 3 == 0, True)
        n, ways = n + 1, ways + more
        bad += bool(found)
        for line in found:
            print("seed %d: %s" % (seed, line), flush=True)
        seed += 1
    print("%d programs, %d ways to run them, %d differ" % (n, ways, bad))
    return 1 if bad else 0


def parts_of(statement):
    """All lists of statements and all expressions below a statement."""
    for p in statement.parts:
        if isinstance(p, list):
            yield p
            for s in p:
                yield from parts_of(s)
        elif isinstance(p, differ_program.E):
            yield from expressions_of(p)


def expressions_of(e):
    yield e
    for p in e.parts:
        if not isinstance(p, str):
            yield from expressions_of(p)


def reduce(runner, seed, kernel, ways):
    program = differ_program.program(seed, 16)
    program.kernels = [k for k in program.kernels if "void %s(" % kernel in k.head]
    ways = [(w.split(":", 1)[0] or "tgllp", w.split(":", 1)[1] if ":" in w else "") for w in ways]

    def fails():
        path = runner.write(program, "now")
        lines = [runner.run(path, way, [option], 60) for way, option in ways]
        lines = [next(iter(x.values())) for x in lines]
        if any(isinstance(x, str) for x in lines):
            return False
        if lines[0][kernel] == lines[1][kernel]:
            return False
        runner.write(program, "reduced_%d_%s" % (seed, kernel))
        return True

    if not fails():
        print("it does not differ")
        return 1

    def drop(items):
        size = max(1, len(items) // 2)
        while size:
            at = 0
            while at < len(items):
                kept = items[at:at + size]
                items[at:at + size] = []
                if any(isinstance(s, differ_program.S) and str(s.parts[0]).startswith("return") for s in kept) or not fails():
                    items[at:at] = kept
                    at += size
                sys.stdout.write(".")
                sys.stdout.flush()
            size //= 2

    def lists():
        for f in program.kernels + program.functions:
            for items in (f.tail, f.body, f.declarations):
                yield items
                for s in list(items):
                    for p in list(parts_of(s)):
                        if isinstance(p, list):
                            yield p

    def simplify():
        smaller = False
        for f in program.kernels + program.functions:
            for s in f.declarations + f.body + f.tail:
                for e in [p for p in parts_of(s) if isinstance(p, differ_program.E)]:
                    before = e.parts
                    choices = [[p] for p in before if not isinstance(p, str) and p.t == e.t] if len(before) > 1 else []
                    if "".join(p for p in before if isinstance(p, str)) != "((%s)3)" % differ_program.name(e.t):
                        choices.append(["((%s)3)" % differ_program.name(e.t)])
                    for parts in choices:
                        e.parts = parts
                        if fails():
                            smaller = True
                            sys.stdout.write("-")
                            sys.stdout.flush()
                            break
                        e.parts = before
        return smaller

    drop(program.functions)
    for _ in range(3):
        size = len(program.text())
        for items in lists():
            drop(items)
        drop(program.functions)
        drop(program.types)
        simplify()
        if len(program.text()) == size:
            break
    print("\n%s/reduced_%d_%s.cl" % (runner.folder, seed, kernel))
    return 0


def main():
    if len(sys.argv) < 4:
        print(__doc__)
        return 2
    runner, command, rest = Runner(sys.argv[1]), sys.argv[2], sys.argv[3:]
    if command == "test":
        return test(runner, rest)
    if command == "hunt":
        return hunt(runner, float(rest[0]), int(rest[1]) if len(rest) > 1 else 1)
    if command == "show":
        print(differ_program.program(int(rest[0])).text())
        return 0
    return reduce(runner, int(rest[0]), rest[1], (rest[2:] + ["pocl"])[:2])


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: MIT
"""counts_reference.py COUNTS_RUN FILE… -- FILE or FOLDER…: what ZEROCL_VGPU_PROFILE counts of the kernels of each file,
against what follows from ZEROCL_VGPU_TRACE, which lists each instruction that each thread executes with
its channels and flags, and what each message sends. Of a trace everything is worked out anew here, channel
by channel. The counts are those of each engine, with one host thread and two; all must be equal, of the first
file in five runs of each. The files behind -- are taken with ZEROCL_TEST_LONG=1 only."""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

SPINS = {"hash_insert.cl"}  # wait for what numbers of chance do not bring
GLOBAL, LOCAL, LINE, BANKS = "128", "64", 64, 16
STEP = re.compile(r"zerocl eu: group \S+ thread \d+, channels (\w{8}), flags (\w{8}) (\w{8}), 0x(\w+): (.*)")
FORM = re.compile(r"(?:\(([^)]*)\))?\s*([a-z]\w*)\S*\s+\((\d+)\|M(\d+)\)")
DESCRIPTOR = re.compile(r"(?:0x(\w+)|a0\.\d)\s+(?:0x(\w+)|a0\.\d)\s*(?:\{|$|//)")
BRANCHES = {"if", "else", "while", "break", "cont", "goto", "jmpi", "call", "calla", "ret", "brd", "brc", "halt"}


def predicate(text, flags, width, offset):
    """The bits, by channel from 0 on, for which a predicate like ~f0.1.any8h holds."""
    match = re.match(r"(~?)f(\d)\.(\d)(?:\.(any|all)(\d*)[hv]?)?$", text)
    bits = flags[int(match[2])] >> (16 * int(match[3]))
    if match[2] == "0" and match[3] == "1":
        bits |= flags[1] << 16
    if match[4]:
        size = int(match[5]) if match[5] else width
        held = 0
        for first in range(0, 32, size):
            part = bits >> first & (1 << size) - 1
            held |= (part != 0 if match[4] == "any" else part == (1 << size) - 1) * ((1 << size) - 1) << first
        bits = held
    return ~bits if match[1] else bits


def shape_of(descriptor, is_local):
    """Of a message of Xe-HPG's load-store cache to a surface or to local memory: bytes of a lane, whether it
    writes, whether it is atomic; else None."""
    ELEMENTS, BYTES, A32 = (1, 2, 3, 4, 8), {2: 4, 3: 8, 4: 1, 5: 2}, 2
    LOAD, LOAD_MASKED, STORE, STORE_MASKED, FIRST_ATOMIC, LAST_ATOMIC = 0, 2, 4, 6, 8, 26
    operation, vector, size = descriptor & 63, descriptor >> 12 & 7, BYTES.get(descriptor >> 9 & 7)
    is_flat = descriptor >> 29 & 3 == 0
    if descriptor >> 7 & 3 != A32 or is_flat != is_local or not size:
        return None
    if operation in (LOAD_MASKED, STORE_MASKED):
        return size * (descriptor >> 12 & 15).bit_length(), operation == STORE_MASKED, False
    if descriptor >> 15 & 1 or vector >= len(ELEMENTS):
        return None
    if FIRST_ATOMIC <= operation <= LAST_ATOMIC:
        return size, True, True
    return (size * ELEMENTS[vector], operation == STORE, False) if operation in (LOAD, STORE) else None


def touched(name, text, descriptor, lanes, payload):
    """Of a message of which that is known: (bytes, lines or None, conflicts, contended), else None."""
    cache = re.search(r"\bsend\.(slm|ugm)\s+\((\d+)\|", text)
    if cache:
        shape = shape_of(descriptor, cache[1] == "slm")
        return count_touched(shape, payload[:int(cache[2])], lanes, cache[1] == "slm") if shape else None
    kind, control, index = descriptor >> 14 & 31, descriptor >> 8 & 63, descriptor & 255
    words = payload[8 if descriptor >> 19 & 1 else 0:]
    if re.match("(unaligned )?OWord block", name) and (index < 240 or index == 254):
        size = (16, 16, 32, 64, 128, 256)[control & 7]
        at = payload[2] * (1 if name.startswith("unaligned") else 16)
        return size, 0 if index == 254 else (at + size - 1) // LINE - at // LINE + 1, 0, 0
    if name in ("untyped surface read", "untyped surface write"):
        simd, size = {1: 16, 2: 8}[control >> 4], 4 * bin(~control & 15).count("1")
    elif name == "untyped atomic":
        simd, size = (8 if control & 16 else 16), 4
    elif name in ("byte scattered read", "byte scattered write"):
        simd, size = (16 if control & 1 else 8), 1 << (control >> 2 & 3)
    else:
        return None
    if index >= 240 and index != 254:
        return None
    shape = size, name.endswith("write") or "atomic" in name, "atomic" in name
    return count_touched(shape, words[:simd], lanes, index == 254)


def count_touched(shape, addresses, lanes, is_local):
    size, writes, is_atomic = shape
    places = [at for lane, at in enumerate(addresses) if lanes >> lane & 1]
    if is_local:
        places = [at & 0xffff for at in places]
    lines = conflicts = contended = 0
    if is_local:
        conflicts = count_conflicts(places, size, writes)
    else:
        lines = len({line for at in places for line in range(at // LINE, (at + size - 1) // LINE + 1)})
    if is_atomic:
        contended = len(places) - len(set(places))
    return size * len(places), lines, conflicts, contended


def count_conflicts(places, size, writes):
    if all(b - a == size for a, b in zip(places, places[1:])) or (not writes and len(set(places)) == 1):
        return 0
    cycles, seen = [0] * BANKS, set()
    for at in places:
        for word in range(at // 4, (at + size - 1) // 4 + 1):
            if word not in {w for w, _ in seen} or (writes and (word, at) in seen):
                cycles[word % BANKS] += 1
            seen.add((word, at))
    return max(cycles) - -(-sum(cycles) // BANKS)


class Count:
    def __init__(self, text):
        self.text, self.executions, self.channels, self.split = text, 0, 0, 0
        self.touches, self.known, self.is_plain = [0, 0, 0, 0], True, True


def read_trace(path):
    """The counts of each kernel, in the order in which they were launched first: by offset."""
    walkers, kernel, last = {}, None, None

    def close():
        if not last:
            return
        count, name, lanes, descriptor, payload = last
        got = touched(name, count.text, descriptor, lanes, payload) if name and descriptor is not None and lanes else None
        if got:
            count.touches = [a + b for a, b in zip(count.touches, got)]
        elif lanes:
            count.known = False

    for line in open(path):
        if line.startswith("zerocl eu: walker:"):
            close()
            last = None
            kernel = walkers.setdefault(re.search(r"kernel (\w+), SIMD\d+, \d+ threads", line)[0], {})
            continue
        match = STEP.match(line)
        if not match:
            if last and line.startswith("zerocl eu:     "):
                words = line[15:].split()
                if words[0] == "sends":
                    last[4].extend(int(word, 16) for word in words[2:])
                elif words[0] not in ("and", "got", "is") and last[1] is None:
                    last[1] = line[15:].strip()
            continue
        close()
        act, flags, offset, text = int(match[1], 16), [int(match[2], 16), int(match[3], 16)], int(match[4], 16), match[5]
        form = FORM.match(text)
        if not form:  # sync and nop have no channels
            kernel.setdefault(offset, Count(text)).executions += 1
            kernel[offset].is_plain = False
            last = None
            continue
        opcode, width, first = form[2], int(form[3]), int(form[4])
        whole = (1 << width) - 1 << first
        control = (form[1] or "").split("&")
        on = whole if "W" in control else act & whole
        held = on
        for part in control:
            if part and part != "W" and opcode != "sel":  # whose predicate chooses a source
                held = on & predicate(part, flags, width, first)
        count = kernel.setdefault(offset, Count(text))
        count.executions += 1
        count.channels += bin(held).count("1")
        count.split += opcode in BRANCHES and held != 0 and held != on
        last = None
        if opcode.startswith("send"):
            found = DESCRIPTOR.search(text)
            last = [count, None, held >> first, int(found[2], 16) if found and found[2] else None, []]
    close()
    return list(walkers.values())


def read_counts(path):
    """The same of the profile: rows of each kernel by offset."""
    described, kernels = {}, {}
    for line in open(path):
        line = json.loads(line)
        if "instructions" in line:
            described[line["kernel"]] = line
        else:
            kernels[line["counts"]] = line
    return [(described[number], kernels[number]) for number in sorted(kernels)
            if not described[number].get("function")]


def run(program, file, environment):
    environment = dict(os.environ, **environment)
    return subprocess.run([program, GLOBAL, LOCAL, file], env=environment, timeout=600).returncode


def compare(trace, profile, name, problems, known):
    """Kernels of one program."""
    if len(trace) != len(profile):
        problems.append(f"{name}: {len(trace)} walkers, {len(profile)} kernels")
    for kernel, (described, counts) in zip(trace, profile):
        # A trace counts from where threads begin, which is behind the code for other drivers on Xe-HPG.
        rows = list(zip(described["instructions"], counts["rows"]))
        offsets = {i["offset"] - rows[0][0]["offset"]: (i, row) for i, row in rows}
        for offset, count in kernel.items():
            if offset not in offsets:
                problems.append(f"{name}: {described['name']}: nothing at {offset:#x}: {count.text}")
                continue
            instruction, row = offsets[offset]
            is_send = instruction.get("message") is not None
            is_branch = len(row) > 3 and not is_send
            got, want = row[1:3], [count.executions, count.channels]
            if is_branch:
                got, want = row[1:4], want + [count.split]
            if is_send and count.known and instruction.get("space") in ("global", "local"):
                got, want = got + row[4:8], want + count.touches
                known[instruction["message"]] += 1
            if not count.is_plain:
                got, want = got[:1], want[:1]
            if got != want:
                problems.append(f"{name}: {described['name']}+{offset:#x}: {got} counted, {want} executed: {count.text}")
        idle = [i for offset, (i, row) in offsets.items() if offset not in kernel and row[1]]
        if idle:
            problems.append(f"{name}: {described['name']}: counted, not executed: {idle[0]['text']}")


def main():
    program, rest = sys.argv[1], sys.argv[2:]
    end = rest.index("--") if "--" in rest else len(rest)
    files = rest[:end]
    for path in rest[end + 1:] if os.environ.get("ZEROCL_TEST_LONG") else []:
        found = sorted(glob.glob(path + "/*.cl")) if os.path.isdir(path) else [path]
        files += [file for file in found if os.path.basename(file) not in SPINS]
    problems, known, kernels, instructions = [], collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        log, counts = folder + "/trace", folder + "/counts"
        for file in files:
            name = os.path.basename(file)
            for path in (log, counts):
                if os.path.exists(path):
                    os.unlink(path)
            if run(program, file, {"ZEROCL_LOG": "trace", "ZEROCL_LOG_FILE": log, "ZEROCL_VGPU_THREADS": "1",
                                   "ZEROCL_VGPU_TRACE": "walkers,instructions,messages"}):
                problems.append(f"{name}: cannot be run")
                continue
            trace = read_trace(log)
            kernels += len(trace)
            instructions += sum(count.executions for kernel in trace for count in kernel.values())
            for engine in ("stencil", "threaded"):
                for threads in ("1", "2") * (5 if file == files[0] else 1):
                    if os.path.exists(counts):
                        os.unlink(counts)
                    if run(program, file, {"ZEROCL_VGPU_PROFILE": counts, "ZEROCL_VGPU_ENGINE": engine,
                                           "ZEROCL_VGPU_THREADS": threads}):
                        problems.append(f"{name}: cannot be run with counts")
                        continue
                    compare(trace, read_counts(counts), f"{name}, {engine}, {threads} threads", problems, known)
    print(f"{kernels} kernels, {instructions} instructions; messages compared: {dict(known)}")
    print("\n".join(problems[:40]))
    return bool(problems) or not known or kernels < len(files)


sys.exit(main())

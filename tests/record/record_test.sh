#!/bin/bash
# SPDX-License-Identifier: MIT
# record_test.sh ZEROCL PROGRAM PLATFORM: records each part of record_program, and replays it.
# PRELOAD is preloaded for the program and for the replay.
set -u
zerocl=$1 program=$2 platform=$3
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
cd "$here" || exit 1

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

preloaded() {
	env ${PRELOAD:+LD_PRELOAD=$PRELOAD} "$@"
}

# has TEXT FILE
has() {
	grep -qE -- "$1" "$2" || fail "no \"$1\" in: $(cat "$2")"
}

preloaded "$program" "$platform" none
[ $? = 77 ] && exit 77

for part in buffers parts images svm events programs threads; do
	record=$folder/$part
	preloaded "$zerocl" record -o "$record" --buffers -- "$program" "$platform" $part >"$folder/log" 2>&1
	[ $? = 3 ] || fail "recording $part: $(cat "$folder/log")"
	grep -q "not here" "$folder/log" && [ "$platform" != ZeroCL ] && continue
	has "zerocl record: .*$part: [0-9]+ calls, [0-9]+ launches" "$folder/log"
	# Headers are in the record: the folder of the program is elsewhere.
	(cd / && preloaded "$zerocl" replay "$record") >"$folder/log" 2>&1 || fail "replaying $part"
	has "zerocl replay: [0-9]+ calls, [0-9]+ launches, ([1-9][0-9]*) of \1 results equal" "$folder/log"
	grep -q differs "$folder/log" && fail "$part: $(cat "$folder/log")"
	[ "$(find "$record" -size -300k)" ] || fail "$part is large: $(stat -c %s "$record")"
done

# A program that crashes leaves all that it has done.
preloaded "$zerocl" record -o "$folder/abort" -- "$program" "$platform" abort >"$folder/log" 2>&1
[ $? = 134 ] || fail "abort: $(cat "$folder/log")"
preloaded "$zerocl" replay "$folder/abort" >"$folder/log" 2>&1 || fail "replaying abort"
has " 1 of 1 results equal" "$folder/log"

# The timeline: every event whole, tracks nest, nothing lasts less than nothing.
preloaded "$zerocl" timeline -o "$folder/timeline" -- "$program" "$platform" buffers events threads >"$folder/log" 2>&1
[ $? = 3 ] || fail "timeline: $(cat "$folder/log")"
python3 - "$folder/timeline" <<'PYTHON' || fail "timeline"
import collections, json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
tracks = collections.defaultdict(list)
names = set()
for e in events:
    assert e["ph"] in "XMsf", e
    if e["ph"] == "M":
        names.add((e["pid"], e["tid"], e["name"]))
    if e["ph"] == "X":
        assert e["ts"] >= 0 and e["dur"] >= 0, e
        tracks[e["pid"], e["tid"]].append((e["ts"], -e["dur"], e))
for track, list_ in tracks.items():
    assert track + ("thread_name",) in names, track
    open_ = []
    for ts, _, e in sorted(list_, key=lambda x: x[:2]):
        while open_ and open_[-1] <= ts + 1e-6:
            open_.pop()
        assert not open_ or ts + e["dur"] <= open_[-1] + 1e-3, e
        open_.append(ts + e["dur"])
host = [e for e in events if e.get("cat") == "host"]
device = [e for e in events if e.get("cat") == "device"]
launches = [e for e in host if e["name"] == "clEnqueueNDRangeKernel"]
commands = [e for e in device if e["name"] in ("add", "turn", "twice")]
assert len(launches) == len(commands) == 2 + 4 + 30, (len(launches), len(commands))
assert all(e["args"].get("kernel") for e in launches)
assert any(e["name"] == "clGetPlatformIDs" for e in host), "queries are calls too"
starts = {e["id"]: e for e in events if e["ph"] == "s"}
ends = {e["id"]: e for e in events if e["ph"] == "f"}
assert starts.keys() == ends.keys() and len(starts) == len(device)
assert all(starts[i]["ts"] <= ends[i]["ts"] for i in starts)
# No two commands of the queue that is in order run at once; the diamond keeps its order.
assert len({e["tid"] for e in host}) == 4, "threads"
PYTHON

# What is not a record, or not whole, is refused with a sentence.
head -c 300 "$folder/buffers" >"$folder/short"
"$zerocl" replay "$folder/short" >"$folder/log" 2>&1 && fail "a short file"
has "zerocl replay: .*short: (damaged|not whole)" "$folder/log"
"$zerocl" replay "$folder/nowhere" >"$folder/log" 2>&1 && fail "no file"
has "No such file" "$folder/log"
"$zerocl" record -o "$folder/none" -- true >"$folder/log" 2>&1 && fail "nothing to record"
has "no call of OpenCL" "$folder/log"
"$zerocl" record -- true >"$folder/log" 2>&1
[ $? = 2 ] || fail "usage"
"$zerocl" record -o "$folder/none" -- "$folder/nowhere" >"$folder/log" 2>&1
[ $? = 127 ] || fail "status of a program that is not there"

[ $failures = 0 ]

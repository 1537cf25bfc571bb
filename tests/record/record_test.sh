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
cp -r "$here/record_headers" "$folder" && : >"$folder/record_headers/a/empty.h" || exit 1
cd "$folder" || exit 1

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

for part in buffers parts images svm chance types events programs threads gates; do
	record=$folder/$part
	preloaded "$zerocl" record -o "$record" --buffers -- "$program" "$platform" $part >"$folder/log" 2>&1
	[ $? = 3 ] || fail "recording $part: $(cat "$folder/log")"
	grep -q "not here" "$folder/log" && [ "$platform" != ZeroCL ] && continue
	has "zerocl record: .*$part: [0-9]+ calls, [0-9]+ launch(es)? of [0-9]+ kernels?$" "$folder/log"
	# Headers are in the record: the folder of the program is elsewhere.
	(cd / && preloaded "$zerocl" replay "$record") >"$folder/log" 2>&1 || fail "replaying $part"
	has "zerocl replay: [0-9]+ calls, [0-9]+ launch(es)?, ([1-9][0-9]*) of \2 results equal" "$folder/log"
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

# Two settings: the first launch, object and byte that differ; none where there are none.
record=$folder/wrong
preloaded "$zerocl" record -o "$record" -- "$program" "$platform" wrong >"$folder/log" 2>&1
[ $? = 3 ] || fail "recording wrong: $(cat "$folder/log")"
preloaded "$zerocl" diff -b options=-DWRONG "$record" >"$folder/log" 2>&1
[ $? = 1 ] || fail "diff: $(cat "$folder/log")"
has "launch 13 \(call [0-9]+\) of kernel faulty: object [0-9]+ differs" "$folder/log"
has "first at byte 308 of 4096, 4 bytes differ" "$folder/log"
has "b 00000130: .* \[39\] 12 00 00 " "$folder/log"
if [ "$platform" = ZeroCL ]; then
	has "a: written in faulty, line 8, by work-item \([0-9]+, 0, 0\) of group" "$folder/log"
	has "b: written in faulty, line 8, by work-item" "$folder/log"
	[ "$(grep -c '^      a\[i\] += 5;$' "$folder/log")" = 2 ] || fail "lines of writers: $(cat "$folder/log")"
else
	has "a: (who wrote it is not known|written)" "$folder/log"
fi
preloaded "$zerocl" diff -a options=-DRIGHT "$record" >"$folder/log" 2>&1 || fail "diff of equals"
has "the same after each of 21 launches" "$folder/log"
preloaded "$zerocl" diff -b platform=nowhere "$record" >"$folder/log" 2>&1
[ $? = 3 ] || fail "diff with a platform that is not there: $(cat "$folder/log")"
"$zerocl" diff "$folder/nowhere" >"$folder/log" 2>&1
[ $? = 3 ] || fail "diff of no file"
has "zerocl diff: .*nowhere: No such file" "$folder/log"
preloaded "$zerocl" diff -b nothing "$record" >"$folder/log" 2>&1
[ $? = 2 ] || fail "usage of diff"

# What is left of it is the launch that is wrong, without contents, still replayed and different.
preloaded "$zerocl" reduce -o "$folder/small" "$record" -- "$zerocl" diff --brief -b options=-DWRONG >"$folder/log" 2>&1 ||
	fail "reduce: $(cat "$folder/log")"
has "small: [0-9]+ calls, 1 launch, [0-9]+ bytes" "$folder/log"
has "clEnqueueNDRangeKernel of faulty" "$folder/log"
preloaded "$zerocl" diff -b options=-DWRONG "$folder/small" >"$folder/log" 2>&1
has "launch 1 .* kernel faulty" "$folder/log"
has "a 00000130: 05 00 00 00 \[05\] 00 00 00 05" "$folder/log"
[ "$(stat -c %s "$folder/small")" -lt $(($(stat -c %s "$record") / 2)) ] || fail "not smaller"
preloaded "$zerocl" replay "$folder/small" >"$folder/log" 2>&1 || fail "replaying what is left"
"$zerocl" reduce -o "$folder/small" "$record" >"$folder/log" 2>&1 && fail "reduced what does not fail"
has "does not fail" "$folder/log"

if [ "$platform" = ZeroCL ]; then
	# Two families; another driver, where there is one.
	"$zerocl" diff -a ZEROCL_VGPU=tgllp -b ZEROCL_VGPU=dg2 "$folder/buffers" >"$folder/log" 2>&1 ||
		fail "two families: $(cat "$folder/log")"
	if [ -e /etc/OpenCL/vendors/pocl.icd ]; then
		"$zerocl" diff -b OCL_ICD_VENDORS=/etc/OpenCL/vendors -b platform=Portable \
			"$folder/buffers" >"$folder/log" 2>&1 || fail "PoCL: $(cat "$folder/log")"
	fi
	# A launch that faults.
	"$zerocl" record -o "$folder/fault" -- "$program" "$platform" fault >"$folder/log" 2>&1
	"$zerocl" reduce -o "$folder/small" "$folder/fault" >"$folder/log" 2>&1 || fail "fault"
	has "small: [0-9]+ calls, 1 launch," "$folder/log"
	has "clEnqueueNDRangeKernel of beyond" "$folder/log"
	# What was not compared is said.
	"$zerocl" replay "$folder/small" >"$folder/log" 2>&1 || fail "replaying a fault"
	has ", 1 launch, nothing to compare" "$folder/log"
	"$zerocl" replay --failures "$folder/small" >"$folder/log" 2>&1 && fail "no failure"
	has ", 1 launch, results were not compared" "$folder/log"
	# The replay as the program of another command.
	"$zerocl" replay "$folder/buffers" check --tools memory >"$folder/log" 2>&1 ||
		fail "replay under check: $(cat "$folder/log")"
	has "zerocl check: 0 found" "$folder/log"
	has "results equal" "$folder/log"
fi

# What is not a record, or not whole, is refused with a sentence.
head -c 300 "$folder/buffers" >"$folder/short"
"$zerocl" replay "$folder/short" >"$folder/log" 2>&1 && fail "a short file"
has "zerocl replay: .*short: (damaged|not whole)" "$folder/log"
"$zerocl" replay "$folder/nowhere" >"$folder/log" 2>&1
[ $? = 3 ] || fail "no file"
has "No such file" "$folder/log"
"$zerocl" record -o "$folder/none" -- true >"$folder/log" 2>&1 && fail "nothing to record"
has "no call of OpenCL" "$folder/log"
"$zerocl" record -- true >"$folder/log" 2>&1
[ $? = 2 ] || fail "usage"
"$zerocl" record -o "$folder/none" -- "$folder/nowhere" >"$folder/log" 2>&1
[ $? = 127 ] || fail "status of a program that is not there"

[ $failures = 0 ]

#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_check_test.sh ZEROCL CHECK_RUN CHECK_MEMORY: what `zerocl check` prints in its forms, and how it ends.
set -u
zerocl=$1 run=$2 memory=$3
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# check STATUS OPTION… -- WORD…: runs over check_run; the output goes to $folder/out.
check() {
	local want=$1
	shift
	"$zerocl" check --output "$folder/out" "$@" >"$folder/log" 2>&1
	local got=$?
	[ $got = "$want" ] || fail "zerocl check $*: status $got, not $want: $(cat "$folder/log")"
}

has() {
	grep -qF -- "$1" "$folder/out" || fail "no \"$1\" in: $(cat "$folder/out")"
}

wrong=$here/wrong.cl
line=$(grep -n 'a\[GID\] = b\[GID + 3900\]' "$wrong" | cut -d: -f1)

# Text, as compilers print it; two kernels are two processes.
check 9 --error-exitcode 9 --source "$wrong" -- "$run" "$wrong" reads_beyond_the_end no_barrier_before_overwriting
grep -qE "^$wrong:$line:[0-9]+: error: .*of the 16384 of the buffer.* \[out-of-bounds\]" "$folder/out" ||
	fail "no error of line $line in: $(cat "$folder/out")"
has "a[GID] = b[GID + 3900]; //! memory"
has ": error: data race on byte"
has ": note: not ordered with another work-item"
has "found, in 2 processes"
grep -qE '^ +\| +[[:space:]]*\^$' "$folder/out" || fail "no caret in: $(cat "$folder/out")"
check 1 -- "$run" "$wrong" no_barrier_before_overwriting
has "no_barrier_before_overwriting.cl:"

# Nothing found: the program's own status.
check 3 -- "$run" "$here/right.cl" tree copies
has "zerocl check: 0 found"
# Tools that are not asked for are silent.
check 3 --tools init,lanes -- "$run" "$wrong" reads_beyond_the_end
check 1 --tools memory -- "$run" "$wrong" reads_beyond_the_end

# Not one of all.
check 3 -- "$run" "$wrong" root_of_a_negative
check 1 --tools nan -- "$run" "$wrong" root_of_a_negative
has "[nan]"

# Suppressions: by tool and kernel, by rule and line.
printf '# known\nraces no_barrier_*\nout-of-bounds * *b\\[GID + 3900\\]*\n' >"$folder/known"
check 3 --suppressions "$folder/known" -- "$run" "$wrong" reads_beyond_the_end no_barrier_before_overwriting
has "0 found,"
has " suppressed"
printf 'races other_*\n' >"$folder/known"
check 1 --suppressions "$folder/known" -- "$run" "$wrong" no_barrier_before_overwriting

# The forms that other programs read.
check 1 --format json --source "$wrong" -- "$run" "$wrong" reads_beyond_the_end
python3 - "$folder/out" "$line" <<'PYTHON' || fail "JSON: $(cat "$folder/out")"
import json, sys
finding, = json.load(open(sys.argv[1]))["findings"]
assert finding["tool"] == "memory" and finding["sides"][0]["line"] == int(sys.argv[2])
PYTHON
check 1 --format sarif --source "$wrong" -- "$run" "$wrong" reads_beyond_the_end no_barrier_before_overwriting
python3 - "$folder/out" "$here/sarif.json" "$line" <<'PYTHON' || fail "SARIF: $(cat "$folder/out")"
import json, sys
try:
    import jsonschema
except ImportError:
    jsonschema = None
log = json.load(open(sys.argv[1]))
if jsonschema:
    jsonschema.validate(log, json.load(open(sys.argv[2])))
results = log["runs"][0]["results"]
regions = [r["locations"][0]["physicalLocation"]["region"] for r in results]
assert int(sys.argv[3]) in [r["startLine"] for r in regions]
assert [r for r in results if r["ruleId"] == "data-race"][0]["relatedLocations"]
PYTHON
check 1 --format junit -- "$run" "$wrong" reads_beyond_the_end
python3 - "$folder/out" <<'PYTHON' || fail "JUnit: $(cat "$folder/out")"
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
assert suite.get("failures") == suite.get("tests") == str(len(suite.findall("testcase/failure")))
assert suite.find("testcase").get("classname") == "memory"
PYTHON
check 3 --format junit -- "$run" "$here/right.cl" copies
has 'tests="1" failures="0"'

# Where the program has made memory, and released it. Without addr2line there are no lines.
check 1 -- "$memory"
has "[out-of-bounds]"
has "[use-after-release]"
at() {
	command -v addr2line >/dev/null && echo "check_memory.c:$(grep -n "/\* $1 \*/" "$here/check_memory.c" | cut -d: -f1)"
}
grep -qE "of a buffer of 4096 bytes, created .*$(at KEPT)\$" "$folder/out" || fail "no creator in: $(cat "$folder/out")"
grep -qE "of a buffer of 4096 bytes, created .*$(at GONE), released .*$(at RELEASED)" "$folder/out" ||
	fail "no release in: $(cat "$folder/out")"
check 1 --format json -- "$memory"
python3 - "$folder/out" <<'PYTHON' || fail "JSON: $(cat "$folder/out")"
import json, sys
findings = json.load(open(sys.argv[1]))["findings"]
places = {f["rule"]: f["memory"] for f in findings}
assert places["use-after-release"]["bytes"] == 4096
assert "released" not in places["out-of-bounds"] and places["out-of-bounds"]["created"]["module"]
PYTHON

# Wrong usage, and programs that end by themselves.
check 2 --tools racs -- true
check 2 --format xml -- true
check 2
check 127 -- "$folder/nowhere"
check 5 -- sh -c 'exit 5'
check 143 -- sh -c 'kill $$'
check 1 --suppressions "$folder/nowhere" -- true

[ $failures = 0 ]

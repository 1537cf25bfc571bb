#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_check_test.sh ZEROCL CHECK_RUN CHECK_MEMORY: what `zerocl check` prints in its forms, and how it ends.
zerocl=$1 run=$2 memory=$3
here=$(dirname "$0")
. "$here/../tool/tool_case.sh"

wrong=$here/wrong.cl
line=$(grep -n 'a\[GID\] = b\[GID + 3900\]' "$wrong" | cut -d: -f1)

# Text, as compilers print it; two kernels are two processes.
tool 9 check --error-exitcode 9 --source "$wrong" -- "$run" "$wrong" reads_beyond_the_end no_barrier_before_overwriting
grep -qE "^$wrong:$line:[0-9]+: error: .*of the 16384 of the buffer.* \[out-of-bounds\]" "$folder/out" ||
	fail "no error of line $line in: $(cat "$folder/out")"
has -F "a[GID] = b[GID + 3900]; //! memory"
has -F ": error: data race on byte"
has -F ": note: not ordered with another work-item"
has -F "found, in 2 processes"
grep -qE '^ +\| +[[:space:]]*\^$' "$folder/out" || fail "no caret in: $(cat "$folder/out")"
tool 1 check -- "$run" "$wrong" no_barrier_before_overwriting
has -F "no_barrier_before_overwriting.cl:"

# Nothing found: the program's own status.
tool 3 check -- "$run" "$here/right.cl" tree copies
has -F "zerocl check: 0 found"
# Tools that are not asked for are silent.
tool 3 check --tools init,lanes -- "$run" "$wrong" reads_beyond_the_end
tool 1 check --tools memory -- "$run" "$wrong" reads_beyond_the_end

# Not one of all.
tool 3 check -- "$run" "$wrong" root_of_a_negative
tool 1 check --tools nan -- "$run" "$wrong" root_of_a_negative
has -F "[nan]"

# What cannot be right is said before the program runs; that nothing ran, behind it.
tool 2 check --tools races,rases -- false
said "--tools races,rases: not one of its values"
tool 2 check --source "$folder/none.cl" -- false
said "none.cl: No such file"
tool 2 check --error-exitcode 300 -- false
tool 0 check -- true
has -F "0 found: no kernel has run"

# Suppressions: by tool and kernel, by rule and line.
printf '# known\nraces no_barrier_*\nout-of-bounds * *b\\[GID + 3900\\]*\n' >"$folder/known"
tool 3 check --suppressions "$folder/known" -- "$run" "$wrong" reads_beyond_the_end no_barrier_before_overwriting
has -F "0 found,"
has -F " suppressed"
printf 'races other_*\n' >"$folder/known"
tool 1 check --suppressions "$folder/known" -- "$run" "$wrong" no_barrier_before_overwriting

# The forms that other programs read.
tool 1 check --format json --source "$wrong" -- "$run" "$wrong" reads_beyond_the_end
python3 - "$folder/out" "$line" <<'PYTHON' || fail "JSON: $(cat "$folder/out")"
import json, sys
finding, = json.load(open(sys.argv[1]))["findings"]
assert finding["tool"] == "memory" and finding["sides"][0]["line"] == int(sys.argv[2])
PYTHON
tool 1 check --format sarif --source "$wrong" -- "$run" "$wrong" reads_beyond_the_end no_barrier_before_overwriting
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
tool 1 check --format junit -- "$run" "$wrong" reads_beyond_the_end
python3 - "$folder/out" <<'PYTHON' || fail "JUnit: $(cat "$folder/out")"
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot().find("testsuite")
assert suite.get("failures") == suite.get("tests") == str(len(suite.findall("testcase/failure")))
assert suite.find("testcase").get("classname") == "memory"
PYTHON
tool 3 check --format junit -- "$run" "$here/right.cl" copies
has -F 'tests="1" failures="0"'

# Where the program has made memory, and released it. Without addr2line there are no lines.
tool 1 check -- "$memory"
has -F "[out-of-bounds]"
has -F "[use-after-release]"
at() {
	command -v addr2line >/dev/null && echo "check_memory.c:$(grep -n "/\* $1 \*/" "$here/check_memory.c" | cut -d: -f1)"
}
grep -qE "of a buffer of 4096 bytes, created .*$(at KEPT)\$" "$folder/out" || fail "no creator in: $(cat "$folder/out")"
grep -qE "of a buffer of 4096 bytes, created .*$(at GONE), released .*$(at RELEASED)" "$folder/out" ||
	fail "no release in: $(cat "$folder/out")"
tool 1 check --format json -- "$memory"
python3 - "$folder/out" <<'PYTHON' || fail "JSON: $(cat "$folder/out")"
import json, sys
findings = json.load(open(sys.argv[1]))["findings"]
places = {f["rule"]: f["memory"] for f in findings}
assert places["use-after-release"]["bytes"] == 4096
assert "released" not in places["out-of-bounds"] and places["out-of-bounds"]["created"]["module"]
PYTHON

# A program that is ended, as by a limit of time, leaves what was found; so does one that crashes.
"$zerocl" check -- sh -c "'$run' '$wrong' reads_beyond_the_end; touch '$folder/ran'; exec sleep 300" 2>"$folder/log" &
until [ -e "$folder/ran" ]; do sleep 0.1; done
kill -TERM $!
wait $!
[ $? = 1 ] || fail "a program that was ended: $(cat "$folder/log")"
said '^zerocl check: sh was ended by signal 15 '
said '^zerocl check: 1 found$'
tool 1 check -- sh -c "'$run' '$wrong' reads_beyond_the_end; kill -SEGV \$\$"
said '^zerocl check: sh was ended by signal 11 '
has -F "zerocl check: 1 found"

# Where nothing can be written, nothing runs.
tool 2 check --output "$folder/nowhere/report" -- touch "$folder/late"
said 'nowhere/report: No such file or directory$'
tool 2 check --output "$folder" -- touch "$folder/late"
said 'Is a directory$'
[ ! -e "$folder/late" ] || fail "the program has run"

# Wrong usage, and programs that end by themselves.
tool 2 check --tools racs -- true
tool 2 check --format xml -- true
tool 2 check
tool 127 check -- "$folder/nowhere"
tool 5 check -- sh -c 'exit 5'
tool 143 check -- sh -c 'kill $$'
tool 1 check --suppressions "$folder/nowhere" -- true
tool 1 check --format json --output /dev/full -- true
said '^zerocl check: the report could not be written whole$'

[ $failures = 0 ]

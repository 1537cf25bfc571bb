#!/bin/bash
# SPDX-License-Identifier: MIT
# ci_test.sh ZEROCL CHECK_RUN: docs/CI.md is YAML, and its commands that need no registry do what it says, on a
# project with a test that is right and one with a wrong kernel.
set -eu
zerocl=$1 run=$2
docs=$(cd "$(dirname "$0")/../../docs" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/kernels" "$folder/build" "$folder/bin"
echo 'kernel void copies(global int *a, global int *b, global int *c) { a[get_global_id(0)] = b[get_global_id(0)]; }' \
	>"$folder/kernels/right.cl"
echo 'kernel void beyond(global int *a, global int *b, global int *c) { a[get_global_id(0) + 4000] = b[0]; }' \
	>"$folder/kernels/wrong.cl"
ln -s "$zerocl" "$folder/bin/zerocl"
export PATH=$folder/bin:$PATH
# check_run ends with 3, which is right.
cat >"$folder/build/CTestTestfile.cmake" <<END
add_test(right sh -c "\"$run\" ../kernels/right.cl copies; test \$? = 3")
add_test(wrong sh -c "\"$run\" ../kernels/wrong.cl beyond; test \$? = 3")
END

python3 - "$docs/CI.md" >"$folder/commands" <<'PYTHON'
import re, sys
text = open(sys.argv[1]).read()
blocks = re.findall(r"```yaml\n(.*?)```", text, re.S)
assert len(blocks) == 2
try:
    import yaml
except ImportError: # the lines will do
    for block in blocks:
        print("\n".join(re.findall(r"- (?:run: )?(zerocl .*)", block)))
    sys.exit()
hub, lab = map(yaml.safe_load, blocks)
steps = hub["jobs"]["check"]["steps"] + [{"run": line} for line in lab["kernels"]["script"]]
assert lab["kernels"]["artifacts"]["reports"]["junit"] == "check.xml"
assert [s for s in steps if s.get("with", {}).get("sarif_file") == "check.sarif"]
for step in steps:
    if step.get("run", "").startswith("zerocl "):
        print(step["run"])
PYTHON
[ "$(wc -l <"$folder/commands")" = 4 ]
cd "$folder"
while read -r command; do
	status=0
	bash -c "$command" >log 2>&1 </dev/null || status=$?
	case $command in
	"zerocl run "*) want=0 ;;
	*) want=1 ;;
	esac
	[ $status = $want ] || {
		echo "FAILED: $command: $status: $(cat log)"
		exit 1
	}
done <commands
grep -q '"kernels/wrong.cl"' check.sarif
grep -q 'failures="1"' check.xml
# The summary of several processes.
zerocl check --source kernels/wrong.cl -- ctest --test-dir build 2>log >/dev/null || true
grep -q '^zerocl check: 1 found, in 2 processes$' log
grep -qE '^ +1 in check_run \(process [0-9]+\)$' log

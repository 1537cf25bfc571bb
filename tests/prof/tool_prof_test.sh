#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_prof_test.sh ZEROCL PROF_RUN: what `zerocl prof` counts and writes in its forms, that it is
# the same in every run and on every engine, and how it ends.
zerocl=$1 run=$2
here=$(cd "$(dirname "$0")" && pwd)
source=$here/profile.cl
. "$here/../tool/tool_case.sh"

kernels="strided gathers overlaps looks banks contends loops vectors"

# Ten runs, on each engine, with one host thread and two: the same file.
tool 3 prof --format json --source "$source" -- "$run" "$source" 2048 64 3 $kernels
cp "$folder/out" "$folder/first"
number=0
for engine in stencil threaded stencil,avx2 threaded,base stencil,base; do
	for threads in 1 2; do
		number=$((number + 1))
		export ZEROCL_VGPU_ENGINE=$engine ZEROCL_VGPU_THREADS=$threads
		tool 3 prof --format json --source "$source" -- "$run" "$source" 2048 64 3 $kernels
		cmp -s "$folder/out" "$folder/first" ||
			fail "engine $engine, $threads threads: $(diff "$folder/out" "$folder/first" | head)"
	done
done
unset ZEROCL_VGPU_ENGINE ZEROCL_VGPU_THREADS
[ $number = 10 ] || fail "$number runs"

# JSON: sums of instructions are those of kernels; shapes, model and lines are there.
python3 - "$folder/first" "$source" $kernels <<'PYTHON' || fail "JSON"
import json, sys
report = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read().split("\n")
kernels = {k["name"]: k for k in report["kernels"]}
assert set(kernels) == set(sys.argv[3:]), kernels.keys()
for kernel in kernels.values():
    for count, value in kernel["counts"].items():
        assert value == sum(i["counts"].get(count, 0) for i in kernel["instructions"]), count
    assert kernel["file"] == sys.argv[2] and kernel["simd"] == 16
    shape, = kernel["shapes"]
    assert (shape["launches"], shape["groups"], shape["threads"], shape["items"]) == (1, 32, 128, 2048)
    assert 0 < shape["occupancy"] <= 1 and 0 < kernel["registers"] <= 128
    assert kernel["model"]["bound"] in kernel["model"]["device_cycles"]
    for line in kernel["lines"]:
        assert text[line["line"] - 1] == line["text"]
strided = kernels["strided"]["counts"]
assert strided["bytes"] == 2 * 4 * 2048 and strided["messages"] >= 2 * 128
assert kernels["banks"]["counts"]["barriers"] == 128
assert kernels["banks"]["counts"]["local_bytes"] == 2 * 4 * 2048
assert kernels["contends"]["counts"]["atomics"] == 2048
assert sum(len(k["lines"]) > 0 for k in kernels.values()) >= 3
PYTHON

# Text names kernels, hot lines and messages.
tool 3 prof --source "$source" -- "$run" "$source" 2048 64 3 strided
has '^kernel strided on tgllp: SIMD16, [0-9]+ of 128 registers$'
has '^  bytes +16,384$'
has '^  1 launch of 32 groups, 4 threads each: 2,048 work-items$'
has '^    untyped surface read +128$'
has "^ +[0-9.]+%  $source:$(grep -n 'a\[GID\] = b\[GID \* n\]' "$source" | cut -d: -f1): a\\[GID\\]"
has '^  model: .* bound by '

# Callgrind's own reader takes the file, and annotates the source.
tool 3 prof --format callgrind --source "$source" -- "$run" "$source" 2048 64 3 strided vectors
if command -v callgrind_annotate >/dev/null; then
	callgrind_annotate --show=instructions,bytes --sort=instructions "$folder/out" "$source" >"$folder/annotated" ||
		fail "callgrind_annotate"
	grep -qE '^ *[0-9,]+ \([0-9.]+%\) +16,384 \([0-9.]+%\) .*:strided' "$folder/annotated" ||
		fail "strided in: $(cat "$folder/annotated")"
	grep -qE '[0-9,]+ \(.*16,384 .*a\[GID\] = b\[GID \* n\];' "$folder/annotated" ||
		fail "the line in: $(cat "$folder/annotated")"
else
	echo "skipped: no callgrind_annotate (Debian: apt install valgrind): the file is not read"
fi

# The timeline has the launch.
tool 3 prof --format chrome -- "$run" "$source" 2048 64 3 strided
has '"name": ?"strided"'

# Folded stacks: frames without separators in them, and a number.
tool 3 prof --format folded -- "$run" "$source" 2048 64 3 strided
grep -vqE '^strided;([0-9]+: [^;]+;)?0x[0-9a-f]+ [^;]+ [0-9]+$' "$folder/out" && fail "folded: $(head -n 3 "$folder/out")"
[ "$(awk '{ sum += $NF } END { print sum }' "$folder/out")" = \
	"$(python3 -c 'import json, sys; print([k for k in json.load(open(sys.argv[1]))["kernels"] if k["name"] == "strided"][0]["counts"]["instructions"])' "$folder/first")" ] ||
	fail "folded stacks have another sum"

# A performance test: the same is no growth; twice the work is; a threshold lets it pass.
tool 3 prof --format json --baseline "$folder/first" -- "$run" "$source" 2048 64 3 $kernels
[ -s "$folder/log" ] && fail "it has grown: $(cat "$folder/log")"
tool 3 prof --baseline "$folder/first" -- "$run" "$source" 1024 64 3 strided
tool 1 prof --baseline "$folder/first" -- sh -c "'$run' '$source' 2048 64 7 strided; exit 0"
said '^zerocl prof: strided: lines grew from [0-9,]+ to [0-9,]+ \(\+[0-9.]+%\)$'
tool 0 prof --baseline "$folder/first" --threshold 300 -- sh -c "'$run' '$source' 2048 64 7 strided; exit 0"
tool 2 prof --baseline "$folder/nowhere" -- true
echo '{}' >"$folder/other"
tool 1 prof --baseline "$folder/other" -- true

# Several processes are one report, also those that end without a farewell.
tool 9 prof --format json -- sh -c "'$run' '$source' 1024 64 3 strided; '$run' '$source' 1024 64 3 strided; exit 9"
python3 - "$folder/out" <<'PYTHON' || fail "two processes: $(head -c 600 "$folder/out")"
import json, sys
kernel, = json.load(open(sys.argv[1]))["kernels"]
assert kernel["shapes"][0]["launches"] == 2 and kernel["counts"]["bytes"] == 2 * 2 * 4 * 1024
PYTHON

# Other drivers on the device: the code has no names, but the same counts.
library=$(dirname "$zerocl")/libzerocl-vgpu.so.1
if [ -e /etc/OpenCL/vendors/intel.icd ] && [ -e "$library" ]; then
	OCL_ICD_VENDORS=/etc/OpenCL/vendors/intel.icd tool 3 prof --format json -- \
		env LD_PRELOAD="$library" "$run" "$source" 2048 64 3 strided
	python3 - "$folder/out" <<'PYTHON' || fail "Intel's driver: $(head -c 600 "$folder/out")"
import json, sys
kernels = json.load(open(sys.argv[1]))["kernels"]
assert any(k["name"].startswith("kernel@") and k["counts"]["bytes"] == 2 * 4 * 2048 for k in kernels)
PYTHON
else
	echo "skipped: no OpenCL driver of Intel's (Debian: apt install intel-opencl-icd)"
fi

# Nothing executed; wrong usage; programs that end by themselves.
tool 0 prof -- true
has 'no kernel was executed'
tool 2 prof --format xml -- true
tool 2 prof --threshold x -- true
tool 2 prof
tool 127 prof -- "$folder/nowhere"
tool 143 prof -- sh -c 'kill $$'
tool 1 prof --format json --output /dev/full -- true
said '^zerocl prof: the report could not be written whole$'

[ $failures = 0 ]

#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_isa_test.sh ZEROCL: what `zerocl isa` prints of three kernels, and what it refuses.
set -u
zerocl=$1
kernels=$(dirname "$0")/isa_kernels.cl
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
	echo "$*"
	failures=$((failures + 1))
}

# status EXPECTED COMMAND…: runs it; its output is left in $output.
status() {
	local expected=$1 got
	shift
	output=$("$@" 2>&1)
	got=$?
	[ "$got" = "$expected" ] || fail "status $got, not $expected: $*"
}

# says PATTERN: a line of the last output matches the whole of an extended expression.
says() {
	grep -qxE -- "$1" <<<"$output" || fail "no line \"$1\" in: $output"
}

# lacks PATTERN: no line does.
lacks() {
	grep -qxE -- "$1" <<<"$output" && fail "a line \"$1\" in: $output"
}

line() {
	grep -n -- "$1" "$kernels" | head -n 1 | cut -d: -f1
}

status 0 "$zerocl" isa "$kernels"
says "kernel exchange on tgllp: SIMD16, [0-9]+ instructions, 128 registers, 0 bytes spilled.*"
says "kernel block on tgllp: SIMD8, .*"
says "  line $(line '	barrier('): barrier: .*SLM fence.*signal barrier, sync.bar.*"
says "  line $(line block_read8): intel_sub_group_block_read8: .*2 .*block read x8.*"
says "  line $(line '	sub_group_b'): sub_group_barrier: no instruction"
says "  line $(line block_write2): intel_sub_group_block_write2: .*block write x4.*"
says "  line $(line sub_group_shuffle): intel_sub_group_shuffle: .*mov r\[a0\].*"
says " +$(line '	barrier(') \| 0x[0-9a-f]{4}  .*sync\.bar.*"
says " +$(line block_write2) \|.*send.*block write.*"
lacks "  line $(line 'not a barrier'): .*"
lacks "  warning: .*"

# Several devices, one after the other.
status 0 "$zerocl" isa --device adls,tgllp,dg2 "$kernels"
for device in adls tgllp dg2; do
	says "kernel exchange on $device: SIMD16, .*"
done
status 1 "$zerocl" isa --device tgllp,nonsense "$kernels"

# What the compiler says has the name of the file.
echo "kernel void one(global int *a) { a[0] = x; }" >"$folder/bad.cl"
status 1 "$zerocl" isa "$folder/bad.cl"
says "isa: $folder/bad.cl:1:41: error: .*"

# A width that is chosen holds for what requires none. Where it is 32, the compiler refuses blocks.
echo "kernel void one(global int *a) { a[get_global_id(0)] += 1; }" >"$folder/one.cl"
for width in 8 16 32; do
	status 0 "$zerocl" isa --width $width "$folder/one.cl"
	says "kernel one on tgllp: SIMD$width, .*"
done
says "  warning: SIMD32: .*"
# The cache knows it: nothing is built again.
status 0 env ZEROCL_LOG=debug "$zerocl" isa --width 16 "$folder/one.cl"
says "kernel one on tgllp: SIMD16, .*"
lacks "zerocl compile: .* as process [0-9]+: ready"
status 1 "$zerocl" isa --width 32 "$kernels"
[[ "$output" == *"not supported in SIMD32"* ]] || fail "no refusal: $output"
status 0 "$zerocl" isa --width 8 "$kernels"
says "kernel shuffle on tgllp: SIMD8, .*"
says "kernel exchange on tgllp: SIMD16, .*"
if ocloc ids icllp >/dev/null 2>&1; then
	status 0 "$zerocl" isa --device icllp "$kernels"
	says "kernel exchange on icllp: SIMD16, .*"
	says " +[0-9]+ \|.*wait.*"
else
	echo "skipped: the compiler does not know icllp"
fi
status 0 "$zerocl" isa --device dg2 "$kernels"
says "kernel exchange on dg2: SIMD16, .*"
says " +[0-9]+ \|.*send.gtwy.*"

# Options, headers beside the file, spills, and a block that must be scattered.
echo "#define SIZE 512" >"$folder/size.h"
cat >"$folder/spill.cl" <<'END'
#include "size.h"
#ifndef OTHER
#error the option is not there
#endif
__attribute__((intel_reqd_sub_group_size(16))) kernel void spill(global float *a)
{
	float x[SIZE];
	for (int i = 0; i < SIZE; i++)
		x[i] = a[get_global_id(0) * SIZE + i];
	for (int k = 0; k < SIZE; k++)
		for (int i = 0; i < SIZE; i++)
			a[k + i] += x[(k * i + get_local_id(0)) % SIZE];
}
END
status 0 "$zerocl" isa --output "$folder/out" "$folder/spill.cl" -- -DOTHER=1 -cl-std=CL3.0
[ -z "$output" ] || fail "output: $output"
output=$(cat "$folder/out")
says "kernel spill on tgllp: SIMD[0-9]+, .*"
says ".*[0-9]+ (bytes spilled|private bytes per work-item).*"
status 1 "$zerocl" isa "$folder/spill.cl"
[[ "$output" == *"the option is not there"* ]] || fail "no message: $output"

status 0 "$zerocl" isa --help
status 2 "$zerocl" isa
status 2 "$zerocl" isa --width 4 "$kernels"
status 2 "$zerocl" isa --nonsense "$kernels"
status 2 "$zerocl" isa "$kernels" "$kernels"
status 1 "$zerocl" isa "$folder/nobody.cl"
[[ "$output" == *"nobody.cl cannot be read"* ]] || fail "no reason: $output"
status 2 "$zerocl" isa --output "$folder/no/where" "$kernels"
status 1 "$zerocl" isa --device nonsense "$kernels"
[ $failures = 0 ]

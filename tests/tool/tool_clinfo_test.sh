#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_clinfo_test.sh ICD: clinfo, told of our ICD file only, lists platform and device without an
# error; the device is a CPU when it was fallen back to, and a GPU when it was asked for.
set -u
icd=$1
failures=0

fail() {
	echo "$*"
	failures=$((failures + 1))
}

# run TYPE [VARIABLE=VALUE]: clinfo with nothing else in the environment.
run() {
	local type=$1 output errors
	shift
	errors=$(mktemp)
	output=$(env -i PATH="$PATH" OCL_ICD_VENDORS="$icd" "$@" clinfo 2>"$errors") ||
		fail "clinfo failed"
	[ -s "$errors" ] && fail "stderr: $(cat "$errors")"
	rm -f "$errors"
	grep -qE '^Number of platforms +1$' <<<"$output" || fail "not one platform: $output"
	grep -qE '^ +Platform Name +ZeroCL for Intel\(R\) GPUs$' <<<"$output" || fail "no platform ZeroCL"
	grep -qE '^ +Device Name +.*Intel.* \(virtual\)$' <<<"$output" || fail "no virtual device"
	grep -qE "^ +Device Type +$type(,|\$)" <<<"$output" || fail "the device is no $type"
	grep -nE 'error|failed|-[0-9]+>' <<<"$output" && fail "clinfo shows errors"
}

run GPU ZEROCL_DEVICE=vgpu

# A program that wants another name of the platform sees that one, and still who it is.
output=$(env -i PATH="$PATH" OCL_ICD_VENDORS="$icd" ZEROCL_DEVICE=vgpu \
	bash -c 'exec -a darktable-cli clinfo')
grep -qE '^ +Platform Name +Intel\(R\) OpenCL Graphics$' <<<"$output" || fail "no name for darktable"
grep -qE '^ +Platform Vendor +ZeroCL for Intel\(R\) GPUs$' <<<"$output" || fail "no vendor"
output=$(env -i PATH="$PATH" OCL_ICD_VENDORS="$icd" ZEROCL_DEVICE=vgpu ZEROCL_PLATFORM_NAME="a name" \
	ZEROCL_PLATFORM_VENDOR="a vendor" clinfo)
grep -qE '^ +Platform Name +a name$' <<<"$output" || fail "no name from the environment"
grep -qE '^ +Platform Vendor +a vendor$' <<<"$output" || fail "no vendor from the environment"

if compgen -G '/dev/dri/renderD*' >/dev/null; then
	echo "there may be a GPU: the fall-back is not checked"
else
	run CPU
fi
[ $failures = 0 ]

#!/bin/bash
# SPDX-License-Identifier: MIT
# mesa_programs_test.sh ZEROCL FOLDER: programs that look for GPUs, under `zerocl run`. None crashes
# or hangs, those for Vulkan and OpenCL find the virtual device, and no fault is reported.
set -u
zerocl=$1
export XDG_RUNTIME_DIR=$2 ZEROCL_LOG=error
failures=0

fail() {
	echo "$*"
	failures=$((failures + 1))
}

# run MOST PATTERN COMMAND …: ends by itself with a status of MOST at most, and prints the pattern.
run() {
	local most=$1 pattern=$2 output status
	shift 2
	if ! command -v "$1" >/dev/null; then
		echo "skipped: $1 is not installed"
		return
	fi
	output=$(timeout 100 "$zerocl" run "$@" 2>&1)
	status=$?
	[ $status -le "$most" ] || fail "$*: status $status: $output"
	grep -q "$pattern" <<<"$output" || fail "$*: no $pattern: $output"
	grep 'the device stopped' <<<"$output" && fail "$*: a fault"
}

run 0 'deviceName *= Intel.*TGL' vulkaninfo
run 0 '^card0 .*Tigerlake' lsgpu
run 0 '^card0 .*Tigerlake' intel_gpu_top -L
# No driver for video knows the device: it says so.
run 3 'VA-API version' vainfo --display drm
run 0 'Device Name.*TGL' env RUSTICL_ENABLE=iris OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd clinfo
run 0 'Device Name.*virtual' clinfo
[ $failures = 0 ]

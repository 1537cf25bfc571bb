#!/bin/bash
# SPDX-License-Identifier: MIT
# mesa_programs_test.sh ZEROCL FOLDER PROGRAM: programs that look for GPUs, under `zerocl run`, on
# each family. None crashes or hangs, those for Vulkan and OpenCL find the virtual device, and no
# fault is reported. PROGRAM, which computes by Vulkan, is counted and checked.
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

# Without the list of displays, of which the device has none.
# family NAME SHORT: NAME as Mesa has it for the family, SHORT as Linux has it.
family() {
	run 0 "deviceName *= Intel.*$1" vulkaninfo --summary
	run 0 "^card0 .*$2" lsgpu
	run 0 "^card0 .*$2" intel_gpu_top -L
	# Drivers for video list what the hardware would do, or say that they do not know it.
	run 3 'VA-API version' vainfo --display drm
	run 0 "Device Name.*$1" env RUSTICL_ENABLE=iris \
		OCL_ICD_VENDORS=/etc/OpenCL/vendors/rusticl.icd clinfo
}

run 0 'Device Name.*virtual' clinfo
family TGL Tigerlake
ZEROCL_VGPU=skl family SKL Skylake
ZEROCL_VGPU=icl family ICL Icelake
ZEROCL_VGPU=dg2 family DG2 Dg2
export VK_ICD_FILENAMES=/usr/share/vulkan/icd.d/intel_icd.x86_64.json:/usr/share/vulkan/icd.d/intel_icd.json
export ZEROCL_VGPU_HANG_MS=2000
output=$("$zerocl" prof "$3" 2>&1)
grep -q 'messages  *[1-9]' <<<"$output" || fail "prof: $output"
output=$("$zerocl" check "$3" 2>&1)
grep -q 'PASSED.* 5 test' <<<"$output" && grep -q 'check: 0 found' <<<"$output" || fail "check: $output"
[ $failures = 0 ]

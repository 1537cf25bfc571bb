#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_doctor_test.sh ZEROCL: `zerocl doctor` on this machine, and on one whose GPU the driver does not
# know, where the virtual device takes over and says why. Skipped (77) where nothing may be mounted.
set -u
zerocl=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# says TEXT: the output contains it.
says() {
	[[ "$output" == *"$1"* ]] && return
	printf 'no "%s" in: %s\n' "$1" "$output"
	failures=$((failures + 1))
}

# status EXPECTED: of the last command.
status() {
	[ "$got" = "$1" ] && return
	printf 'status %s, not %s: %s\n' "$got" "$1" "$output"
	failures=$((failures + 1))
}

export ZEROCL_CACHE_DIR=$folder/cache
unset LD_PRELOAD ZEROCL_DEVICE XDG_RUNTIME_DIR
output=$(ZEROCL_DEVICE=vgpu "$zerocl" doctor 2>&1) && got=0 || got=$?
status 0
says "(virtual): a kernel ran, 1000 of 1000 results are right"
says "ZeroCL works"
output=$(ZEROCL_DEVICE=none "$zerocl" doctor 2>&1) && got=0 || got=$?
status 1
says "1 of these must be mended"

unshare --mount true 2>/dev/null || {
	[ $failures = 0 ] || exit 1
	echo "skipped: nothing may be mounted here"
	exit 77
}

# A node of an Intel GPU that does not exist, in front of /dev/dri and /sys/class/drm.
cat >"$folder/inside" <<'INSIDE'
set -eu
mkdir -p dev/dri dev/shm drm/renderD128/device
for name in null zero urandom random; do cp -a "/dev/$name" dev/; done
ln -s /proc/self/fd dev/fd
: >dev/dri/renderD128
echo 0x8086 >drm/renderD128/device/vendor
echo 0x64a0 >drm/renderD128/device/device
ln -s ../drivers/xe drm/renderD128/device/driver
mount --bind dev /dev
mount -t tmpfs none /sys/class
mkdir /sys/class/drm
cp -a drm/. /sys/class/drm
exec "$@"
INSIDE

# inside COMMAND …: with that node.
inside() {
	output=$(cd "$folder" && rm -rf dev drm && unshare --mount bash "$folder/inside" "$@" 2>&1) &&
		got=0 || got=$?
}

reason="renderD128 is an Intel GPU (8086:64a0, kernel driver xe), which the driver does not use"
inside "$zerocl" info
status 0
says "a GPU is left out: /dev/dri/$reason"
says "OpenCL 3.1 ZeroCL"
says "(/dev/dri/$reason"
inside "$zerocl" doctor
status 0
says "8086:64a0, Intel's, kernel driver xe, can be opened"
says "(virtual): a kernel ran"
inside env ZEROCL_DEVICE=gpu "$zerocl" doctor
status 1
[ $failures = 0 ]

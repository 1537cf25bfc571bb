#!/bin/bash
# SPDX-License-Identifier: MIT
# door_programs_test.sh DEVICE: ordinary programs with the device preloaded find its files, and say
# about everything else what they say without it.
set -u
device=$1
here=$(cd "$(dirname "$0")" && pwd)
failures=0

# same COMMAND…: the output and status must not change.
same() {
	local plain loaded
	plain=$("$@" 2>&1; echo "status $?")
	loaded=$(LD_PRELOAD=$device "$@" 2>&1; echo "status $?")
	if [ "$plain" != "$loaded" ]; then
		echo "differs under LD_PRELOAD: $*"
		diff <(echo "$plain") <(echo "$loaded") | head -n 10
		failures=$((failures + 1))
	fi
}

# says EXPECTED COMMAND…
says() {
	local expected=$1 got
	shift
	got=$(LD_PRELOAD=$device "$@" 2>&1)
	if [ "$got" != "$expected" ]; then
		printf '%s\n  said     %s\n  instead of %s\n' "$*" "$got" "$expected"
		failures=$((failures + 1))
	fi
}

same ls -la "$here"
same ls -l /proc/self/cwd/
same cat "$0"
same cat "$here" "$here/nothing"
same find "$here" -newer "$0" -type f
same bash -c 'echo hi > /dev/null && test -c /dev/null && wc -c < /proc/self/exe'
same bash -c 'ls /usr/lib | sort | md5sum; cd /sys && ls -d class'
same bash -c "tar -C '$here' -cf - --sort=name --mtime=@0 . | md5sum"
same cp --version
same ls /
same ls /sys/bus /sys/devices
same find /dev -maxdepth 1 -name 'n*'

says "$(printf 'by-path\ncard0\nrenderD128')" ls /dev/dri
says 1300 cat /sys/class/drm/card0/gt_max_freq_mhz
says 226:128 cat /sys/class/drm/renderD128/dev
says "$(printf '/dev/dri\n/dev/dri/by-path')" find /dev/dri -type d
says "character special file" stat -c %F /dev/dri/renderD128
says /sys/devices/pci0000:00/0000:00:02.0 readlink -f /sys/class/drm/card0/device
says "cat: /dev/dri/nothing: No such file or directory" cat /dev/dri/nothing
if command -v git >/dev/null && git -C "$here" rev-parse 2>/dev/null; then
	same git -C "$here" log -n 5 --stat
	same git -C "$here" ls-files
fi
if command -v python3 >/dev/null; then
	same python3 -c 'import os, json, subprocess; print(os.listdir("/etc")); subprocess.run(["true"])'
	says "[1, 2] 0" python3 -c 'import os, subprocess
fd = os.open("/dev/dri/renderD128", os.O_RDWR)
r = subprocess.run(["true"], close_fds=True).returncode
print([len(os.listdir("/dev/dri/by-path")) // 2, os.stat(fd).st_mode >> 12], r)'
fi
[ "$failures" = 0 ] && echo "ordinary programs: nothing differs"
exit "$((failures > 0))"

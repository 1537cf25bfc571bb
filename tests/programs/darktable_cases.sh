#!/bin/bash
# SPDX-License-Identifier: MIT
# darktable develops a picture on the device and on the processor.
. "$(dirname "$0")/cases.sh"
command -v darktable-cli >/dev/null || missing "darktable is not installed"
echo "version $(darktable-cli --version | sed -n 's/.* \([0-9][0-9.]*\).*/\1/p;q')"
export HOME=$work XDG_RUNTIME_DIR=$work
ffmpeg -nostdin -y -loglevel error -f lavfi -i testsrc2=size=400x300 -frames:v 1 picture.png

# export_with SWITCH …
export_with() {
	local name=$1
	shift
	rm -f "$name.png"
	darktable-cli picture.png "$name.png" --width 300 --core "$@" --configdir "$work/$name" \
		--library :memory: -d opencl >"$name.log" 2>&1
	[ -s "$name.png" ] || { tail -n 1 "$name.log"; false; }
}

develops() {
	export_with device --conf opencl=true --conf opencl_device_priority='*/!0,*/*/*/!0,*' || return 1
	grep -q 'OpenCL successfully initialized' device.log ||
		{ grep -i opencl device.log | tail -n 1; return 1; }
	export_with processor --disable-opencl && like_pixels device.png processor.png 40
}

check "a device" sh -c 'darktable-cltest 2>&1 | grep -q "OpenCL successfully initialized"'
check "a picture" develops

#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_install_test.sh CMAKE BUILD: installs a build into a folder and for a system, and runs what was
# installed in the folder.
set -u
cmake=$1 build=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
	echo "$*"
	failures=$((failures + 1))
}

# wants ROOT PREFIX ICD LIBRARY: all files are there, and the ICD file names the library.
wants() {
	local file
	for file in "$2"/bin/zerocl "$2"/lib/libzerocl.so.1 "$2"/lib/libzerocl-vgpu.so.1 \
		"$2"/libexec/zerocl/zerocl-cc "$2"/include/zerocl_vgpu.h "$2"/lib/pkgconfig/zerocl.pc \
		"$2"/share/man/man1/zerocl.1.gz "$2"/share/bash-completion/completions/zerocl \
		"$2"/share/zsh/vendor-completions/_zerocl "$2"/share/fish/vendor_completions.d/zerocl.fish \
		"$2"/share/doc/zerocl/README.md "$2"/share/doc/zerocl/ARCHITECTURE.md "$3"; do
		[ -s "$1$file" ] || fail "$1$file is not there"
	done
	[ "$(cat "$1$3")" = "$4" ] || fail "$1$3 names $(cat "$1$3"), not $4"
}

"$cmake" --install "$build" --prefix "$folder/own" >/dev/null || fail "cmake --install"
wants "" "$folder/own" "$folder/own/etc/OpenCL/vendors/zerocl.icd" "$folder/own/lib/libzerocl.so.1"
DESTDIR="$folder/system" "$cmake" --install "$build" --prefix /usr >/dev/null || fail DESTDIR
wants "$folder/system" /usr /etc/OpenCL/vendors/zerocl.icd /usr/lib/libzerocl.so.1

# What was installed works where it is, with nothing of the build tree.
unset ZEROCL_DEVICE OCL_ICD_FILENAMES
listed=$("$folder/own/bin/zerocl" run -- clinfo -l)
[[ "$listed" == *"Platform #0: ZeroCL"*"Device #0:"*"(virtual)"* ]] || fail "clinfo -l: $listed"
listed=$(OCL_ICD_VENDORS=$folder/own/etc/OpenCL/vendors clinfo -l)
[[ "$listed" == *"Platform #0: ZeroCL"*"Device #0:"*"(virtual)"* ]] || fail "by folder: $listed"
"$folder/own/bin/zerocl" info >"$folder/info" || fail "zerocl info: $(cat "$folder/info")"
grep -q "$folder/own/libexec/zerocl/zerocl-cc$" "$folder/info" || fail "info: $(cat "$folder/info")"
grep -q "recording layer .*/libzerocl-layer.so$" "$folder/info" || fail "info: $(cat "$folder/info")"
"$folder/own/bin/zerocl" demo --size 8 | grep -q "^demo: .* checks passed$" || fail "zerocl demo"

# zerocl.pc leads a compiler to the header and the library.
cat >"$folder/pc.c" <<'END'
#include <zerocl_vgpu.h>
int main(void) { return zerocl_vgpu_wants_names(); }
END
flags=$(PKG_CONFIG_PATH=$folder/own/lib/pkgconfig pkg-config --cflags --libs zerocl)
# shellcheck disable=SC2086
cc "$folder/pc.c" -o "$folder/pc" $flags || fail "cc $flags"
LD_LIBRARY_PATH=$folder/own/lib "$folder/pc" || fail "a program of zerocl.pc"
[ $failures = 0 ]

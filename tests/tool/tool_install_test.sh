#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_install_test.sh CMAKE BUILD: installs a build into a folder and for a system, packs it, and
# runs what was installed in the folder.
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
		"$2"/libexec/zerocl/zerocl-cc "$2"/include/zerocl_vgpu.h \
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
"$folder/own/bin/zerocl" demo --size 8 | grep -q "^demo: .* checks passed$" || fail "zerocl demo"

cd "$folder" || exit 1
"$(dirname "$cmake")/cpack" -G DEB --config "$build/CPackConfig.cmake" \
	-B "$folder/package" >/dev/null || fail "cpack"
dpkg-deb -x "$folder"/package/*.deb "$folder/unpacked" || fail "dpkg-deb -x"
wants "$folder/unpacked" /usr /etc/OpenCL/vendors/zerocl.icd /usr/lib/libzerocl.so.1
depends=$(dpkg-deb -f "$folder"/package/*.deb Depends)
for package in libc6 libelf1 libigc1 libigdfcl1 libyaml-0-2 libze1 intel-opencl-icd; do
	[[ ", $depends," =~ [\ ,]${package}[\ ,] ]] || fail "the package does not depend on $package"
done
dpkg --dry-run --force-not-root -i "$folder"/package/*.deb >/dev/null || fail "dpkg --dry-run -i"
[ $failures = 0 ]

#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_cli_test.sh ZEROCL: usage, exit status, and the environment that `zerocl run` makes.
set -u
zerocl=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# status EXPECTED COMMAND…: runs it; its output is left in $output.
status() {
	local expected=$1 got
	shift
	output=$("$@" 2>&1)
	got=$?
	[ "$got" = "$expected" ] && return
	echo "status $got, not $expected: $*"
	failures=$((failures + 1))
}

# says TEXT: the last output contains it.
says() {
	[[ "$output" == *"$1"* ]] && return
	printf 'no "%s" in: %s\n' "$1" "$output"
	failures=$((failures + 1))
}

status 2 "$zerocl"
says "usage: zerocl COMMAND"
status 0 "$zerocl" --help
status 0 "$zerocl" --version
says "zerocl "
status 2 "$zerocl" nonsense
says 'no command "nonsense"'
for command in info doctor demo run prof isa cache; do
	status 0 "$zerocl" $command --help
	says "usage: zerocl $command"
done
status 2 "$zerocl" info more
status 2 "$zerocl" cache nonsense
export ZEROCL_CACHE_DIR=$folder/cache
status 0 "$zerocl" cache
says "nothing was kept yet"
mkdir -p "$folder/cache/v1"
echo garbage >"$folder/cache/v1/$(printf '%064d' 1)"
status 0 "$zerocl" cache list
says "damaged"
status 1 "$zerocl" cache verify
says "is damaged: removed"
status 0 "$zerocl" cache verify
says "0 entries checked"
status 0 "$zerocl" cache clear
ZEROCL_CACHE=0 status 0 "$zerocl" cache
says "ZEROCL_CACHE=0"
status 2 "$zerocl" demo --sizes 3
status 2 "$zerocl" demo more
status 2 "$zerocl" run
status 2 "$zerocl" run --
status 1 "$zerocl" demo --platform "no such platform"
says 'no platform is called "no such platform"'

# A copy beside an ICD file of its own stands for a build tree.
cp "$zerocl" "$folder/zerocl"
status 1 "$folder/zerocl" run -- true
says "zerocl.icd is not there"
echo "$folder/libzerocl.so.1" >"$folder/zerocl.icd"
touch "$folder/libzerocl.so.1"
unset ZEROCL_DEVICE
export OCL_ICD_VENDORS=/nowhere
status 0 "$folder/zerocl" run -- printenv OCL_ICD_VENDORS OCL_ICD_FILENAMES ZEROCL_DEVICE
[ "$output" = "$folder/zerocl.icd
$folder/libzerocl.so.1
vgpu" ] || { echo "environment: $output"; failures=$((failures + 1)); }
ZEROCL_DEVICE=auto status 0 "$folder/zerocl" run printenv ZEROCL_DEVICE
says auto
status 3 "$folder/zerocl" run -- bash -c 'exit 3'
status 127 "$folder/zerocl" run -- "$folder/nobody"
status 126 "$folder/zerocl" run -- "$folder/libzerocl.so.1"

# With a library that is none, info says what it sees and fails.
status 1 "$folder/zerocl" info
says "OpenCL loader"
says "no platform is called ZeroCL"
[ $failures = 0 ]

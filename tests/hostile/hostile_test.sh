#!/bin/bash
# SPDX-License-Identifier: MIT
# hostile_test.sh BUILD SECONDS: for so long, runs the cases of the program hostile, each in a
# process; builds that are killed; and entries of the cache that are damaged.
set -eu
build=$1
end=$((SECONDS + $2))
hostile=$build/tests/hostile/hostile
folder=$(mktemp -d)
trap 'chmod -R u+rwx "$folder"; rm -r "$folder"' EXIT
export ZEROCL_DEVICE=vgpu OCL_ICD_VENDORS="$build/zerocl.icd" ZEROCL_CACHE_DIR="$folder/cache"
failures=0
runs=0

# run CASE: runs a case and reports it if it fails.
run() {
	runs=$((runs + 1))
	"$hostile" "$1" >"$folder/log" 2>&1 && return
	echo "hostile: $1 ended with $?: $(tail -n 1 "$folder/log")"
	failures=$((failures + 1))
}

# entries: the files of the cache.
entries() {
	find "$ZEROCL_CACHE_DIR" -type f
}

# damage FILE: changes a byte, cuts, empties, hides or removes the file.
damage() {
	local size
	size=$(stat -c %s "$1")
	case $((RANDOM % 5)) in
	0) printf '\x5a' | dd of="$1" bs=1 seek=$((RANDOM * 32768 + RANDOM)) conv=notrunc status=none ;;
	1) truncate -s $((size / 2)) "$1" ;;
	2) : >"$1" ;;
	3) chmod 0 "$1" ;;
	4) rm "$1" ;;
	esac
}

# killed: a process that builds ends anywhere; the next finds a cache that is right.
killed() {
	"$hostile" build >/dev/null 2>&1 &
	sleep "0.$((RANDOM % 400 + 100))"
	kill -9 $! 2>/dev/null || true
	wait $! 2>/dev/null || true
	run cached
}

# damaged: entries that are not what was stored.
damaged() {
	run cached
	while read -r file; do
		[ $((RANDOM % 2)) = 0 ] || damage "$file"
	done < <(entries)
	run cached
	run build
}

while [ $SECONDS -lt $end ]; do
	for case in $("$hostile"); do
		[ $SECONDS -lt $end ] || break
		run "$case"
	done
	killed
	damaged
done
echo "hostile: $runs runs, $failures failed"
[ $failures = 0 ]

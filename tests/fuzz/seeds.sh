#!/bin/bash
# SPDX-License-Identifier: MIT
# seeds.sh DEVICE FOLDER: machine code of kernels by Intel's offline compiler for one of the devices
# tgllp, skl, icl, dg2. FOLDER gets a file for each kernel, named after the source and the kernel.
set -eu
device=${1/%icl/icllp} folder=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for path in tests/eu/corpus/{integers,floats,flow,atomics}.cl \
	kernels/bench/{vector_add,saxpy,jacobi,blur,transpose,crc}.cl; do
	source=$(basename "$path" .cl)
	ocloc compile -q -device "$device" --format zebin -options "-cl-std=CL3.0 -DC11 -DSIMD=16" \
		-file "$root/$path" -output "$source" -out_dir "$work" >"$work/log" ||
		{ cat "$work/log"; exit 1; }
	file=$(ls "$work/$source"_*.bin)
	readelf -SW "$file" 2>/dev/null | sed 's/\[ /[/' |
		awk '$2 ~ /^\.text\.[a-z]/ { print $2, $5, $6 }' |
		while read -r name offset size; do
			[ $((0x$size)) -lt 12000 ] || continue
			tail -c +$((0x$offset + 1)) "$file" | head -c $((0x$size)) >"$folder/$source${name#.text}"
		done
done

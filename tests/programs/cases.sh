# SPDX-License-Identifier: MIT
# What each *_cases.sh needs; ci/programs reads what they print, as of cases.py. $platform is zerocl,
# intel or pocl; $work an empty folder, in which they run.

# check NAME COMMAND …: right if the command succeeds, else wrong with its last line.
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then
		echo "right $name"
	else
		echo "wrong $name: $(sed 's/\x1b\[[0-9;]*m//g' <<<"$output" | grep -v '^ *$' | tail -n 1 | cut -c 1-160)"
	fi
}

missing() {
	echo "missing $*"
	exit 77
}

echo "cases $(grep -c '^check ' "$0")" # more may be added

# like_pixels FILE FILE LEAST: whether two pictures have LEAST decibels between them, or are equal.
like_pixels() {
	local found
	found=$(ffmpeg -nostdin -i "$1" -i "$2" -lavfi psnr -f null - 2>&1 | sed -n 's/.*average:\([^ ]*\).*/\1/p')
	[ "$found" = inf ] || awk -v a="$found" -v b="$3" 'BEGIN { if (a + 0 < b) { print a " dB"; exit 1 } }'
}

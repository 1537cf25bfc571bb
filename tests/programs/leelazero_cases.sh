#!/bin/bash
# SPDX-License-Identifier: MIT
# Leela Zero looks at positions with a small network of random weights, on the device and on the processor.
. "$(dirname "$0")/cases.sh"
leelaz=/usr/games/leelaz
[ -x $leelaz ] || missing "leela-zero is not installed"
[ "$platform" != pocl ] || missing "Leela Zero takes GPUs alone"
echo "version $(dpkg-query -W -f '${Version}' leela-zero | cut -d - -f 1)"
export HOME=$work

# Eight filters, two residual blocks, the heads of the first version of the format: a line for each
# layer's weights, biases, means and variances.
awk 'function row(n, s,  i) { for (i = 0; i < n; i++) printf "%.4f ", s * (2 * rand() - 1); print "" }
function layer(in_, out, k) { row(in_ * out * k, 2 / sqrt(in_ * k)); row(out, .1); row(out, .1)
	for (i = 0; i < out; i++) printf "%.4f ", .5 + rand(); print "" }
BEGIN { srand(3); print 1; layer(18, 8, 9); for (b = 0; b < 4; b++) layer(8, 8, 9)
	layer(8, 2, 1); row(722 * 362, .08); row(362, .2)
	layer(8, 1, 1); row(361 * 256, .1); row(256, .2); row(256, .1); row(1, .1) }' >network

# look NAME SWITCH …: what the network thinks of two positions, as numbers.
look() {
	printf '%s\n' 'play b q16' heatmap 'play w d4' 'play b c3' heatmap quit |
		$leelaz --weights network --gtp --noponder --threads 1 --seed 1 "${@:2}" >"$1.log" 2>&1 || {
		tail -n 1 "$1.log"
		return 1
	}
	sed -nE 's/^(pass|winrate): ([0-9.]+)/\2/p;/^( +[0-9]+){19} *$/p' "$1.log" >"$1"
	[ "$(wc -l <"$1")" = 42 ] || { echo "no answer: $(tail -n 1 "$1.log")"; return 1; }
}

# as_processor PRECISION LEAST: both looks, which differ by at most so many thousandths.
as_processor() {
	look "$1" --precision "$1" && look processor --cpu-only &&
		paste -d ' ' "$1" processor | awk -v most="$2" '{ for (i = 1; i <= NF / 2; i++) {
			d = $i - $(i + NF / 2); d = d < 0 ? -d : d; if (/\./) d *= 1000; if (d > worst) worst = d } }
			END { if (NR != 42 || worst > most) { print worst " thousandths"; exit 1 } }'
}

check "single precision" as_processor single 1
check "half precision" as_processor half 20
check "the same move" sh -c 'for how in "--precision single" --cpu-only; do
	printf "%s\n" "play b q16" "genmove w" quit | '$leelaz' --weights network --gtp --noponder --threads 1 \
		--seed 1 --visits 4 --quiet $how 2>/dev/null | sed -n "s/^= \([A-T][0-9]*\)$/\1/p"; done | uniq -c |
	{ read -r times move && echo "$move" && [ "$times" = 2 ]; }'

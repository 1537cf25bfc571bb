#!/bin/bash
# SPDX-License-Identifier: MIT
# tool_demo_test.sh ZEROCL MINIMUM [ARGUMENT…]: runs the demo and wants all of its checks passed,
# at least MINIMUM of them, so that a demo that skips everything is noticed. PRELOAD names a library
# to load before all others.
set -u
zerocl=$1 minimum=$2
shift 2
output=$(LD_PRELOAD=${PRELOAD:-} "$zerocl" demo "$@")
status=$?
printf '%s\n' "$output"
last=${output##*$'\n'}
[[ "$last" =~ ^demo:\ ([0-9]+)\ of\ ([0-9]+)\ checks\ passed$ ]] || exit 1
[ $status = 0 ] && [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] &&
	[ "${BASH_REMATCH[1]}" -ge "$minimum" ]

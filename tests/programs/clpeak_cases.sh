#!/bin/bash
# SPDX-License-Identifier: MIT
# clpeak measures; right is a number for each width.
. "$(dirname "$0")/cases.sh"
command -v clpeak >/dev/null || missing "clpeak is not installed"
echo "version $(clpeak --version 2>&1 | sed -n 's/.*version: *//p')"
measure() {
	clpeak "$1" >"out$1" 2>&1 && grep -qE ':[^:]*[1-9]' <(sed -n '/Device:/,$p' "out$1" | tail -n +6) &&
		! grep -qiE 'error|failed|skip' "out$1"
}
check latency measure --kernel-latency
check transfers measure --transfer-bandwidth

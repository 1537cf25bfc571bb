#!/bin/bash
# SPDX-License-Identifier: MIT
# clinfo asks everything that can be asked; right is an answer without an error.
. "$(dirname "$0")/cases.sh"
command -v clinfo >/dev/null || missing "clinfo is not installed"
echo "version $(clinfo --version | awk '{ print $3 }')"
asks() { clinfo >out 2>errors && [ ! -s errors ] && ! grep -E 'error|failed|-[0-9]+>' out; }
lists() { clinfo -l | grep -q 'Device #0'; }
check "all queries" asks
check "the list" lists

#!/bin/bash
# SPDX-License-Identifier: MIT
# hwloc (below Open MPI and many schedulers) shows OpenCL devices in the machine's topology.
. "$(dirname "$0")/cases.sh"
command -v lstopo-no-graphics >/dev/null || missing "hwloc is not installed"
echo "version $(lstopo-no-graphics --version | awk '{ print $2 }')"
export HWLOC_COMPONENTS=opencl,stop
shows() { HWLOC_COMPONENTS= lstopo-no-graphics --of xml | grep -q 'name="opencl0d0"'; }
check "the device" shows

#!/bin/bash
# SPDX-License-Identifier: MIT
# oneDNN of the distribution: the cases of tests/cl/cl_dnnl_test.c, against its own on the processor.
. "$(dirname "$0")/cases.sh"
[ -x "$build/tests/cl/cl_dnnl_test" ] || missing "cl_dnnl_test was not built: libdnnl-dev is not installed"
[ "$platform" != pocl ] || missing "oneDNN takes Intel's devices alone"
echo "version $(dpkg-query -W -f '${Version}' libdnnl2 | cut -d - -f 1)"
case $platform in
zerocl) name=ZeroCL ;;
intel) name=Intel ;;
esac
"$build/tests/cl/cl_dnnl_test" $name 2>&1 |
	sed -n 's/^\[ *OK \] test_/right /p;s/^\[ *FAILED \] test_\([^ ]*\)$/wrong \1: see the test/p' | sort -u

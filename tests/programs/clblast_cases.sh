#!/bin/bash
# SPDX-License-Identifier: MIT
# CLBlast's own tests, against a BLAS of the processor.
. "$(dirname "$0")/cases.sh"
command -v clblast_test_xgemm >/dev/null || missing "clblast-tests is not installed"
echo "version $(dpkg-query -W -f '${Version}' libclblast1 2>/dev/null | cut -d - -f 1)"
names="xaxpy xscal xcopy xdot xnrm2 xasum xamax xgemv xger xsymv xtrsv xgemm xsyrk xomatcopy xhad"
echo "cases $(wc -w <<<"$names")"
for name in $names; do
	check $name clblast_test_$name -warm_up 0 -precision 32
done
check "xgemm, half" clblast_test_xgemm -warm_up 0 -precision 16

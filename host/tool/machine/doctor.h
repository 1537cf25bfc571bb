// SPDX-License-Identifier: MIT
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdio.h>

/* The checks of `zerocl doctor` that look at files: each prints lines "what it is, what to do". */

enum doctor_verdict { DOCTOR_OK, DOCTOR_REMARK, DOCTOR_FAIL };

/* Where a machine has its files; tests make others. */
struct doctor_roots {
	const char *dri, *sysfs; /* /dev/dri, /sys/class/drm */
	const char *vendors;	 /* the ICD files of loaders: /etc/OpenCL/vendors */
};

/* Checks files, libraries, nodes and ICD files. Returns how many failures ZeroCL cannot do with. */
unsigned doctor_machine(FILE *file, const struct doctor_roots *roots);

/* Prints one line. */
void doctor_print(FILE *file, enum doctor_verdict verdict, const char *what, const char *text);

#endif

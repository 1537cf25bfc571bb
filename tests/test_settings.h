// SPDX-License-Identifier: MIT
#ifndef TEST_SETTINGS_H
#define TEST_SETTINGS_H

#include <stdlib.h>

#include "util/util_settings.h"

/* Sets a variable of util_settings.def, or unsets it (NULL), for the layers that the test links. */
static inline void test_setting(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
	util_settings_read();
}

#endif

// SPDX-License-Identifier: MIT
#include "second.h"

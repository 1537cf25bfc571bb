// SPDX-License-Identifier: MIT
#define VALUE 1234

// SPDX-License-Identifier: MIT
/* A byte of 255, which Latin-1 has for a letter: ÿ */
#define VALUE 1234

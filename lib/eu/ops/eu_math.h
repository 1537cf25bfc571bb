// SPDX-License-Identifier: MIT
#ifndef EU_MATH_H
#define EU_MATH_H

/*
 * The functions of math.*, in double precision: rounded to single they are correctly rounded but
 * for a few arguments in a billion. `b` matters to fdiv and pow only. NULL when `function` (enum
 * gen_math) is not a float function that the engine implements. Host in round-to-nearest.
 */
typedef double (*eu_math_fn)(double a, double b);
eu_math_fn eu_math_function(unsigned function);

#endif

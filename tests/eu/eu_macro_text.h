// SPDX-License-Identifier: MIT
#ifndef EU_MACRO_TEXT_H
#define EU_MACRO_TEXT_H

/*
 * The macros of Gen9 and Gen11 for r20 / r24 and the square root of r20, to r30. r6 … r9 hold the
 * constants; r34 to r53 are written too.
 */
static const char *const macro_constants[] = { "0.0", "1.0", "0.5", "1.5" };

static const char macro_divide_double[] =
	"math.invm (4|M0) (eo)f1.0 r30.mme0:df r20.nomme:df r24.nomme:df\n"
	"(~f1.0) if (4|M0) done done\n"
	"madm (4|M0) r34.mme1:df r6.nomme:df r20.nomme:df r30.mme0:df\n"
	"madm (4|M0) r38.mme2:df r7.nomme:df -r24.nomme:df r30.mme0:df\n"
	"madm (4|M0) r42.mme3:df r20.nomme:df -r24.nomme:df r34.mme1:df\n"
	"madm (4|M0) r46.mme4:df r30.mme0:df r38.mme2:df r30.mme0:df\n"
	"madm (4|M0) r50.mme5:df r7.nomme:df -r24.nomme:df r46.mme4:df\n"
	"madm (4|M0) r30.mme6:df r30.mme0:df r38.mme2:df r46.mme4:df\n"
	"madm (4|M0) r34.mme7:df r34.mme1:df r42.mme3:df r46.mme4:df\n"
	"madm (4|M0) r46.mme0:df r46.mme4:df r30.mme6:df r50.mme5:df\n"
	"madm (4|M0) r42.mme1:df r20.nomme:df -r24.nomme:df r34.mme7:df\n"
	"madm (4|M0) r30.nomme:df r34.mme7:df r42.mme1:df r46.mme0:df\n"
	"done:\nendif (4|M0) end\nend:\n";

static const char macro_root_double[] =
	"math.rsqtm (4|M0) (eo)f1.0 r30.mme0:df r20.nomme:df\n"
	"(~f1.0) if (4|M0) done done\n"
	"madm (4|M0) r34.mme1:df r6.nomme:df r8.nomme:df r30.mme0:df\n"
	"madm (4|M0) r38.mme2:df r6.nomme:df r20.nomme:df r30.mme0:df\n"
	"madm (4|M0) r42.mme3:df r8.nomme:df -r38.mme2:df r34.mme1:df\n"
	"madm (4|M0) r46.mme5:df r7.nomme:df r9.nomme:df r42.mme3:df\n"
	"madm (4|M0) r30.mme6:df r6.nomme:df r42.mme3:df r38.mme2:df\n"
	"madm (4|M0) r42.mme7:df r6.nomme:df r42.mme3:df r34.mme1:df\n"
	"madm (4|M0) r30.mme6:df r38.mme2:df r46.mme5:df r30.mme6:df\n"
	"madm (4|M0) r46.mme5:df r34.mme1:df r46.mme5:df r42.mme7:df\n"
	"madm (4|M0) r34.mme1:df r20.nomme:df -r30.mme6:df r30.mme6:df\n"
	"madm (4|M0) r30.nomme:df r30.mme6:df r34.mme1:df r46.mme5:df\n"
	"done:\nendif (4|M0) end\nend:\n";

static const char macro_divide_float[] =
	"math.invm (8|M0) (eo)f0.1 r30.mme0:f r20.nomme:f r24.nomme:f\n"
	"(~f0.1) if (8|M0) done done\n"
	"madm (8|M0) r34.mme1:f r6.nomme:f r20.nomme:f r30.mme0:f\n"
	"madm (8|M0) r38.mme2:f r7.nomme:f -r24.nomme:f r30.mme0:f\n"
	"madm (8|M0) r42.mme3:f r30.mme0:f r38.mme2:f r30.mme0:f\n"
	"madm (8|M0) r46.mme4:f r20.nomme:f -r24.nomme:f r34.mme1:f\n"
	"madm (8|M0) r34.mme5:f r34.mme1:f r46.mme4:f r42.mme3:f\n"
	"madm (8|M0) r50.mme6:f r20.nomme:f -r24.nomme:f r34.mme5:f\n"
	"madm (8|M0) r30.nomme:f r34.mme5:f r50.mme6:f r42.mme3:f\n"
	"done:\nendif (8|M0) end\nend:\n";

static const char macro_root_float[] = "math.rsqtm (8|M0) (eo)f0.0 r30.mme0:f r20.nomme:f\n"
				       "(~f0.0) if (8|M0) done done\n"
				       "madm (8|M0) r34.mme1:f r6.nomme:f r8.nomme:f r30.mme0:f\n"
				       "madm (8|M0) r38.mme2:f r6.nomme:f r20.nomme:f r30.mme0:f\n"
				       "madm (8|M0) r42.mme3:f r8.nomme:f -r38.mme2:f r34.mme1:f\n"
				       "madm (8|M0) r34.mme4:f r34.mme1:f r42.mme3:f r34.mme1:f\n"
				       "madm (8|M0) r30.mme5:f r38.mme2:f r42.mme3:f r38.mme2:f\n"
				       "madm (8|M0) r42.mme6:f r20.nomme:f -r30.mme5:f r30.mme5:f\n"
				       "madm (8|M0) r30.nomme:f r30.mme5:f r34.mme4:f r42.mme6:f\n"
				       "done:\nendif (8|M0) end\nend:\n";

#endif

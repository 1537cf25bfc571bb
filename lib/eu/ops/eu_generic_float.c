// SPDX-License-Identifier: MIT
#include "eu/ops/eu_generic.h"

#include <string.h>
#include <tgmath.h>

#include "eu/state/eu_float_mode.h"
#include "eu/ops/eu_math.h"

/* Single precision runs in the host's current rounding and denormal modes, those of cr0. */

#define REAL		      float
#define FIELD		      f
#define BELOW_ONE	      0x1.fffffep-1f
#define COMPARAND(call, s, i) (call)->source[s][i].f
#include "eu/ops/eu_generic_real_tmpl.h"

static float acc_float(const struct eu_call *call, unsigned i)
{
	float acc;
	memcpy(&acc, call->thread->acc + eu_mac_offset(&call->general->inst) + 4 * i, 4);
	return acc;
}

REAL_OP(mac, fma(a, b, acc_float(call, i)))
/* Where hardware rounds is not documented: here 1 - a, its product and the sum. */
REAL_OP(lrp, fma(a, b, (1 - a) * c))

static float flush_denormal(float x, bool keep)
{
	return !keep && fabs(x) < 0x1p-126f ? copysign(0.0f, x) : x;
}

/* The host's library wants its plain modes. */
static void real_math(struct eu_call *call)
{
	eu_math_fn function = eu_math_function(call->general->inst.function);
	bool keep = call->thread->cr[0] & EU_CR0_KEEP_DENORMALS_F;
	unsigned mode = eu_float_mode_get();
	eu_float_mode_set(eu_float_mode_plain());
	for (unsigned i = 0; i < call->count; i++) {
		float a = flush_denormal(call->source[0][i].f, keep);
		float b = flush_denormal(call->source[1][i].f, keep);
		call->result[i].f = flush_denormal((float)function((double)a, (double)b), keep);
	}
	eu_float_mode_set(mode);
}

eu_generic_fn eu_generic_float(const struct gen_inst *inst)
{
#define ROW(op) [GEN_OP_##op] = real_##op
	static const eu_generic_fn by_op[GEN_OP_COUNT] = { ROW(mov), ROW(add), ROW(mul), ROW(mad),
		ROW(mac), ROW(lrp), ROW(frc), ROW(rndu), ROW(rndd), ROW(rndz), ROW(rnde),
		ROW(cmp), [GEN_OP_cmpn] = real_cmp, ROW(sel), ROW(csel), ROW(math) };
	if (inst->op == GEN_OP_math && !eu_math_function(inst->function))
		return NULL;
	return by_op[inst->op];
}

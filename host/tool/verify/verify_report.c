// SPDX-License-Identifier: MIT
#include "tool/verify/verify_report.h"
#include "tool/verify/verify_image.h"

#include <string.h>
#include <sys/utsname.h>

#include "gen/gen_inst.h"

/* Differences of a vector that the report shows in full, and that are printed. */
enum { SHOWN = 16, PRINTED = 100 };

/* Where something differs: a lane of the result, or bytes beside the lanes. */
struct place {
	unsigned group, lane, at, size;
	bool is_lane, is_memory;
};

static uint64_t bits_at(const uint8_t *bytes, unsigned size)
{
	uint64_t bits = 0;

	memcpy(&bits, bytes, size);
	return bits;
}

static bool is_nan(uint64_t bits, unsigned fraction, unsigned size)
{
	uint64_t number = bits & ~(UINT64_C(1) << (8 * size - 1));

	return number > ((UINT64_C(1) << (8 * size - 1)) - (UINT64_C(1) << fraction));
}

/* Numbers of a float's type in their order: neighbours are one apart. */
static int64_t order(uint64_t bits, unsigned size)
{
	int64_t sign = (int64_t)(bits << (64 - 8 * size)) >> 63;
	int64_t number = (int64_t)(bits & ~(UINT64_C(1) << (8 * size - 1)));

	return sign ? -number : number;
}

bool verify_same(uint8_t type, uint64_t a, uint64_t b, unsigned ulp)
{
	unsigned size = gen_type_size(type);
	unsigned fraction = type == GEN_TYPE_HF ? 10 : type == GEN_TYPE_F ? 23 : 52;

	if (a == b || !gen_type_is_float(type))
		return a == b;
	if (is_nan(a, fraction, size) || is_nan(b, fraction, size))
		return is_nan(a, fraction, size) && is_nan(b, fraction, size);
	int64_t x = order(a, size), y = order(b, size);
	uint64_t apart = x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
	return ulp && apart <= ulp;
}

/* The lane of the result that a byte belongs to; -1: none. */
static int lane_at(const struct verify_vector *v, unsigned byte)
{
	unsigned size = v->type ? gen_type_size(v->type) : 1, step = size * v->stride;

	if (!v->type || byte >= step * v->lanes || byte % step >= size)
		return -1;
	return (int)(byte / step);
}

/* Calls for each difference of a vector; returns how many there are. */
static unsigned each_difference(const struct verify_outcome *o, size_t i,
	void (*call)(void *data, const struct place *place), void *data)
{
	const struct verify_vector *v = &o->vectors->rows[i];
	unsigned n = 0;

	for (unsigned g = 0; g < VERIFY_GROUPS; g++) {
		const uint8_t *got = o->device->result[i][g], *want = o->expected->result[i][g];
		for (unsigned at = 0, size; at < VERIFY_RESULT; at += size) {
			int lane = lane_at(v, at);
			size = lane >= 0 ? gen_type_size(v->type) : 1;
			struct place place = { g, (unsigned)lane, at, size, lane >= 0, false };
			bool same = lane < 0 ? got[at] == want[at]
					     : verify_same(v->type, bits_at(got + at, size),
						       bits_at(want + at, size), v->ulp);
			if (!same && n++ < SHOWN && call)
				call(data, &place);
		}
		for (unsigned at = 0; at < VERIFY_MEMORY && v->reaches_memory; at += 4) {
			struct place place = { g, 0, at, 4, false, true };
			if (memcmp(o->device->memory[i][g] + at, o->expected->memory[i][g] + at,
				    4) &&
				n++ < SHOWN && call)
				call(data, &place);
		}
	}
	return n;
}

/* ---- the report ---- */

struct listing {
	const struct verify_outcome *outcome;
	size_t vector;
	json_t *list;
};

static json_t *hexadecimal(const uint8_t *bytes, unsigned size)
{
	char text[2 * VERIFY_OPERAND + 1] = "";

	for (unsigned i = 0; i < size; i++) /* the highest byte first, as numbers are read */
		snprintf(text + 2 * i, 3, "%02x", bytes[size - 1 - i]);
	return json_string(text);
}

/* Whether all lanes of a vector have the first element of a source. */
static bool is_scalar(const struct verify_vector *v, unsigned source)
{
	char text[16];

	snprintf(text, sizeof text, "r%u.0<0;1,0>", 20 + 2 * source);
	return strstr(v->text, text);
}

/* The elements of the sources that lane and group had; for bytes beside the lanes, all of them. */
static json_t *inputs(const struct verify_vector *v, const struct place *place)
{
	static uint8_t operands[VERIFY_OPERANDS_BYTES];
	json_t *list = json_array();

	for (unsigned axis = 0; axis < verify_image_axes(v); axis++) {
		float at = verify_image_coordinate(v, place->group, place->lane, axis);
		json_array_append_new(list, json_real((double)at));
	}
	verify_operands_fill(operands, 0);
	for (unsigned s = 0; s < VERIFY_SLOTS && v->types[s]; s++) {
		unsigned size = gen_type_size(v->types[s]);
		const uint8_t *row = operands + verify_operand_at(v->types[s], s) +
				     place->group * VERIFY_OPERAND;
		json_array_append_new(list,
			place->is_lane
				? hexadecimal(
					  row + (is_scalar(v, s) ? 0 : place->lane * size), size)
				: hexadecimal(row, VERIFY_OPERAND));
	}
	return list;
}

static void list_difference(void *data, const struct place *place)
{
	struct listing *l = data;
	const struct verify_side *got = l->outcome->device, *want = l->outcome->expected;
	const uint8_t *a = place->is_memory ? got->memory[l->vector][place->group]
					    : got->result[l->vector][place->group];
	const uint8_t *b = place->is_memory ? want->memory[l->vector][place->group]
					    : want->result[l->vector][place->group];
	const struct verify_vector *v = &l->outcome->vectors->rows[l->vector];

	json_array_append_new(l->list,
		json_pack("{s:i, s:s, s:i, s:o, s:o, s:o}", "group", place->group, "where",
			place->is_lane	   ? "lane"
			: place->is_memory ? "memory"
					   : "byte",
			"at", place->is_lane ? place->lane : place->at, "inputs", inputs(v, place),
			"expected", hexadecimal(b + place->at, place->size), "got",
			hexadecimal(a + place->at, place->size)));
}

static json_t *row(const struct verify_outcome *o, size_t i, size_t *different)
{
	const struct verify_vector *v = &o->vectors->rows[i];
	const char *error = o->errors[i / VERIFY_BATCH];
	json_t *row = json_pack("{s:s, s:s, s:i}", "name", v->name, "text", v->text, "ulp", v->ulp);
	struct listing listing = { o, i, json_array() };
	unsigned n = error ? 0 : each_difference(o, i, list_difference, &listing);

	if (error)
		json_object_set_new(row, "error", json_string(error));
	json_object_set_new(row, "differences", json_integer(n));
	if (n)
		json_object_set_new(row, "shown", listing.list);
	else
		json_decref(listing.list);
	*different += n || error;
	return row;
}

static void print_row(FILE *out, const json_t *row)
{
	const json_t *error = json_object_get(row, "error"), *first;
	const char *text = json_string_value(json_object_get(row, "text"));
	json_int_t n = json_integer_value(json_object_get(row, "differences"));

	if (error)
		fprintf(out, "failed   %s: %s\n", text, json_string_value(error));
	first = json_array_get(json_object_get(row, "shown"), 0);
	if (first) {
		fprintf(out, "differs  %s: %lld times; first ", text, (long long)n);
		json_dumpf(first, out, JSON_COMPACT);
		fputc('\n', out);
	}
}

static json_t *side(const struct verify_side *side)
{
	return json_pack("{s:s, s:s, s:s}", "name", side->name, "driver", side->driver, "version",
		side->version);
}

json_t *verify_report(FILE *out, const struct verify_outcome *o, size_t *different)
{
	struct utsname system;
	json_t *rows = json_array();
	unsigned printed = 0;

	*different = 0;
	for (size_t i = 0; i < o->vectors->n; i++) {
		size_t before = *different;
		json_t *one = row(o, i, different);
		if (*different > before && printed++ < PRINTED)
			print_row(out, one);
		json_array_append_new(rows, one);
	}
	if (printed > PRINTED)
		fprintf(out, "and %u more, which are in the report\n", printed - PRINTED);
	fprintf(out, "verify: %zu of %zu vectors agree, each with %d sets of operands\n",
		o->vectors->n - *different, o->vectors->n, VERIFY_GROUPS);
	uname(&system);
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:i, s:o}", "zerocl", ZEROCL_VERSION,
		"kernel", system.release, "machine", system.machine, "info", o->info ? o->info : "",
		"demo", o->demo, "device", side(o->device), "expected", side(o->expected), "groups",
		VERIFY_GROUPS, "vectors", rows);
}

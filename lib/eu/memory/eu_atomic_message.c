// SPDX-License-Identifier: MIT
/* Atomic messages: lanes in ascending order, each atomic by itself. */
#include "eu/memory/eu_atomic.h"
#include "eu/memory/eu_memory.h"
#include "util/util_clones.h"

enum { MAX_LANES = 16 };

static enum eu_status misaligned(
	struct eu_thread *thread, const struct eu_send *send, unsigned lane, uint64_t offset)
{
	struct gen_fault *fault = thread->worker->fault;

	fault->address = offset;
	gen_fault_add(fault, GEN_FAULT_BAD_MESSAGE,
		"%s: lane %u updates 0x%llx, which is not aligned", send->access.name,
		lane + send->channel_offset, (unsigned long long)offset);
	return EU_FAULT;
}

/* A slot of 4 or 8 bytes. (Four bytes copied into eight could not be forwarded to the load.) */
static inline uint64_t register_value(const uint8_t *registers, unsigned lane, unsigned slot)
{
	uint64_t value;

	if (slot == 4)
		return eu_payload_dword(registers, lane);
	memcpy(&value, registers + lane * 8, 8);
	return value;
}

static inline void set_register(uint8_t *registers, unsigned lane, unsigned slot, uint64_t value)
{
	const uint32_t low = (uint32_t)value;

	if (slot == 4)
		memcpy(registers + lane * 4, &low, 4);
	else
		memcpy(registers + lane * 8, &value, 8);
}

/* Inline where the space and the sizes are known. */
static inline __attribute__((always_inline)) enum eu_status update_in(struct eu_thread *thread,
	const struct eu_send *send, uint32_t enabled, enum eu_space space, unsigned bytes,
	unsigned slot)
{
	const struct eu_access *access = &send->access;
	const unsigned lanes = access->lanes;
	const eu_atomic_fn apply = access->is_float ? eu_atomic_float(access->operation, bytes)
						    : eu_atomic_int(access->operation, bytes);
	const uint64_t base = eu_access_base(thread, send, space);
	uint8_t copies[3][MAX_LANES * 8];
	const uint8_t *addresses, *operands[2] = { NULL, NULL };
	uint64_t results[MAX_LANES];
	struct eu_view view;

	enabled &= (UINT32_C(1) << lanes) - 1;
	if (enabled == 0)
		return EU_RUN;
	if (!eu_view_open(&view, thread, send))
		return EU_FAULT;
	addresses = eu_payload(thread, send, access->at, lanes * access->address, copies[0]);
	for (unsigned n = 0; n < access->operands; n++)
		operands[n] = eu_payload(
			thread, send, access->data + n * lanes * slot, lanes * slot, copies[n + 1]);
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);
		uint64_t offset = eu_access_offset(
			base, eu_access_address(addresses, i, space), space, access->shift);
		uint8_t *memory = eu_view_at(&view, offset, bytes);

		if (!memory && !eu_view_find(&view, i, offset, bytes, &memory))
			return EU_FAULT;
		if (memory && ((uintptr_t)memory & (bytes - 1)) != 0)
			return misaligned(thread, send, i, offset);
		results[i] =
			!memory ? 0
				: apply(memory,
					  operands[0] ? register_value(operands[0], i, slot) : 0,
					  operands[1] ? register_value(operands[1], i, slot) : 0);
	}
	if (!send->writes || !access->returns)
		return EU_RUN;
	for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {
		unsigned i = (unsigned)__builtin_ctz(rest);

		set_register(thread->grf + send->dst, i, slot, results[i]);
	}
	return EU_RUN;
}

static enum eu_status update(struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	const struct eu_access *access = &send->access;

	return update_in(
		thread, send, enabled, (enum eu_space)access->space, access->size, access->slot);
}

static enum eu_status update_dwords(
	struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)
{
	if (send->access.space == EU_SPACE_A64)
		return update_in(thread, send, enabled, EU_SPACE_A64, 4, 4);
	return update_in(thread, send, enabled, EU_SPACE_SURFACE, 4, 4);
}

/*
 * ---- dwords in local memory: only one host thread works on a group, so that nothing has to be
 * locked. X(number, what the memory becomes, of old and the operands x and y) ----
 */
#define LOCAL_OPERATIONS(X)                                                                        \
	X(AND, old &x)                                                                             \
	X(OR, old | x)                                                                             \
	X(XOR, old ^ x)                                                                            \
	X(MOV, x)                                                                                  \
	X(INC, old + 1)                                                                            \
	X(DEC, old - 1)                                                                            \
	X(ADD, old + x)                                                                            \
	X(SUB, old - x)                                                                            \
	X(REVSUB, x - old)                                                                         \
	X(IMAX, (int32_t)old > (int32_t)x ? old : x)                                               \
	X(IMIN, (int32_t)old < (int32_t)x ? old : x)                                               \
	X(UMAX, old > x ? old : x)                                                                 \
	X(UMIN, old < x ? old : x)                                                                 \
	X(CMPWR, old == x ? y : old)                                                               \
	X(PREDEC, old - 1)

/* What a handler of these works on. */
struct local {
	uint8_t *memory;
	const uint8_t *x, *y; /* operands; any dwords when there are none */
	uint8_t *out;	      /* NULL: nobody wants results */
	uint32_t offsets[MAX_LANES];
};

/* Whether an enabled one of the offsets is out of `size` bytes or not aligned. */
UTIL_CLONES static bool has_bad_offset(const uint8_t *restrict addresses, unsigned lanes,
	uint32_t enabled, uint32_t size, uint32_t *restrict offsets)
{
	uint32_t bad = 0;

	for (unsigned i = 0; i < lanes; i++) {
		uint32_t offset = eu_payload_dword(addresses, i) & EU_SLM_MASK;

		offsets[i] = offset;
		bad |= ((offset & 3) != 0 || offset + 4 > size) & enabled >> i;
	}
	return bad != 0;
}

/* False when that is for the general way: something is out of bounds or not aligned. */
static inline bool open_local(struct local *local, struct eu_thread *thread,
	const struct eu_send *send, uint32_t enabled, uint8_t copies[3][MAX_LANES * 4])
{
	const unsigned lanes = send->access.lanes, width = lanes * 4;
	const unsigned operands = send->access.operands;
	const uint32_t size = thread->worker->dispatch->slm_bytes;
	const uint8_t *addresses = eu_payload(thread, send, 0, width, copies[0]);

	local->memory = thread->group->slm;
	local->x = operands > 0 ? eu_payload(thread, send, width, width, copies[1]) : addresses;
	local->y = operands > 1 ? eu_payload(thread, send, 2 * width, width, copies[2]) : addresses;
	local->out = send->writes && send->access.returns ? thread->grf + send->dst : NULL;
	return !has_bad_offset(addresses, lanes, enabled, size, local->offsets);
}

#define LOCAL_HANDLER(number, next)                                                                \
	static enum eu_status local_##number(                                                      \
		struct eu_thread *thread, const struct eu_send *send, uint32_t enabled)            \
	{                                                                                          \
		uint8_t copies[3][MAX_LANES * 4];                                                  \
		uint32_t results[MAX_LANES];                                                       \
		struct local local;                                                                \
                                                                                                   \
		enabled &= (UINT32_C(1) << send->access.lanes) - 1;                                \
		if (!open_local(&local, thread, send, enabled, copies))                            \
			return update(thread, send, enabled);                                      \
		for (uint32_t rest = enabled; rest != 0; rest &= rest - 1) {                       \
			unsigned i = (unsigned)__builtin_ctz(rest);                                \
			uint32_t x = eu_payload_dword(local.x, i), old, new;                       \
			uint32_t y = eu_payload_dword(local.y, i);                                 \
                                                                                                   \
			(void)x;                                                                   \
			(void)y;                                                                   \
			memcpy(&old, local.memory + local.offsets[i], 4);                          \
			new = (next);                                                              \
			memcpy(local.memory + local.offsets[i], &new, 4);                          \
			results[i] = EU_ATOMIC_##number == EU_ATOMIC_PREDEC ? new : old;           \
		}                                                                                  \
		for (uint32_t rest = local.out ? enabled : 0; rest != 0; rest &= rest - 1) {       \
			unsigned i = (unsigned)__builtin_ctz(rest);                                \
                                                                                                   \
			memcpy(local.out + 4 * i, &results[i], 4);                                 \
		}                                                                                  \
		return EU_RUN;                                                                     \
	}
LOCAL_OPERATIONS(LOCAL_HANDLER)

#define LOCAL_ROW(number, next) [EU_ATOMIC_##number] = local_##number,
static const eu_message_fn local_handlers[EU_ATOMIC_INTS] = { LOCAL_OPERATIONS(LOCAL_ROW) };

eu_message_fn eu_atomic_handler(const struct eu_access *access)
{
	if (access->space == EU_SPACE_SLM && access->size == 4 && !access->is_float &&
		access->data == access->lanes * 4 &&
		access->operands == eu_atomic_int_operands(access->operation))
		return local_handlers[access->operation];
	if ((access->space == EU_SPACE_A64 || access->space == EU_SPACE_SURFACE) &&
		access->size == 4 && access->slot == 4)
		return update_dwords;
	return update;
}

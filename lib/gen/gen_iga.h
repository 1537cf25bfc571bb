// SPDX-License-Identifier: MIT
#ifndef GEN_IGA_H
#define GEN_IGA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/gen_fault.h"

/* libiga64: what it exports, declared here because its own headers are C++. */

struct kv;

/* IGA(result, name, parameters): "kv" views a kernel, pc is a byte offset. */
#define IGA_FUNCTIONS                                                                              \
	IGA(struct kv *, kv_create,                                                                \
		(uint32_t platform, const void *code, size_t size, int *status, char *error,       \
			size_t error_size, uint32_t swsb))                                         \
	IGA(void, kv_delete, (struct kv * kv))                                                     \
	IGA(int32_t, kv_get_inst_size, (const struct kv *kv, int32_t pc))                          \
	IGA(size_t, kv_get_inst_syntax,                                                            \
		(const struct kv *kv, int32_t pc, char *text, size_t size, uint32_t options,       \
			const char *(*label)(int32_t, void *), void *environment))                 \
	IGA(uint32_t, kv_get_inst_targets, (const struct kv *kv, int32_t pc, int32_t *targets))    \
	IGA(int, kv_get_subfunction, (const struct kv *kv, int32_t pc, uint32_t *function))        \
	IGA(int32_t, kv_get_syncfc, (const struct kv *kv, int32_t pc))                             \
	IGA(uint32_t, kv_get_execution_size, (const struct kv *kv, int32_t pc))                    \
	IGA(uint32_t, kv_get_channel_offset, (const struct kv *kv, int32_t pc))                    \
	IGA(uint32_t, kv_get_mask_control, (const struct kv *kv, int32_t pc))                      \
	IGA(uint32_t, kv_get_predicate, (const struct kv *kv, int32_t pc))                         \
	IGA(uint32_t, kv_get_is_inverse_predicate, (const struct kv *kv, int32_t pc))              \
	IGA(uint32_t, kv_get_flag_modifier, (const struct kv *kv, int32_t pc))                     \
	IGA(int32_t, kv_get_flag_register, (const struct kv *kv, int32_t pc))                      \
	IGA(int32_t, kv_get_flag_sub_register, (const struct kv *kv, int32_t pc))                  \
	IGA(bool, kv_has_inst_opt, (const struct kv *kv, int32_t pc, uint32_t option))             \
	IGA(int32_t, kv_get_number_sources, (const struct kv *kv, int32_t pc))                     \
	IGA(int32_t, kv_get_has_destination, (const struct kv *kv, int32_t pc))                    \
	IGA(int32_t, kv_get_destination_mme_number,                                                \
		(const struct kv *kv, int32_t pc, int16_t *number))                                \
	IGA(int32_t, kv_get_source_mme_number,                                                     \
		(const struct kv *kv, int32_t pc, uint32_t n, int16_t *number))                    \
	IGA(int32_t, kv_get_destination_register, (const struct kv *kv, int32_t pc))               \
	IGA(int32_t, kv_get_destination_sub_register, (const struct kv *kv, int32_t pc))           \
	IGA(uint32_t, kv_get_destination_data_type, (const struct kv *kv, int32_t pc))             \
	IGA(uint32_t, kv_get_destination_register_type, (const struct kv *kv, int32_t pc))         \
	IGA(uint32_t, kv_get_destination_register_kind, (const struct kv *kv, int32_t pc))         \
	IGA(uint32_t, kv_get_destination_modifier, (const struct kv *kv, int32_t pc))              \
	IGA(int32_t, kv_get_destination_region,                                                    \
		(const struct kv *kv, int32_t pc, uint32_t *horizontal))                           \
	IGA(int32_t, kv_get_destination_indirect_imm_off,                                          \
		(const struct kv *kv, int32_t pc, int16_t *offset))                                \
	IGA(int32_t, kv_get_source_register, (const struct kv *kv, int32_t pc, uint32_t n))        \
	IGA(int32_t, kv_get_source_sub_register, (const struct kv *kv, int32_t pc, uint32_t n))    \
	IGA(uint32_t, kv_get_source_data_type, (const struct kv *kv, int32_t pc, uint32_t n))      \
	IGA(uint32_t, kv_get_source_register_type, (const struct kv *kv, int32_t pc, uint32_t n))  \
	IGA(uint32_t, kv_get_source_register_kind, (const struct kv *kv, int32_t pc, uint32_t n))  \
	IGA(uint32_t, kv_get_source_modifier, (const struct kv *kv, int32_t pc, uint32_t n))       \
	IGA(int32_t, kv_get_source_region,                                                         \
		(const struct kv *kv, int32_t pc, uint32_t n, uint32_t *vertical, uint32_t *width, \
			uint32_t *horizontal))                                                     \
	IGA(int32_t, kv_get_source_immediate,                                                      \
		(const struct kv *kv, int32_t pc, uint32_t n, uint64_t *value))                    \
	IGA(int32_t, kv_get_source_indirect_imm_off,                                               \
		(const struct kv *kv, int32_t pc, uint32_t n, int16_t *offset))                    \
	IGA(uint32_t, kv_get_send_descs,                                                           \
		(const struct kv *kv, int32_t pc, uint32_t *exdesc, uint32_t *desc))               \
	IGA(void, kv_get_send_indirect_descs,                                                      \
		(const struct kv *kv, int32_t pc, uint8_t *exdesc_reg, uint8_t *exdesc_sub,        \
			uint8_t *desc_reg, uint8_t *desc_sub))                                     \
	IGA(uint32_t, kv_get_message_len,                                                          \
		(const struct kv *kv, int32_t pc, uint32_t *mlen, uint32_t *xlen, uint32_t *rlen))

/* The library's number of the type F, and of the general registers in its first version. */
enum { IGA_TYPE_F = 20, IGA_FIRST_GRF_NAME = 17 };

/* The library, loaded when it is first wanted, for good. Its functions are there after iga_open. */
struct iga {
	bool complete;
	char problem[256]; /* why not */
	uint32_t grf;	   /* the library's number of the general registers */
#define IGA(result, name, parameters) result(*name) parameters;
	IGA_FUNCTIONS
#undef IGA
};
extern struct iga iga;

/* Loads the library once. Returns false, with a fault, when there is none. */
bool iga_open(struct gen_fault *fault);

#endif

// SPDX-License-Identifier: MIT
#ifndef EU_SEND_H
#define EU_SEND_H

#include <stdbool.h>
#include <stdint.h>

/* What a step, a message or a run of a thread came to. */
enum eu_status {
	EU_RUN,	    /* go on with the next instruction */
	EU_BLOCKED, /* waits for its group's barrier */
	EU_YIELD,   /* used up its time slice; may go on at once */
	EU_DONE,    /* reached its end of thread */
	EU_FAULT,   /* worker->fault says why */
};

/* What the addresses of a message are relative to. */
enum eu_space {
	EU_SPACE_SURFACE,   /* a surface: out of range reads 0, writes vanish */
	EU_SPACE_STATELESS, /* the general state base */
	EU_SPACE_SLM,	    /* the group's shared local memory: out of range as for surfaces */
	EU_SPACE_A64,	    /* nothing: GPU addresses */
	EU_SPACES
};

/* Binding table indices that do not name an entry of the table. */
enum {
	EU_BTI_LAST = 0xef,
	EU_BTI_BINDLESS = 0xfc,
	EU_BTI_STATELESS_CACHED = 0xfd,
	EU_BTI_SLM = 0xfe,
	EU_BTI_STATELESS = 0xff,
};

/* How a message touches memory; decides who executes it. */
enum eu_access_kind {
	EU_ACCESS_NONE,	   /* does nothing at all */
	EU_ACCESS_SCATTER, /* each lane moves elements from or to an address of its own */
	EU_ACCESS_ATOMIC,  /* each lane updates the element at an address of its own */
	EU_ACCESS_BLOCK,   /* moves a block whose address is in the header */
	EU_ACCESS_TYPED,   /* each lane reads or writes a texel */
	EU_ACCESS_TYPED_ATOMIC,
	EU_ACCESS_TARGET, /* each lane writes its pixel of what is drawn */
	EU_ACCESS_MEDIA,  /* moves a rectangle of an image */
	EU_ACCESS_SAMPLER,
	EU_ACCESS_FENCE,
	EU_ACCESS_BARRIER,
	EU_ACCESS_END, /* of the thread */
	EU_ACCESS_KINDS
};

/*
 * What a message does, decoded once from its row in eu_message.def and its descriptors. Everything
 * that executes, checks, counts or prints messages works from this. Fields that a kind has no use
 * for are 0. Offsets into the payload count src0's registers and src1's as one sequence.
 */
struct eu_access {
	const char *name;     /* in reports */
	uint8_t kind;	      /* enum eu_access_kind */
	uint8_t space;	      /* enum eu_space */
	uint8_t type;	      /* of the message, within its shared function */
	uint8_t index;	      /* binding table index */
	uint32_t handle;      /* EU_BTI_BINDLESS: offset of the surface state from its base, */
	bool from_state_base; /* which is that of all surfaces, not of the bindless ones */
	bool is_scratch;      /* the thread's own memory, in the walker's surface for it if any */
	uint32_t offset;      /* bytes that are added to every address */
	bool reads, writes;   /* memory */
	bool has_header;
	bool returns;  /* writes registers */
	uint8_t lanes; /* that the payload has room for: 8, 16; 1 for a block */
	uint8_t first; /* lane of the instruction that is lane 0 of the payload */
	/* Memory: `count` elements of `size` bytes side by side, those in `channels` are moved. */
	uint8_t size, count, channels;
	uint8_t passed;	   /* of observers: which of them the kernel copies (eu_unread.h) … */
	uint32_t unread;   /* … and the lanes that it does not look at, */
	bool is_narrow;	   /* if it looks at less than the message moves */
	uint8_t shift;	   /* 32-bit addresses are in units of 1 << shift bytes */
	uint8_t alignment; /* in bytes, that the language asks of a block's address */
	uint16_t bytes;	   /* from the address to the end of the last element that is moved */
	/* Registers: element j of lane i is at (j * lanes + i) * slot. */
	uint8_t slot;	 /* of a target 0: all lanes have element j at 4 * j */
	uint8_t skip;	 /* bytes of the first register that come before a block */
	uint8_t address; /* bytes of a lane's address: 4, 8 */
	uint16_t at;	 /* where the addresses begin in the payload */
	uint16_t data;	 /* where the data or operands begin in the payload */
	/* Atomics. */
	uint8_t operation, operands;
	bool is_float;
	bool masked;		/* a block: lanes that are off keep their dwords */
	const char *parameters; /* of a sampler message, in order, as eu_message.def has them */
};

struct eu_thread;
struct eu_send;

/*
 * Executes one message for a thread. `lanes` has bit i set when lane i of the message (not of the
 * thread) is enabled. Reads the payload from and writes the result to thread->grf.
 * Returns EU_RUN, EU_DONE (end of thread) or EU_FAULT with worker->fault filled.
 */
typedef enum eu_status (*eu_message_fn)(
	struct eu_thread *thread, const struct eu_send *send, uint32_t lanes);

/* One SEND, decoded once per kernel. Immutable. */
struct eu_send {
	eu_message_fn run;     /* NULL when descriptors come from a0: bind at run time */
	uint32_t inst;	       /* index in the gen_program */
	uint32_t site;	       /* index into worker->translations */
	uint32_t desc, exdesc; /* as executed */
	uint16_t dst;	       /* byte offset in grf of the first result register */
	uint16_t src0, src1;   /* byte offsets of the two payload parts */
	uint8_t sfid, mlen, xlen, rlen;
	bool wide_handle; /* as gen_inst has it */
	uint8_t exec_size, channel_offset;
	bool writes; /* rlen > 0 and the destination is not null */
	bool last;   /* no message but the end of the thread comes after it, and no branch */
	struct eu_access access;
};

#endif

/* SPDX-License-Identifier: MIT */
/* lanes: one instruction on 32 lanes. The lanes of a register lie next to each other: 64, 128 or
 * 256 bytes of 16, 32 or 64-bit values; predicates are words with one bit per lane.
 *
 * loops.inc is compiled twice, for any CPU and for AVX2 with FMA; both give the same bits.
 * Exchanges between lanes and operations without a loop of their own are plain C for both. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_LANES_LANES_H
#define MEMSWEEP_WORKLOAD_SIMT_LANES_LANES_H

#include "workload/simt/ops.h"

#define SIMT_ALL_LANES UINT32_MAX

typedef struct simt_insn simt_insn;

/* Does one instruction for the lanes of `mask`. base[0]: the warp's registers; base[1]: constants.
 */
typedef void simt_lane_fn(const simt_insn *insn, unsigned char *const base[2], uint32_t mask);

typedef enum simt_unit {
    UNIT_LANES, /* run() is all of it */
    UNIT_SKIP,  /* slice: nobody needs it */
    UNIT_LOAD,
    UNIT_STORE,
    UNIT_ATOMIC,
    UNIT_BARRIER,
    UNIT_BRANCH,
    UNIT_EXIT,
    UNIT_TRAP,
    UNIT_CLOCK,
} simt_unit;

/* A decoded instruction. Offsets are in bytes from a base. */
struct simt_insn {
    simt_lane_fn *run;
    uint32_t guard, guard_flip; /* a predicate, and what it is xored with */
    uint8_t unit;
    bool ends; /* its block ends behind it */
    bool dry;  /* an access whose value nobody needs */
    uint8_t src_count;
    uint8_t negated;                 /* bit k: predicate src[k] counts inverted */
    uint8_t where[5];                /* base of src[k] */
    uint8_t src_bytes[5], dst_bytes; /* of one lane */
    uint32_t dst[4], dst2;
    uint32_t src[5];
    uint32_t skip;               /* UNIT_SKIP: this many in a row, within the block */
    uint32_t target, reconverge; /* of a branch: instructions */
    uint32_t index;
    uint64_t addend;                /* of an address */
    uint64_t value;                 /* of a table (lop3), ... */
    uint8_t space, element, vector; /* bytes of one element; elements */
    uint8_t sign_bits;              /* of a load that extends: 8, 16, 32; 0: with zeros */
    const msw_simt_detail *detail;
};

/* What 32 addresses look like. */
typedef struct simt_survey {
    uint64_t low, high; /* of the active lanes */
    bool row;  /* active lane i's is origin + i x bytes; low - origin is known by the lane */
    bool same; /* all are `low` */
    bool odd;  /* one is no multiple of the bytes */
} simt_survey;

/* One table of functions, by the numbers of simt_lanes_find; and what accesses need. */
typedef struct simt_loops {
    const char *name;
    simt_lane_fn *const *functions;

    /* Looks at the addresses of the lanes of a mask that is not empty. */
    void (*survey)(const uint64_t *addresses, uint32_t mask, uint32_t bytes, simt_survey *out);

    /* 64-bit sums of addresses, from registers of 4 or 8 bytes. */
    void (*add)(const unsigned char *registers, uint32_t bytes, uint64_t addend, uint64_t *out);

    /* Reads or writes words of 4 or 8 bytes at data + addresses[lane]; `data` is where address 0
     * would lie, which may be nowhere. */
    void (*gather)(unsigned char *to, uintptr_t data, const uint64_t *addresses, uint32_t mask,
                   uint32_t bytes);
    void (*scatter)(const unsigned char *from, uintptr_t data, const uint64_t *addresses,
                    uint32_t mask, uint32_t bytes);

    /* Writes registers of 4 or 8 bytes from a row of words; or all from one word. */
    void (*spread)(unsigned char *to, const unsigned char *words, bool one, uint32_t mask,
                   uint32_t bytes);
} simt_loops;

/* Returns the loops for any CPU; those for AVX2 with FMA, or NULL when they were not compiled or
 * this CPU cannot run them. */
const simt_loops *simt_loops_base(void);
const simt_loops *simt_loops_avx2(void);

/* Finds the function of an operation. Returns its number, or -1 when there is none. */
int simt_lanes_find(const msw_simt_detail *detail);

/* One lane of what has no loop of its own. */
uint64_t simt_scalar(const msw_simt_detail *detail, const uint64_t src[5]);

/* Returns whether simt_scalar knows an operation. */
bool simt_scalar_knows(const msw_simt_detail *detail);

/* Combines the bits of a comparison with the third operand's. */
uint32_t simt_combine(const msw_simt_detail *detail, uint32_t bits, uint32_t third);

/* Finds the lane that each lane reads in shfl. Returns the lanes whose source was in range. */
uint32_t simt_shuffle(const msw_simt_detail *detail, const uint32_t *b, const uint32_t *c,
                      uint32_t from[MSW_SIMT_LANES]);

/* Finds for each lane of `mask` the lanes of its members that hold the same value (.any), or all
 * members when they all do, else 0 (.all). Returns the lanes whose members all agree. */
uint32_t simt_match(const msw_simt_detail *detail, const uint64_t *values, const uint32_t *members,
                    uint32_t mask, uint32_t same[MSW_SIMT_LANES]);

/* Combines the members' values for each lane. */
void simt_reduce(const msw_simt_detail *detail, const uint32_t *values, const uint32_t *members,
                 uint32_t mask, uint32_t result[MSW_SIMT_LANES]);

/* add, addc, sub, subc, mad and madc with .cc: `carry` goes in and comes out. Returns the result.
 */
uint64_t simt_carry(const msw_simt_detail *detail, const uint64_t v[3], bool *carry);

/* Returns the value cut to a type's bits and extended as its sign says. */
uint64_t simt_cut_to(msw_simt_type type, uint64_t a);

/* Returns the value of type `to` next to `a`, which is of type `from` in 64 bits. */
uint64_t simt_saturate(msw_simt_type to, msw_simt_type from, uint64_t a);

/* Return the results of bfe, bfi, bfind, fns, prmt, dp2a, mul24 and mad24, sad, brev; and of add,
 * sub and mad.hi with .sat or of 16 bits. */
uint64_t simt_extract_bits(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_insert_bits(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_find_bit(const msw_simt_detail *d, uint64_t a);
uint64_t simt_find_nth(uint32_t a, uint32_t base, int32_t n);
uint64_t simt_permute(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_dot_two(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_multiply_24(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_difference(const msw_simt_detail *d, const uint64_t src[5]);
uint64_t simt_reverse_bits(uint64_t a);
uint64_t simt_integer(const msw_simt_detail *d, const uint64_t src[5]);

#endif

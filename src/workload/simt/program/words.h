/* SPDX-License-Identifier: MIT */
/* words: what operations are called, which words and types they take. */
#ifndef MEMSWEEP_WORKLOAD_SIMT_PROGRAM_WORDS_H
#define MEMSWEEP_WORKLOAD_SIMT_PROGRAM_WORDS_H

#include "workload/simt/ops.h"

/* One form of an operation. Operands, one letter each:
 *   d destination of the type    w the same, twice as wide with .wide   D destination of u32
 *   a source of the type         c source as wide as `w`                u source of u32
 *   2 source of the second type  p destination predicate (p or p|q)     s source predicate
 *   q destination of the type with an optional |p                       m memory
 *   V destinations (a vector)    v sources (a vector)                   L label
 *   r destination of any width from the type's on; x source of that kind, of the second type
 *   o from here on operands may be missing */
typedef struct simt_form {
    const char *name;
    simt_op op;
    msw_simt_class kind;
    const char *words; /* separated by blanks */
    uint32_t types;    /* sets of (1 << type); 0: no type is written */
    uint32_t types2;   /* 0: one type only */
    const char *operands;
} simt_form;

/* Finds the form of an operation by its name. Returns it, or NULL. */
const simt_form *simt_form_find(const char *name, size_t length);

/* Returns why an operation that is not read is refused, or NULL. */
const char *simt_form_refused(const char *name, size_t length);

/* Returns the operation closest in spelling, or NULL. */
const char *simt_form_nearest(const char *name);

/* Finds a word (without its dot) among those of a form. Returns it, or W_NONE. */
simt_word simt_word_find(const simt_form *form, const char *word, size_t length);

/* Finds a type by its name. Returns it, or MSW_SIMT_NO_TYPE. */
msw_simt_type simt_type_find(const char *name, size_t length);

/* Finds a special register by its name and axis ("%tid", 'x'; 0: none). Returns it, or SPECIALS. */
simt_special simt_special_find(const char *name, size_t length, char axis);

#endif

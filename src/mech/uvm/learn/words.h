/* SPDX-License-Identifier: MIT */
/* Private to uvm: dictionaries: which values a predictor knows, and by what number. */
#ifndef MSW_MECH_UVM_WORDS_H
#define MSW_MECH_UVM_WORDS_H

#include "memsweep/base/arena.h"
#include "memsweep/base/flat.h"

/* Values in rising order and their numbers, from 1 on; 0 is what is not known, and nothing. */
typedef struct uvm_words {
    const int64_t *values;
    const uint32_t *numbers;
    size_t count;
} uvm_words;

/* Makes the dictionary of the `most` commonest values (of equals the smallest), the commonest
 * first; sorts `values`. `dominant` gets how often the commonest is there. Returns 0, or -1. */
int uvm_words_of(int64_t *values, size_t count, size_t most, msw_arena *arena, uvm_words *words,
                 size_t *dominant);

/* Adds values that it does not have, the commonest first, while there are fewer than `most`. Sorts
 * `values`. Returns 0, or -1. */
int uvm_words_add(const uvm_words *words, int64_t *values, size_t count, size_t most,
                  msw_arena *arena, uvm_words *grown);

/* Returns the number of a value, or 0. */
uint32_t uvm_word(const uvm_words *words, int64_t value);

/* Returns the value of a number. */
int64_t uvm_word_value(const uvm_words *words, uint32_t number);

/* Appends and reads back. Returns 0, or -1 when these are no such bytes. */
void uvm_words_flatten(const uvm_words *words, msw_text *bytes);
int uvm_words_unflatten(msw_flat *flat, msw_arena *arena, uvm_words *words);

#endif

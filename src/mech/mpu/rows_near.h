/* SPDX-License-Identifier: MIT */
/* Private to mpu: rows of its table of parameters: what the near-bank side leaves open. Included by
 * params.c alone. */
#ifndef MSW_MECH_MPU_ROWS_NEAR_H
#define MSW_MECH_MPU_ROWS_NEAR_H

#define MPU_ROWS_OF_NEAR_SIDE                                                                      \
    MSW_ROW(.name = "bank_buses", .kind = MSW_CHOICE, .unit = "", .def = MPU_BUSES_SHARED,         \
            .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(BANK_BUSES),                                    \
            .doc = "who has a data and command bus, and a scheduler's ACT limits",                 \
            .source = MSW_INFERRED, .reference = "table III: a memory controller per unit",        \
            .offset = FIELD(bank_buses)),                                                          \
        MSW_ROW(.name = "open_ahead", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 1,            \
                .neutral = MSW_NO_NEUTRAL,                                                         \
                .doc = "rows are opened while other requests are served", .source = MSW_INFERRED,  \
                .reference = "FR-FCFS, table II", .offset = FIELD(open_ahead)),                    \
        MSW_ROW(.name = "store_update", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,          \
                .neutral = MSW_NEUTRAL(0),                                                         \
                .doc = "stores read a bank's burst first and merge into it",                       \
                .source = MSW_UNKNOWN, .reference = SILENT, .offset = FIELD(store_update)),        \
        MSW_ROW(.name = "gathered_bytes", .kind = MSW_SIZE, .unit = "B", .min = 0, .max = 512,     \
                .def = 0, .neutral = MSW_NEUTRAL(0),                                               \
                .doc = "TSV bytes of a loaded value that the LSU gathered; 0: all of the value",   \
                .source = MSW_INFERRED, .reference = "section IV-B: it is written near",           \
                .acts = "pipeline = 'hybrid'", .offset = FIELD(gathered_bytes)),                   \
        MSW_ROW(.name = "cta_refill", .kind = MSW_CHOICE, .unit = "", .def = MPU_REFILL_EACH,      \
                .neutral = MSW_NO_NEUTRAL, MSW_CHOICES(REFILLS),                                   \
                .doc = "when a core takes its next CTAs", .source = MSW_UNKNOWN,                   \
                .reference = SILENT, .offset = FIELD(cta_refill)),                                 \
        MSW_ROW(.name = "immediates_far", .kind = MSW_FLAG, .unit = "", .max = 1, .def = 0,        \
                .neutral = MSW_NEUTRAL(0),                                                         \
                .doc = "the track table sends instructions with an immediate operand far",         \
                .source = MSW_INFERRED,                                                            \
                .reference = "section IV-B asks for registers alone; " RELEASED_WORD " so",        \
                .acts = "pipeline = 'hybrid'", .offset = FIELD(immediates_far))

#endif

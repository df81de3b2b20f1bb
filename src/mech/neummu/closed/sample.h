/* SPDX-License-Identifier: MIT */
/* Private to neummu's closed form: steps that the cycle model simulates where formulas of flows do
 * not suffice, and what all steps are taken to give then: README.md, "Steps that are simulated". */
#ifndef MSW_MECH_NEUMMU_CLOSED_SAMPLE_H
#define MSW_MECH_NEUMMU_CLOSED_SAMPLE_H

#include "mech/neummu/machine/timeline.h"
#include "mech/neummu/model.h"
#include "mech/neummu/stream.h"

/* A step that is simulated. */
typedef struct neummu_sampled_step {
    uint64_t step;
    double size, weight; /* weight: steps of its size that it stands for */
    double form, known;  /* its cycles by the formulas, and with every translation known */
    double simulated[NEUMMU_UNIT_METRICS];
} neummu_sampled_step;

typedef struct neummu_sample {
    const neummu_stream *stream;
    neummu_sampled_step *steps; /* in order */
    uint64_t count;
    double size; /* of all steps */
    bool pass;   /* all steps, in one pass */
} neummu_sample;

/* Estimates over all steps. */
typedef struct neummu_estimate {
    double loss, error; /* cycles lost to translation, and their standard error */
    double causes[3];   /* shares of layer_start, translation, store_translation */
    double counts[NEUMMU_UNIT_METRICS];
} neummu_estimate;

/* Returns whether the formulas have all that a config has, and the stream is not short. */
bool neummu_formulas_suffice(const neummu_config *config, const neummu_stream *stream);

/* Cycles of each step by the formulas, and with every translation known. */
typedef struct neummu_forms {
    double *form, *known;
} neummu_forms;

/* Draws the steps to simulate, `more` times as many as are enough for most configs; all where that
 * takes no longer. They depend on the stream, and on whether the cycle model is one pass. Returns
 * 0, or -1. */
int neummu_sample_draw(neummu_sample *sample, const msw_task *task, const neummu_forms *forms,
                       double more, msw_err *err);

/* Simulates the steps. Returns 0, or -1. */
int neummu_sample_simulate(neummu_sample *sample, const msw_task *task, msw_err *err);

/* Estimates what all steps lose of which the formulas say `form` cycles, and what `translations`
 * requests of theirs do. */
void neummu_sample_estimate(const neummu_sample *sample, double form, double translations,
                            neummu_estimate *out);

#endif

/* SPDX-License-Identifier: MIT */
/* Private to uvm: a trained predictor: its vocabulary, weights and answers; and a predictor that
 * is being trained or asked. */
#ifndef MSW_MECH_UVM_NETWORK_H
#define MSW_MECH_UVM_NETWORK_H

#include "mech/uvm/learn/samples.h"

#include "memsweep/mech/mechanism.h"
#include "memsweep/sim/net.h"

/* What training left (a kept artifact). */
typedef struct uvm_network {
    uvm_vocabularies vocabulary;
    uint64_t seed;     /* of weights, rotations and draws */
    uint64_t learned;  /* samples there were to learn from */
    uint64_t dominant; /* of these, with the commonest label */
    uint64_t visits;
    double reached; /* share of right answers among the last that were looked at while learning */
    const char *weights; /* msw_net_flatten */
    size_t weight_bytes;
} uvm_network;

enum { UVM_MOST_TUNINGS = 64 };

/* Versions of the corpus' network that were tuned to a program (a kept artifact). */
typedef struct uvm_tuned {
    const uvm_network *version[UVM_MOST_TUNINGS];
    size_t count;
} uvm_tuned;

/* A predictor that is trained while a program runs: version v answers from v x `every` on. */
typedef struct uvm_trained {
    const uvm_network *version[UVM_MOST_TUNINGS + 1];
    size_t count;
    uint32_t every; /* thousands (1024) of instructions */
} uvm_trained;

/* How a network is trained. */
typedef struct uvm_course {
    const uvm_network *from; /* goes on from it; NULL: new */
    uint64_t visits;
    const uvm_tuned *done; /* versions before, which are saved with it */
    const char *saved;     /* NULL, or what a build that ended early had */
    size_t saved_size;
} uvm_course;

typedef struct uvm_answers {
    const uint8_t *rank; /* [asked] of the label among the answers, from 1 on; 0: not among ten */
    const uint32_t *answer, *label; /* [asked] classes */
    size_t count;
    msw_net_watched watched;
} uvm_answers;

/* What a predictor names for replay (an artifact). */
typedef struct uvm_named {
    const uint32_t *page; /* [page] that is predicted where it is row for first */
    uint64_t bytes;       /* of its weights */
} uvm_named;

/* Returns the shape of a predictor with this vocabulary. */
msw_net_shape uvm_net_shape_of(const uvm_learner *p, const uvm_network *network);

/* Returns the bytes of a number (an msw_net_numbers): 4 in floats, half a byte with 4 bits. */
double uvm_number_bytes(int64_t numbers);

/* Whether attention is left out: one label dominates. */
bool uvm_bypassed(const uvm_learner *p, const uvm_network *network);

/* Visits of samples, in whole batches. */
uint64_t uvm_batches_of(const uvm_learner *p, int64_t visits);

/* Trains on samples (those learned from). Returns it, or NULL with `err`. */
const uvm_network *uvm_network_train(const msw_task *task, uvm_samples *samples,
                                     const uvm_course *course, msw_arena *arena, msw_err *err);

int uvm_network_flatten(const void *root, msw_text *bytes, msw_err *err);
int uvm_network_unflatten(const uvm_learner *p, const char *bytes, size_t size, msw_arena *arena,
                          const void **root, msw_err *err);

int uvm_tuned_flatten(const void *root, msw_text *bytes, msw_err *err);
int uvm_tuned_unflatten(const uvm_learner *p, msw_flat *flat, msw_arena *arena, uvm_tuned *tuned,
                        msw_err *err);

/* Asks it about samples (those asked). Returns the answers, or NULL with `err`. */
const uvm_answers *uvm_network_infer(const msw_task *task, const uvm_trained *trained,
                                     uvm_samples *samples, msw_arena *arena, msw_err *err);

typedef struct training_set {
    const msw_task *task;
    uvm_samples *samples;
    const uvm_course *course; /* NULL: it is asked */
    msw_net *net;
    uint64_t *chosen;
    msw_net_answer *answers;
    uint64_t visits;
    double reached;
} training_set;

/* Makes a network with room for a batch, and for what is asked of it. Returns 0, or -1. */
int uvm_training_set_open(training_set *l, const uvm_learner *p, const uvm_network *n,
                          msw_arena *work, msw_err *err);

struct uvm_online;

/* A task of replay: makes a predictor that is asked about the walks it is shown. Returns 0, or
 * -1 with `err`. */
int uvm_online_open(const msw_task *task, struct uvm_online *online, msw_err *err);

/* The `call` of an msw_net_each whose self is a task. */
void uvm_call_task(const void *self, size_t n, void (*fn)(void *context, size_t i), void *context);

#endif

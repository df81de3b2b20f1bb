/* Private to uvm: the tables and functions of the record of predictors. */
#ifndef MSW_MECH_UVM_LEARN_RECORD_H
#define MSW_MECH_UVM_LEARN_RECORD_H

#include "mech/uvm/learn/score.h"

enum { UVM_L_STREAM, UVM_L_LAYOUT, UVM_L_TRACE, UVM_L_NETWORK, UVM_L_CORPUS, UVM_L_ANSWERS };

extern const msw_param uvm_predictor_params[];
extern const msw_metric uvm_predictor_metrics[];

/* build.c: the artifacts. */
int uvm_build_trace(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                    msw_err *err);
int uvm_build_network(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int uvm_build_corpus(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                     msw_err *err);
int uvm_build_answers(const msw_task *task, const void *extra, msw_arena *arena, const void **root,
                      msw_err *err);
int uvm_read_network(const msw_task *task, const char *bytes, size_t size, msw_arena *arena,
                     const void **root, msw_err *err);
double uvm_network_cost(const msw_task *task);

/* The network that a task has: its own, or that of the corpus. */
const uvm_network *uvm_network_of(const msw_task *task);

#endif

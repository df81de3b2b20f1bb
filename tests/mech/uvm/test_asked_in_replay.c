/* SPDX-License-Identifier: MIT */
/* Defect 741. Does a predictor that is asked in replay, told of the walks of a trace, name what
 * the table that all policies share names: for any clusters and features, repeats kept or dropped?
 * And does a replay that asks it with its own walks go through? */
#include "direct.h"
#include "testing.h"

#include "mech/uvm/learn/network.h"
#include "mech/uvm/learn/record.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/predict.h"

#include <string.h>

/* What the last run built, by number: the newest entry is the last artifact. */
static void list_artifacts(const direct *d, const void **artifacts)
{
    static const int BUILT[] = {UVM_ARTIFACT_PREDICTIONS, UVM_ARTIFACT_NETWORK,
                                UVM_ARTIFACT_TRACE,       UVM_ARTIFACT_LINK,
                                UVM_ARTIFACT_LAYOUT,      UVM_ARTIFACT_STREAM};
    const direct_entry *e = d->entries;
    for (size_t i = 0; i < sizeof BUILT / sizeof *BUILT; i++, e = e->next) {
        assert_non_null(e);
        artifacts[BUILT[i]] = e->root;
    }
}

static void open_uvm(direct *d, double cluster, double features, double repeats)
{
    msw_err err = {0};
    assert_ok(direct_open(d, msw_mech_find("uvm"), "uvm/nw/n=128", &err), err);
    direct_set(d, "prefetcher", UVM_LEARNED);
    direct_set(d, "predict_distance", 3);
    direct_set(d, "cluster", cluster);
    direct_set(d, "features", features);
    direct_set(d, "repeats", repeats);
    direct_set(d, "width", 24);
    direct_set(d, "bypass", 2);
    direct_set(d, "network", MSW_NET_MLP); /* each place of a token counts */
    direct_set(d, "hidden", 16);
    direct_set(d, "feed", 8);
    direct_set(d, "train_batch", 32);
    direct_set(d, "visits", 256);
    direct_set(d, "learning_rate", 0.02);
    direct_set(d, "classes_most", 64);
}

static uvm_event event_of(const uvm_trace_row *row)
{
    return (uvm_event){.page = row->page,
                       .sm = row->sm,
                       .warp = row->warp,
                       .pc = row->pc % 64,
                       .cta = row->cta,
                       .at = row->at,
                       .launch = row->launch,
                       .kernel = row->pc / 64,
                       .hit = row->hit};
}

/* All samples of the trace, asked in batches: the page that each names, + 1, or 0, by row. */
static uint64_t *name_in_batches(direct *d, const uvm_trace *trace)
{
    msw_err err = {0};
    const uvm_learner *p = uvm_predictor_of(&d->task);
    uint64_t *named = msw_arena_zero(&d->arena, trace->count, sizeof *named);
    uvm_samples *s = uvm_samples_of(p, trace, 1, &d->arena, &err);
    const uvm_trained *taught = uvm_trained_of(&d->task, &d->arena);
    for (s->asked_count = 0; s->asked_count < s->count; s->asked_count++)
        s->asked[s->asked_count] = (uint32_t)s->asked_count;
    const uvm_answers *a = uvm_network_infer(&d->task, taught, s, &d->arena, &err);
    assert_non_null(a);
    for (size_t i = 0; i < s->count; i++) {
        const uvm_vocabulary *labels = &taught->version[0]->vocabulary.labels;
        int64_t page = trace->rows[s->rows[i]].page + uvm_vocabulary_value(labels, a->answer[i]);
        named[s->rows[i]] =
            a->answer[i] && page >= 0 ? (uint64_t)page + 1 : (uint64_t)UINT32_MAX + 1;
    }
    return named;
}

/* Returns how many walks named a page, after more than 30 of their cluster. */
static size_t compare(direct *d)
{
    msw_err err = {0};
    const void *artifacts[16] = {0};
    uvm_online asker;
    size_t named = 0;
    list_artifacts(d, artifacts);
    d->task.artifacts = artifacts;
    assert_ok(uvm_online_open(&d->task, &asker, &err), err);
    const uvm_trace *trace = artifacts[UVM_ARTIFACT_TRACE];
    const uvm_named *shared = artifacts[UVM_ARTIFACT_PREDICTIONS];
    const uint64_t *wanted = name_in_batches(d, trace);
    for (size_t i = 0; i < trace->count; i++) {
        int failed = 0;
        uvm_event event = event_of(&trace->rows[i]);
        assert_int_equal(asker.tell(asker.self, &event), 0);
        uint64_t page = asker.ask(asker.self, &failed);
        assert_int_equal(failed, 0);
        if (!event.hit)
            assert_int_equal((uint32_t)page, shared->page[event.page]);
        if (!wanted[i])
            continue;
        assert_int_equal(page, wanted[i] > UINT32_MAX ? UINT64_MAX : wanted[i] - 1);
        named += i > 60 && page != UINT64_MAX;
    }
    return named;
}

static void test_both_ways_name_the_same(void **state)
{
    (void)state;
    size_t named = 0;
    for (int cluster = UVM_CLUSTER_SM; cluster <= UVM_CLUSTER_WARP; cluster++) {
        direct d;
        open_uvm(&d, cluster, cluster % 2 ? UVM_F_ALL : UVM_F_DELTA_PC, cluster == UVM_CLUSTER_PC);
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        named += compare(&d);
        direct_close(&d);
    }
    assert_true(named > 200);
}

static void test_replay_asks_with_its_own_walks(void **state)
{
    (void)state;
    direct d;
    double cycles[2];
    open_uvm(&d, UVM_CLUSTER_SM, UVM_F_ALL, UVM_REPEATS_DROPPED);
    direct_set(&d, "predict_on", UVM_ON_WALK);
    for (int asks = 0; asks < 2; asks++) {
        direct_set(&d, "predict_asks", asks);
        direct_run(&d, MSW_FULL, 1);
        assert_int_equal(d.answer.status, MSW_OK);
        cycles[asks] = d.metrics[msw_metrics_find(d.mech->metrics, "cycles")];
    }
    assert_true(cycles[0] > 0 && cycles[1] > 0);
    assert_true(d.metrics[msw_metrics_find(d.mech->metrics, "predictions")] > 0);
    direct_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways_name_the_same),
        cmocka_unit_test(test_replay_asks_with_its_own_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

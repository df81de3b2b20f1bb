/* SPDX-License-Identifier: MIT */
/* Asking a predictor, or what became of it while a program ran. */
#include "mech/uvm/learn/lesson.h"

static uint8_t rank_of(const msw_net_answer *a)
{
    for (int i = 0; i < MSW_NET_BEST; i++)
        if (a->best[i] == a->label)
            return (uint8_t)(i + 1);
    return 0;
}

/* Where answers are written. */
typedef struct asked {
    uint8_t *rank;
    uint32_t *answer, *label;
} asked;

static uvm_answers *take_answers(size_t count, msw_arena *arena, asked *to)
{
    uvm_answers *made = msw_arena_zero(arena, 1, sizeof *made);
    to->rank = msw_arena_take(arena, count + 1);
    to->answer = msw_arena_take(arena, (count + 1) * sizeof *to->answer);
    to->label = msw_arena_take(arena, (count + 1) * sizeof *to->label);
    if (!made || !to->rank || !to->answer || !to->label)
        return NULL;
    *made =
        (uvm_answers){.rank = to->rank, .answer = to->answer, .label = to->label, .count = count};
    return made;
}

/* Asks a version from a place on; `end` is where the next one takes over. */
static void ask_from(lesson *l, size_t at, size_t end, const asked *to)
{
    msw_net_each each = {uvm_call_task, l->task};
    uint32_t batch = (uint32_t)l->samples->how->batch;
    while (at < end) {
        uint32_t some = 0;
        for (; some < batch && at + some < end; some++)
            l->chosen[some] = l->samples->asked[at + some];
        msw_net_ask(l->net, l->chosen, some, uvm_sample_fetch, l->samples, each, l->answers);
        for (uint32_t i = 0; i < some; i++, at++) {
            to->label[at] = l->answers[i].label;
            to->answer[at] = l->answers[i].best[0];
            to->rank[at] = rank_of(&l->answers[i]);
        }
    }
}

/* The samples asked are in order of time. Returns where those of the next version begin. */
static size_t end_of(const uvm_taught *taught, const uvm_samples *s, size_t version, size_t at)
{
    if (version + 1 == taught->count)
        return s->asked_count;
    uint64_t until = (version + 1) * (uint64_t)taught->every;
    while (at < s->asked_count && s->trace->rows[s->rows[s->asked[at]]].at < until)
        at++;
    return at;
}

static void watch(uvm_answers *made, const msw_net *net)
{
    msw_net_watched seen = msw_net_seen(net), *all = &made->watched;
    double sum = all->sequences + seen.sequences;
    if (!(seen.sequences > 0))
        return;
    all->dots = (all->dots * all->sequences + seen.dots * seen.sequences) / sum;
    all->largest = (all->largest * all->sequences + seen.largest * seen.sequences) / sum;
    all->sequences = sum;
}

static int ask_version(const msw_task *task, const uvm_network *network, uvm_samples *samples,
                       size_t at, size_t end, const asked *to, uvm_answers *made, msw_err *err)
{
    msw_arena work = {0};
    lesson l = {.task = task, .samples = samples};
    int rc = uvm_samples_express(samples, &network->words, &work, err);
    if (rc == 0)
        rc = uvm_lesson_open(&l, samples->how, network, &work, err);
    if (rc == 0)
        rc = msw_net_unflatten(l.net, false, network->weights, network->weight_bytes, err);
    if (rc == 0) {
        msw_net_watch(l.net);
        ask_from(&l, at, end, to);
        watch(made, l.net);
    }
    msw_arena_free(&work);
    return rc;
}

const uvm_answers *uvm_network_ask(const msw_task *task, const uvm_taught *taught,
                                   uvm_samples *samples, msw_arena *arena, msw_err *err)
{
    asked to;
    size_t at = 0;
    uvm_answers *made = take_answers(samples->asked_count, arena, &to);
    if (!made) {
        msw_fail_memory(err);
        return NULL;
    }
    for (size_t v = 0; v < taught->count; v++) {
        size_t end = end_of(taught, samples, v, at);
        if (end > at && ask_version(task, taught->version[v], samples, at, end, &to, made, err))
            return NULL;
        at = end;
    }
    return made;
}

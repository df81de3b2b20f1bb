/* SPDX-License-Identifier: MIT */
/* Defect 1391. Does every choice of Algorithm 1 follow from the paper's listing? The machine runs
 * tenants that contend for pages, and what is seen from outside after each event goes to
 * replay_choices.py, which knows the candidates and when operators end, and decides by itself.
 * MEMSWEEP_FULL=1 replays 5,000 choices and more. */
#include "camdn_rig.h"
#include "testing.h"

#include "mech/camdn/plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_block(FILE *to, const camdn_rig *r, uint32_t network, uint32_t b)
{
    const camdn_plans *plans = r->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_block_plan *block = &plans->of[network].blocks[b];
    const camdn_expected *e = r->system->expected;
    fprintf(to, "block %u %u %u %u %u %.17g %d\n", network, b, block->first, block->end,
            block->pages, e->blocks[network][b], e->block_worth[network][b]);
}

/* Candidates: pages of each, and which of them stands for it as worth its pages. */
static void write_op(FILE *to, const camdn_rig *r, uint32_t network, uint32_t o)
{
    const camdn_plans *plans = r->artifacts[CAMDN_ARTIFACT_PLANS];
    const camdn_op_plan *op = &plans->of[network].ops[o];
    const camdn_expected *e = r->system->expected;
    fprintf(to, "op %u %u %u %.17g", network, o, op->block, e->ops[network][o]);
    for (uint32_t i = 0; i < op->count; i++)
        fprintf(to, " %u:%u", op->levels[i].pages, e->worth[network][o * CAMDN_LEVELS_MAX + i]);
    fprintf(to, "\n");
}

static void write_plans(FILE *to, const camdn_rig *r)
{
    const camdn_plans *plans = r->artifacts[CAMDN_ARTIFACT_PLANS];
    const msw_graph_product *mix = r->s.product.data;
    fprintf(to, "plan %u %u %.17g %d %d\n", plans->pages, plans->share, r->config.timeout,
            (int)r->config.page_cycles, (int)r->config.tenants);
    for (uint32_t n = 0; n < mix->count; n++) {
        for (uint32_t b = 0; b < plans->of[n].block_count; b++)
            write_block(to, r, n, b);
        for (uint32_t o = 0; o < plans->of[n].op_count; o++)
            write_op(to, r, n, o);
    }
}

/* `how`: an operator begins (E: the one before has ended), time is out (T), pages have come (G). */
static void write_choice(FILE *to, const camdn_rig *r, char how, uint64_t now, uint32_t tenant)
{
    const camdn_npu *n = &r->system->npus[tenant];
    fprintf(to, "%c %u %" PRIu64 " %u %u %d %d %u %u %u %" PRIu64 " %" PRIu64 " %u\n", how, tenant,
            now, n->task.now.network, n->task.op, n->stage == CAMDN_RUNNING,
            (int)n->request.candidate, n->request.need, n->ptable.count, r->system->pool.idle_count,
            n->time, n->request.next_time, n->request.next_need);
}

static char kind_of(camdn_stage before)
{
    return before == CAMDN_WAITING ? 'T' : before == CAMDN_GRANTED ? 'G' : 'E';
}

/* Runs until all tasks are over. Returns the number of choices. */
static unsigned run_machine(FILE *to, camdn_rig *r)
{
    camdn_system *s = r->system;
    unsigned choices = 0;
    for (uint64_t unit = 0; unit < s->counted;) {
        if (s->results[unit].done) {
            unit++;
            continue;
        }
        uint32_t tenant = camdn_heap_first(s);
        camdn_npu *n = &s->npus[tenant];
        camdn_npu before = *n;
        s->now = n->time;
        camdn_npu_go(s, tenant);
        camdn_heap_update(s, tenant);
        assert_false(s->failed);
        bool began = n->task.op != before.task.op || n->task.number != before.task.number;
        if (before.stage != CAMDN_RUNNING || began) {
            write_choice(to, r, began ? 'E' : kind_of(before.stage), before.time, tenant);
            choices++;
        }
        if (n->stage == CAMDN_BETWEEN)
            fprintf(to, "B %u %" PRIu64 "\n", tenant, n->time);
    }
    return choices;
}

static void replay(const char *workload, int64_t tenants, int64_t tasks, int64_t cache,
                   unsigned least)
{
    camdn_rig r;
    char name[] = "/tmp/camdn-choices-XXXXXX", command[512];
    int file = mkstemp(name);
    FILE *to = file < 0 ? NULL : fdopen(file, "w");
    assert_non_null(to);
    camdn_rig_open(&r, workload);
    r.config.allocation = CAMDN_DYNAMIC, r.config.tenants = tenants, r.config.tasks = tasks;
    r.config.cache = cache, r.config.page_cycles = 3;
    camdn_rig_start(&r);
    write_plans(to, &r);
    for (uint32_t t = 0; t < (uint32_t)tenants; t++)
        write_choice(to, &r, 'S', 0, t);
    unsigned choices = run_machine(to, &r);
    fclose(to);
    camdn_rig_close(&r);
    snprintf(command, sizeof command,
             "python3 -I '" MEMSWEEP_SOURCE "/tests/mech/camdn/replay_choices.py' '%s'", name);
    if (getenv("MEMSWEEP_SHOW"))
        printf("%s: %u choices in %s\n", workload, choices, name);
    assert_true(choices >= least);
    assert_int_equal(system(command), 0);
    if (!getenv("MEMSWEEP_SHOW"))
        remove(name);
}

static void test_choices_are_those_of_the_listing(void **state)
{
    (void)state;
    replay("mix:mobilenet_v2", 8, 1, 1 << 20, 400);
    if (!getenv("MEMSWEEP_FULL"))
        return;
    replay("mix:mobilenet_v2", 16, 4, 4 << 20, 3000);
    replay("mix:mobilenet_v2+efficientnet_b0", 12, 4, 2 << 20, 2500);
    replay("mix:resnet50+mobilenet_v2", 8, 2, 8 << 20, 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choices_are_those_of_the_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/* Defect 817. Slices behind links: do lines take the links of their way, by hand, and does the
 * closed form follow? */
#include "direct.h"
#include "testing.h"

#include "mech/camdn/machine/system.h"

#include <math.h>

static void mesh_by_hand(void **state)
{
    (void)state;
    camdn_config c;
    msw_params_defaults(camdn_params, &c);
    c.tenants = c.npus = 4, c.slices = 4, c.mesh_width = 2;
    /* NPUs and slices 0 to 3 at the same nodes of 2 x 2: 1 + 1 + 2 hops of 4; slices 1 and 3 go to
     * NPU 0 over the link west of node 1: 3 first goes west to 2, then north */
    camdn_mesh_load load = camdn_mesh_load_of(&c);
    assert_true(load.hops == 1);
    assert_true(load.most == 0.5);
    assert_int_equal(camdn_mesh_nodes(&c), 4);
    c.npus = 3;
    assert_int_equal(camdn_mesh_nodes(&c), 4);
    c.slices = 8;
    assert_int_equal(camdn_mesh_slice(&c, 7), 3);
    c.mesh_width = 0;
    assert_true(camdn_mesh_load_of(&c).hops == 0);
}

static void line_crosses_by_hand(void **state)
{
    (void)state;
    camdn_config c;
    msw_params_defaults(camdn_params, &c);
    msw_dram_server links[2 * CAMDN_WAYS];
    camdn_system s = {.config = &c, .cores = 1};
    c.tenants = c.npus = 1, c.slices = 2, c.mesh_width = 2, c.link_bytes = 16, c.hop_cycles = 3;
    camdn_links_start(&s, links);
    assert_int_equal(camdn_links_bytes(&c), sizeof links);
    assert_int_equal(camdn_links_cross(&s, 0, 0, false, 10), 10); /* its own node */
    assert_int_equal(camdn_links_cross(&s, 0, 1, false, 10), 10 + 4 + 3 + 3);
    assert_int_equal(camdn_links_cross(&s, 0, 1, false, 10), 10 + 2 * 4 + 3 + 3); /* behind it */
    assert_int_equal(camdn_links_cross(&s, 0, 1, true, 10), 10 + 4 + 3); /* the other way */
}

typedef struct far {
    double width, bytes, hop, control;
} far;

static double run(const far *f, msw_fidelity fidelity)
{
    direct d;
    msw_err err = {0};
    assert_ok(direct_open(&d, msw_mech_find("camdn"), "mix/small", &err), err);
    direct_set(&d, "tenants", 8);
    direct_set(&d, "tasks", 2);
    direct_set(&d, "cache_control", f->control);
    direct_set(&d, "mesh_width", f->width);
    direct_set(&d, "link_bytes", f->bytes);
    direct_set(&d, "hop_cycles", f->hop);
    direct_run(&d, fidelity, 1);
    assert_int_equal(d.answer.status, MSW_OK);
    double cycles = d.answer.metrics[CAMDN_CYCLES];
    direct_close(&d);
    return cycles;
}

/* What near links cost, at both fidelities, within a tenth of all; far ones, whose latency no array
 * hides, at least double the time of small products at full, and cost
 * half of it at least in the closed form, where tenants wait for each other's lines before. */
static void both_fidelities_pay_for_links(void **state)
{
    (void)state;
    for (double control = CAMDN_TAGGED; control <= CAMDN_PAGED; control++) {
        far none = {0, 64, 2, control}, wide = {4, 64, 2, control}, slow = {4, 64, 40, control};
        double full = run(&none, MSW_FULL), closed = run(&none, MSW_ANALYTIC);
        double a = run(&wide, MSW_FULL) / full, b = run(&slow, MSW_FULL) / full;
        double c = run(&wide, MSW_ANALYTIC) / closed, e = run(&slow, MSW_ANALYTIC) / closed;
        assert_true(1 < a && a < b && 1 < c && c < e);
        assert_true(fabs(a - c) < 0.1 * a);
        assert_true(b > 2 && e > 1.5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mesh_by_hand),
                                       cmocka_unit_test(line_crosses_by_hand),
                                       cmocka_unit_test(both_fidelities_pay_for_links)};
    return cmocka_run_group_tests_name("camdn_links", tests, NULL, NULL);
}

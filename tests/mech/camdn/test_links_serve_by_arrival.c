/* SPDX-License-Identifier: MIT */
/* Defect 500. Links of the mesh served messages in the order in which these were sent: one that
 * had far to go, or waited behind others, held the links at the end of its way against those that
 * reached them long before. Cores asking one core for the same lines then took up to twice their
 * time. */
#include "testing.h"

#include "mech/mpu/machine/machine.h"

/* Two cubes side by side of a row of four cores each; links carry 8 bytes a cycle between cores, 4
 * between cubes; a router takes a cycle. */
static void make(mpu_network *n, msw_arena *arena)
{
    mpu_config c;
    msw_params_defaults(mpu_params, &c);
    c.processors = c.processor_columns = 2;
    c.cores = c.core_columns = 4;
    c.on_chip_bits = 64;
    c.off_chip_bits = 32;
    c.on_chip_ghz = c.off_chip_ghz = c.router_ghz = c.core_ghz = 1;
    c.router_cycles = 1;
    assert_int_equal(mpu_network_init(n, &c, 8, arena), 0);
}

static void post(mpu_network *n, uint64_t time, uint32_t from, uint32_t to, uint64_t bytes)
{
    uint32_t number = mpu_message_new(n);
    n->messages[number] = (mpu_message){.time = time, .from = from, .to = to, .bytes = bytes};
    mpu_network_post(n, number);
}

static uint64_t arrival(mpu_network *n, uint32_t message)
{
    return n->messages[message].time;
}

/* The first holds link 0 for 100 cycles; the second gets it at 100 and reaches link 1 at 101; the
 * third, sent last, has all of link 1 until then. */
static void who_is_held_up_holds_up_nobody(void **state)
{
    (void)state;
    mpu_network n;
    msw_arena arena = {0};
    make(&n, &arena);
    post(&n, 0, 0, 1, 800);
    post(&n, 0, 0, 2, 80);
    post(&n, 2, 1, 2, 80);
    mpu_network_move(&n, UINT64_MAX, 0);
    assert_int_equal(arrival(&n, 0), 0 + 100 + 1);
    assert_int_equal(arrival(&n, 1), 101 + 10 + 1);
    assert_int_equal(arrival(&n, 2), 2 + 10 + 1);
    msw_arena_free(&arena);
}

/* Two meet at the link between cubes; the tail of the first, which had it, waits for the
 * slower link. */
static void heads_wait_where_they_meet(void **state)
{
    (void)state;
    mpu_network n;
    msw_arena arena = {0};
    make(&n, &arena);
    post(&n, 5, 2, 5, 64);
    post(&n, 7, 3, 4, 64);
    mpu_network_move(&n, UINT64_MAX, 0);
    /* the first: link 2 at 5, the link between cubes at 6 for 16 cycles, link 4 at 7 */
    assert_int_equal(arrival(&n, 0), 6 + 16 + 1 + 1);
    assert_int_equal(arrival(&n, 1), 22 + 16 + 1);
    msw_arena_free(&arena);
}

/* Only what reaches a node before the time asked for goes on. */
static void time_is_not_run_ahead_of(void **state)
{
    (void)state;
    mpu_network n;
    msw_arena arena = {0};
    make(&n, &arena);
    post(&n, 0, 0, 3, 8);
    mpu_network_move(&n, 2, 0);
    assert_int_equal(n.messages[0].x, 2);
    post(&n, 1, 2, 3, 80); /* at link 2 before the other, whose head is there at 2 */
    mpu_network_move(&n, UINT64_MAX, 0);
    assert_int_equal(arrival(&n, 1), 1 + 10 + 1);
    assert_int_equal(arrival(&n, 0), 11 + 1 + 1);
    msw_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_is_held_up_holds_up_nobody),
                                       cmocka_unit_test(heads_wait_where_they_meet),
                                       cmocka_unit_test(time_is_not_run_ahead_of)};
    return cmocka_run_group_tests_name("links serve by arrival", tests, NULL, NULL);
}

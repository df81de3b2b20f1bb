/* SPDX-License-Identifier: MIT */
/* Does a mesh deliver what was sent, when every byte of every packet, moved cycle by cycle, is
 * there? */
#include "memsweep/base/rng.h"
#include "memsweep/sim/mesh.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static msw_mesh *mesh_new(const msw_mesh_config *config)
{
    msw_err err;
    assert_ok(msw_mesh_check(config, &err), err);
    return msw_mesh_init(aligned_alloc(64, (msw_mesh_bytes(config) + 63) / 64 * 64), config, &err);
}

/* ---- the referee: bytes move one by one, every link is looked at in every cycle ---- */

enum { PACKETS = 60, HOPS = 16, BYTES = 40, LINKS = 32 * MSW_MESH_WAYS };
#define NEVER UINT64_MAX

typedef struct hop {
    uint32_t link, width, latency;
    uint64_t reached;     /* by the first byte */
    uint64_t left[BYTES]; /* cycle in which a byte left */
    uint32_t sent;
} hop;

typedef struct trip {
    msw_mesh_packet packet;
    uint32_t hops;
    hop hop[HOPS];
} trip;

typedef struct referee {
    const msw_mesh_config *config;
    uint32_t count;
    trip trips[PACKETS];
    int holder[LINKS]; /* packet, or -1 */
} referee;

static bool far_apart(uint32_t a, uint32_t b, uint32_t tile)
{
    return tile && a / tile != b / tile;
}

static void add_hop(trip *t, const msw_mesh_config *c, uint32_t node, uint32_t way, bool far)
{
    bool port = way >= MSW_MESH_IN;
    t->hop[t->hops] = (hop){.link = node * MSW_MESH_WAYS + way,
                            .width = port  ? c->port_bytes
                                     : far ? c->far_bytes
                                           : c->link_bytes,
                            .latency = port  ? c->port_cycles
                                       : far ? c->far_hop
                                             : c->hop_cycles,
                            .reached = NEVER};
    t->hops++;
}

static void plan_trip(trip *t, const msw_mesh_config *c)
{
    uint32_t x = t->packet.from % c->width, y = t->packet.from / c->width;
    uint32_t to_x = t->packet.to % c->width, to_y = t->packet.to / c->width;
    add_hop(t, c, y * c->width + x, MSW_MESH_IN, false);
    for (; x < to_x; x++)
        add_hop(t, c, y * c->width + x, MSW_MESH_EAST, far_apart(x, x + 1, c->tile_width));
    for (; x > to_x; x--)
        add_hop(t, c, y * c->width + x, MSW_MESH_WEST, far_apart(x, x - 1, c->tile_width));
    for (; y < to_y; y++)
        add_hop(t, c, y * c->width + x, MSW_MESH_SOUTH, far_apart(y, y + 1, c->tile_height));
    for (; y > to_y; y--)
        add_hop(t, c, y * c->width + x, MSW_MESH_NORTH, far_apart(y, y - 1, c->tile_height));
    add_hop(t, c, y * c->width + x, MSW_MESH_OUT, false);
    t->hop[0].reached = t->packet.time;
}

/* The hop of a packet on a link that it has not begun, or -1. */
static int waits_for(const trip *t, uint32_t link, uint64_t cycle)
{
    for (uint32_t h = 0; h < t->hops; h++)
        if (t->hop[h].link == link)
            return t->hop[h].reached <= cycle && t->hop[h].sent == 0 ? (int)h : -1;
    return -1;
}

static void give_link(referee *r, uint32_t link, uint64_t cycle)
{
    uint64_t best = NEVER;
    for (uint32_t p = 0; p < r->count; p++) {
        int h = waits_for(&r->trips[p], link, cycle);
        if (h >= 0 && r->trips[p].hop[h].reached < best) {
            best = r->trips[p].hop[h].reached;
            r->holder[link] = (int)p;
        }
    }
}

/* Bytes that are there and not sent go, as many as the link is wide. */
static bool move_bytes(trip *t, uint32_t link, uint64_t cycle)
{
    uint32_t h = 0;
    while (t->hop[h].link != link)
        h++;
    hop *own = &t->hop[h];
    for (uint32_t n = 0; n < own->width && own->sent < t->packet.bytes; n++) {
        if (h && (t->hop[h - 1].sent <= own->sent ||
                  t->hop[h - 1].left[own->sent] + t->hop[h - 1].latency > cycle))
            break;
        if (own->sent == 0 && h + 1 < t->hops)
            t->hop[h + 1].reached = cycle + own->latency;
        own->left[own->sent++] = cycle;
    }
    return own->sent == t->packet.bytes;
}

static void referee_play(referee *r)
{
    uint32_t links = r->config->width * r->config->height * MSW_MESH_WAYS, left = r->count;
    memset(r->holder, 0xff, sizeof r->holder);
    for (uint64_t cycle = 0; left; cycle++)
        for (uint32_t link = 0; link < links; link++) {
            if (r->holder[link] < 0)
                give_link(r, link, cycle);
            if (r->holder[link] >= 0 && move_bytes(&r->trips[r->holder[link]], link, cycle)) {
                left -= link % MSW_MESH_WAYS == MSW_MESH_OUT;
                r->holder[link] = -1;
            }
        }
}

static uint64_t delivered(const trip *t)
{
    const hop *last = &t->hop[t->hops - 1];
    return last->left[t->packet.bytes - 1] + 1 + last->latency;
}

/* ---- tests ---- */

static msw_mesh_config random_mesh(msw_rng *rng)
{
    return (msw_mesh_config){.width = 1 + (uint32_t)msw_rng_below(rng, 5),
                             .height = 1 + (uint32_t)msw_rng_below(rng, 5),
                             .link_bytes = 1u << msw_rng_below(rng, 5),
                             .hop_cycles = 1 + (uint32_t)msw_rng_below(rng, 4),
                             .port_bytes = 1u << msw_rng_below(rng, 5),
                             .port_cycles = 1 + (uint32_t)msw_rng_below(rng, 3),
                             .tile_width = (uint32_t)msw_rng_below(rng, 3),
                             .tile_height = (uint32_t)msw_rng_below(rng, 3),
                             .far_bytes = 1u << msw_rng_below(rng, 4),
                             .far_hop = 1 + (uint32_t)msw_rng_below(rng, 9),
                             .packets = PACKETS};
}

static void any_traffic_arrives_as_its_bytes_do(void **state)
{
    (void)state;
    referee *r = malloc(sizeof *r);
    uint32_t packets = 0;
    for (uint64_t trial = 0; trial < 80; trial++) {
        msw_rng rng;
        msw_rng_init(&rng, 31, trial);
        msw_mesh_config c = random_mesh(&rng);
        uint32_t nodes = c.width * c.height, spot = (uint32_t)msw_rng_below(&rng, 2);
        memset(r, 0, sizeof *r);
        r->config = &c;
        r->count = PACKETS;
        uint64_t time = 0, gap = 1 + msw_rng_below(&rng, 12);
        for (uint32_t p = 0; p < PACKETS; p++, time += msw_rng_below(&rng, gap)) {
            r->trips[p].packet =
                (msw_mesh_packet){.time = time,
                                  .bytes = 1 + msw_rng_below(&rng, BYTES),
                                  .data = p,
                                  .from = (uint16_t)msw_rng_below(&rng, nodes),
                                  .to = (uint16_t)(spot ? 0 : msw_rng_below(&rng, nodes))};
            plan_trip(&r->trips[p], &c);
        }
        referee_play(r);
        msw_mesh *mesh = mesh_new(&c);
        msw_mesh_packet taken;
        uint32_t got = 0;
        /* Half of the cases send as time goes on, half all at once. */
        for (uint32_t p = 0; p < PACKETS; p++) {
            uint64_t now = r->trips[p].packet.time;
            while (trial % 2 && now && msw_mesh_take(mesh, now - 1, &taken))
                assert_int_equal(taken.time, delivered(&r->trips[taken.data])), got++;
            assert_true(msw_mesh_send(mesh, &r->trips[p].packet));
        }
        for (uint64_t last = 0; msw_mesh_take(mesh, UINT64_MAX, &taken); got++) {
            assert_true(taken.time >= last);
            assert_int_equal(taken.time, delivered(&r->trips[taken.data]));
            last = taken.time;
        }
        assert_int_equal(got, PACKETS);
        packets += got;
        free(mesh);
    }
    print_message("%u packets in 80 cases as their bytes arrive\n", packets);
    free(r);
}

/* By hand: in at 0, router at 1, six hops of 3 to (3, 3), 64 bytes at 32 a cycle out: 1 + 18 + 2
 * + 1. Over far links of 16 bytes and 10 cycles at x = 2: 1 + 3 + 10 + 3 + 9, then the tail of 4
 * cycles that the far link made, not 2. */
static void a_lone_packet_takes_hops_and_its_length(void **state)
{
    (void)state;
    msw_mesh_config c = {.width = 4,
                         .height = 4,
                         .link_bytes = 32,
                         .hop_cycles = 3,
                         .port_bytes = 32,
                         .port_cycles = 1,
                         .packets = 2};
    for (int far = 0; far < 2; far++) {
        c.tile_width = far ? 2 : 0, c.far_bytes = 16, c.far_hop = 10;
        msw_mesh *mesh = mesh_new(&c);
        msw_mesh_packet packet = {.time = 100, .bytes = 64, .from = 0, .to = 15}, taken;
        uint64_t wanted = far ? 1 + 3 + 10 + 3 + 9 + 4 + 1 : 22;
        assert_int_equal(msw_mesh_idle_cycles(mesh, 0, 15, 64), wanted);
        assert_true(msw_mesh_send(mesh, &packet));
        assert_true(msw_mesh_take(mesh, UINT64_MAX, &taken));
        assert_int_equal(taken.time, 100 + wanted);
        assert_false(msw_mesh_take(mesh, UINT64_MAX, &taken));
        /* First along x in row 0, then along y in column 3. */
        for (uint32_t n = 0; n < 16; n++) {
            assert_int_equal(msw_mesh_link_of(mesh, n, MSW_MESH_EAST)->packets, n < 3);
            assert_int_equal(msw_mesh_link_of(mesh, n, MSW_MESH_SOUTH)->packets,
                             n % 4 == 3 && n < 12);
        }
        free(mesh);
    }
}

/* All to one node: its port is never idle, so n packets of k cycles take n k. */
static void a_hot_spot_goes_at_the_width_of_its_port(void **state)
{
    (void)state;
    enum { N = 3000 };
    msw_mesh_config c = {.width = 5,
                         .height = 3,
                         .link_bytes = 16,
                         .hop_cycles = 2,
                         .port_bytes = 16,
                         .port_cycles = 1,
                         .packets = N};
    msw_mesh *mesh = mesh_new(&c);
    msw_mesh_packet packet = {.bytes = 64, .to = 7}, taken;
    uint64_t last = 0, bytes = 0;
    for (uint32_t i = 0; i < N; i++) {
        packet.from = (uint16_t)(i % 15);
        assert_true(msw_mesh_send(mesh, &packet));
    }
    assert_false(msw_mesh_send(mesh, &packet));
    while (msw_mesh_take(mesh, UINT64_MAX, &taken))
        last = taken.time, bytes += taken.bytes;
    assert_int_equal(bytes, N * 64);
    assert_int_equal(msw_mesh_link_of(mesh, 7, MSW_MESH_OUT)->bytes, N * 64);
    assert_int_equal(msw_mesh_link_of(mesh, 7, MSW_MESH_OUT)->busy_cycles, N * 4);
    assert_in_range(last, N * 4, N * 4 + 10);
    free(mesh);
}

static void bad_meshes_are_refused_by_name(void **state)
{
    (void)state;
    const msw_mesh_config good = {.width = 4,
                                  .height = 4,
                                  .link_bytes = 32,
                                  .hop_cycles = 1,
                                  .port_bytes = 32,
                                  .port_cycles = 1,
                                  .packets = 4};
    msw_mesh_config bad[6];
    static const char *const SAYS[] = {"width is 0",      "link_bytes is 24, must be a power",
                                       "hop_cycles is 0", "far_bytes is 0",
                                       "packets is 0",    "256 x 256 nodes, at most 4096"};
    for (int i = 0; i < 6; i++)
        bad[i] = good;
    bad[0].width = 0, bad[1].link_bytes = 24, bad[2].hop_cycles = 0, bad[3].tile_width = 2;
    bad[4].packets = 0, bad[5].width = bad[5].height = 256;
    for (int i = 0; i < 6; i++) {
        msw_err err = {0};
        assert_int_equal(msw_mesh_check(&bad[i], &err), -1);
        if (!strstr(err.text, SAYS[i]))
            fail_msg("\"%s\" does not say \"%s\"", err.text, SAYS[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_traffic_arrives_as_its_bytes_do),
        cmocka_unit_test(a_lone_packet_takes_hops_and_its_length),
        cmocka_unit_test(a_hot_spot_goes_at_the_width_of_its_port),
        cmocka_unit_test(bad_meshes_are_refused_by_name),
    };
    return cmocka_run_group_tests_name("sim_mesh", tests, NULL, NULL);
}

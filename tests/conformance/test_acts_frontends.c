/* SPDX-License-Identifier: MIT */
/* Where the condition of a front end's parameter does not hold (`acts`), is the product the same to
 * the last bit whatever its value? All named workloads, with settings over all parameters, in turns
 * with such near the name's own; those that a condition asks about are often at an end of their
 * range. 24 pairs a parameter; with MEMSWEEP_FULL=1 there are 384. */
#include "space_sample.h"
#include "streams.h"
#include "testing.h"

#include "memsweep/sweep/acting.h"
#include "memsweep/workload/npu.h"
#include "memsweep/workload/pages.h"
#include "memsweep/workload/synth.h"

enum {
    PAIRS = 24,
    MORE = 16, /* times as many with MEMSWEEP_FULL=1 */
    DRAWS = 600,
    PARAMS = 64,
    MOST_DRAWN = 8, /* of what is counted: products stay small */
    MOST_NAMED = 64
};
#define SEED 47

/* ---- all that a product hands out ---- */

static msw_digest with_words(msw_digest d, const uint64_t *words, size_t count)
{
    return msw_hash_pair(d, msw_hash_bytes(words, count * sizeof *words));
}

static msw_digest digest_of_tiles(const msw_npu_product *p)
{
    msw_digest d = msw_hash_bytes(p->tiles, p->tile_count * sizeof *p->tiles);
    d = msw_hash_pair(d, msw_hash_bytes(p->segments, p->segment_count * sizeof *p->segments));
    for (uint64_t i = 0; i < p->layer_count; i++) {
        const msw_npu_layer *l = &p->layers[i];
        uint64_t words[] = {l->macs, l->repeat, l->first_tile, l->tile_count};
        d = with_words(msw_hash_pair(d, msw_hash_string(l->name)), words, 4);
        d = msw_hash_pair(d, msw_hash_bytes(l->tensors, sizeof l->tensors));
    }
    uint64_t words[] = {p->layer_count,  p->tile_count,      p->segment_count, p->tiles_run,
                        p->macs,         p->compute_cycles,  p->load_bytes,    p->store_bytes,
                        p->base_address, p->footprint_bytes, p->overlaps,      p->kept_bytes};
    return with_words(d, words, sizeof words / sizeof *words);
}

static msw_digest digest_of_accesses(const msw_accesses *a)
{
    msw_digest d = accesses_digest(a);
    if (a->batches)
        d = with_words(d, a->batches, a->batch_count);
    for (uint64_t r = 0; r < a->region_count; r++) {
        const msw_region *of = &a->regions[r];
        uint64_t words[] = {of->address, of->bytes, of->rows, of->row_bytes};
        d = with_words(msw_hash_pair(d, msw_hash_string(of->name)), words, 4);
    }
    uint64_t words[] = {a->count,          a->request_bytes, a->stream_count,    a->batch_count,
                        a->region_count,   a->base_address,  a->footprint_bytes, a->bytes != NULL,
                        a->writes != NULL, a->cycles != NULL};
    return with_words(d, words, sizeof words / sizeof *words);
}

static msw_digest digest_of_pages(const msw_page_trace *t)
{
    msw_digest d = msw_hash_bytes(t->accesses, t->count * sizeof *t->accesses);
    d = msw_hash_pair(d, msw_hash_bytes(t->runs, t->run_count * sizeof *t->runs));
    if (t->origins)
        d = msw_hash_pair(d, msw_hash_bytes(t->origins, t->count * sizeof *t->origins));
    for (uint64_t i = 0; i < t->launch_count; i++)
        d = with_words(d, (uint64_t[]){t->launches[i].end, t->launches[i].further}, 2);
    if (t->instructions_of)
        d = msw_hash_pair(d, msw_hash_bytes(t->instructions_of, t->pcs * sizeof(uint32_t)));
    uint64_t words[] = {t->count,      t->sms,  t->warps,        t->pcs,         t->run_count,
                        t->page_bytes, t->open, t->instructions, t->launch_count};
    return with_words(d, words, sizeof words / sizeof *words);
}

static msw_digest digest_of_units(const msw_synth_product *p)
{
    uint64_t words[] = {p->strata, p->units};
    msw_digest d = msw_hash_bytes(p->weights, p->strata * p->units * sizeof *p->weights);
    return with_words(msw_hash_pair(d, msw_hash_bytes(&p->total, sizeof p->total)), words, 2);
}

static msw_digest digest_of(const msw_product *product)
{
    msw_digest d = msw_hash_bytes(&product->summary, sizeof product->summary);
    switch (product->kind) {
    case MSW_PRODUCT_TILES:
        return msw_hash_pair(d, digest_of_tiles(product->data));
    case MSW_PRODUCT_ACCESSES:
        return msw_hash_pair(d, digest_of_accesses(product->data));
    case MSW_PRODUCT_PAGES:
        return msw_hash_pair(d, digest_of_pages(product->data));
    case MSW_PRODUCT_UNITS:
        return msw_hash_pair(d, digest_of_units(product->data));
    default:
        fail_msg("conditions of a front end with products of kind %d: no digest of these here",
                 (int)product->kind);
        return d;
    }
}

/* ---- settings ---- */

typedef struct subject {
    const msw_frontend *frontend;
    const msw_param *table; /* the front end's, or one with a planted condition */
    msw_conditions *conditions;
    size_t wanted;
    bool asked[PARAMS];      /* some condition is about it */
    size_t compared[PARAMS]; /* pairs of each parameter */
    unsigned char named[MSW_FRONTEND_CONFIG_MAX], drawn[MSW_FRONTEND_CONFIG_MAX];
    char wrong[256]; /* the first condition that is not true */
} subject;

/* Ends of ranges are where "none of them" and "off" are. */
static void draw(subject *s, stream *load, uint64_t number)
{
    msw_rng rng;
    msw_rng_init(&rng, SEED, number);
    for (size_t i = 0; s->table[i].name; i++) {
        const msw_param *p = &s->table[i];
        double end = msw_rng_uniform(&rng), value = msw_param_draw(p, msw_rng_uniform(&rng));
        double small = p->min + floor(msw_rng_uniform(&rng) * MOST_DRAWN);
        bool own = !s->asked[i] && number % 2 == 0;
        if (own)
            value = msw_param_get(p, s->named);
        else if (s->asked[i] && end < 0.4 && !msw_param_choices(p))
            value = end < 0.25 ? p->min : p->max;
        if (p->kind == MSW_INTEGER && value - p->min >= (own ? MOST_NAMED : MOST_DRAWN))
            value = own ? p->min + MOST_NAMED : small;
        msw_param_set(p, &load->config, value);
    }
    memcpy(s->drawn, &load->config, s->frontend->config_size);
}

/* A value that the parameter does not have: an end of all that is allowed, or one in between. */
static void change(const msw_param *p, void *config, uint64_t key)
{
    msw_rng rng;
    double own = msw_param_get(p, config), value = own;
    msw_rng_init(&rng, SEED + 1, key);
    if (!msw_param_choices(p) && msw_rng_uniform(&rng) < 0.5)
        value = msw_rng_uniform(&rng) < 0.5 ? p->min : p->max;
    for (int i = 0; i < 16 && value == own; i++)
        value = msw_param_draw(p, msw_rng_uniform(&rng));
    if (value == own && !msw_param_choices(p))
        value = own == p->max ? p->min : p->max; /* a plausible range of one value */
    assert_true(value != own);
    msw_param_set(p, config, value);
}

/* ---- pairs ---- */

static bool may_stand(const stream *load)
{
    msw_err err = {0};
    const msw_frontend *frontend = load->workload.frontend;
    return !frontend->check || frontend->check(load->workload.content, &load->config, &err) == 0;
}

/* Returns whether there is a product. */
static bool build(stream *load, msw_digest *digest)
{
    if (!may_stand(load) || stream_build(load, 1))
        return false;
    *digest = digest_of(&load->product);
    return true;
}

static void tell(subject *s, const stream *load, const msw_param *p, bool built)
{
    char value[MSW_PARAM_TEXT];
    if (*s->wrong)
        return;
    snprintf(s->wrong, sizeof s->wrong, "%s: %s = %s %s where '%s' does not hold",
             s->frontend->name, p->name, msw_param_print(p, msw_param_get(p, &load->config), value),
             built ? "changes the product" : "leaves no product", p->acts);
    print_message("%s, on %s:", s->wrong, load->workload.name);
    for (const msw_param *q = s->table; q->name; q++)
        print_message(" %s=%s", q->name, msw_param_print(q, msw_param_get(q, s->drawn), value));
    print_message("\n");
}

/* Returns whether a parameter wants more pairs. */
static bool try_all(subject *s, stream *load, uint64_t number)
{
    bool more = false, built = false, tried = false;
    msw_digest first = {0};
    for (size_t i = 0; s->table[i].name; i++) {
        const msw_param *p = &s->table[i];
        if (!p->acts || s->compared[i] >= s->wanted)
            continue;
        more = true;
        int holds = msw_conditions_hold(s->conditions, p->name, s->drawn, &load->err);
        if (holds < 0)
            fail_msg("%s", load->err.text);
        if (holds)
            continue;
        if (!tried)
            built = build(load, &first);
        tried = true;
        if (!built)
            return true;
        msw_digest second = {0};
        change(p, &load->config, number * PARAMS + i);
        bool again = build(load, &second);
        s->compared[i]++;
        if (!again || !msw_digest_equal(first, second))
            tell(s, load, p, again);
        memcpy(&load->config, s->drawn, s->frontend->config_size);
    }
    return more;
}

static size_t finish(subject *s)
{
    size_t pairs = 0, conditions = 0;
    for (size_t i = 0; s->table[i].name; i++) {
        conditions += s->table[i].acts != NULL;
        pairs += s->compared[i];
        if (s->table[i].acts && !s->compared[i] && !*s->wrong)
            snprintf(s->wrong, sizeof s->wrong, "%s: %s: no settings where '%s' does not hold",
                     s->frontend->name, s->table[i].name, s->table[i].acts);
    }
    if (conditions)
        print_message("%s: %zu conditions, %zu pairs\n", s->frontend->name, conditions, pairs);
    msw_conditions_free(s->conditions);
    return pairs;
}

/* Tries all conditions of a table. Returns the pairs compared; `wrong` is filled in where one is
 * not true or cannot be tried. */
static size_t measure(const msw_frontend *frontend, const msw_param *table, size_t more,
                      char wrong[256])
{
    msw_err err = {0};
    subject s = {.frontend = frontend, .table = table, .wanted = PAIRS * more};
    size_t names = 0;
    bool left = true;
    assert_true(msw_params_count(table) <= PARAMS);
    assert_ok(msw_conditions_new(table, frontend->name, &s.conditions, &err), err);
    for (size_t i = 0; table[i].name; i++)
        for (const msw_param *p = table; p->name && !s.asked[i]; p++)
            s.asked[i] = msw_conditions_ask(s.conditions, p->name, table[i].name);
    while (frontend->names[names])
        names++;
    for (uint64_t number = 0; left && number < DRAWS * more; number++) {
        stream load;
        assert_ok(stream_named(&load, frontend->names[number / 2 % names]), load.err);
        memcpy(s.named, &load.config, frontend->config_size);
        draw(&s, &load, number);
        left = try_all(&s, &load, number);
        stream_close(&load);
    }
    size_t pairs = finish(&s);
    snprintf(wrong, 256, "%s", s.wrong);
    return pairs;
}

static void no_product_changes_where_a_condition_does_not_hold(void **state)
{
    (void)state;
    const char *only = getenv("MEMSWEEP_ACTS_OF");
    char wrong[256], last[256] = "";
    for (size_t f = 0; msw_frontends[f]; f++) {
        if (only && strcmp(only, msw_frontends[f]->name) != 0)
            continue;
        measure(msw_frontends[f], msw_frontends[f]->params, getenv("MEMSWEEP_FULL") ? MORE : 1,
                wrong);
        if (*wrong)
            snprintf(last, sizeof last, "%s", wrong);
    }
    if (*last)
        fail_msg("%s", last);
}

/* ---- what is wrong is found ---- */

static size_t judge(const char *frontend, const char *param, const char *acts, char wrong[256])
{
    msw_param table[PARAMS];
    const msw_frontend *of = msw_frontend_find(frontend);
    size_t count = msw_params_count(of->params);
    memcpy(table, of->params, (count + 1) * sizeof *table);
    for (size_t i = 0; i < count; i++)
        table[i].acts = strcmp(table[i].name, param) == 0 ? acts : NULL;
    return measure(of, table, 1, wrong);
}

static void found(const char *frontend, const char *param, const char *acts)
{
    char wrong[256], says[256];
    assert_true(judge(frontend, param, acts, wrong) > 0);
    snprintf(says, sizeof says, "%s: %s = ", frontend, param);
    if (strncmp(wrong, says, strlen(says)) != 0 || !strstr(wrong, acts))
        fail_msg("found '%s', wanted one about '%s'", wrong, acts);
}

/* One of each kind of product, each nearly true. */
static void a_planted_condition_is_found(void **state)
{
    (void)state;
    char wrong[256];
    found("synth", "synth_growth", "synth_strata > 2");
    found("sparse", "sparse_near_span", "sparse_kind = 'mix' AND sparse_far = 0");
    found("npu", "npu_overlap", "npu_prefetch");
    found("decode", "decode_spread", "decode_batch > 4");
    assert_true(judge("synth", "synth_growth", "synth_strata > 1", wrong) > 0);
    assert_string_equal(wrong, "");
    judge("synth", "synth_growth", "synth_strata >= 1", wrong);
    assert_string_equal(wrong,
                        "synth: synth_growth: no settings where 'synth_strata >= 1' does not hold");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_condition_is_found),
        cmocka_unit_test(no_product_changes_where_a_condition_does_not_hold),
    };
    return cmocka_run_group_tests_name("acts_frontends", tests, NULL, NULL);
}

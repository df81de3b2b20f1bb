/* SPDX-License-Identifier: MIT */
/* Loops of a workload file: `for`, whose turns are counted, and `repeat`, whose turns depend on
 * what the kernels compute. A name given in a loop is known in that turn only. */
#include "workload/simt/file/reader.h"

#include <string.h>

enum { TURNS_MAX = 1 << 20 };

/* Passes over the body of a loop that does not run at all. */
static int skip_loop(msw_simt_reader *r, const msw_simt_token *at)
{
    int depth = 1;
    for (bool first = true; depth > 0; r->c.next++) {
        const msw_simt_token *t = r->c.next;
        if (t->kind == MSW_SIMT_TOKEN_END)
            return msw_simt_token_fail(r->c.tokens, at, r->c.err, "a loop with an 'end'");
        if (first)
            depth += msw_simt_token_is(t, "for") + msw_simt_token_is(t, "repeat") -
                     msw_simt_token_is(t, "end") - msw_simt_token_is(t, "until");
        first = t->kind == MSW_SIMT_TOKEN_LINE;
    }
    while (r->c.next->kind != MSW_SIMT_TOKEN_LINE)
        r->c.next++;
    return 0;
}

/* The first turn begins: its name is the one that follows those before. */
static int enter(msw_simt_reader *r, const msw_simt_token *name, msw_simt_loop loop)
{
    loop.names = r->names.count;
    loop.is_named = name != NULL;
    if (name && msw_simt_give_name(r, name, (msw_simt_number){.whole = loop.turn}))
        return -1;
    if (r->c.next->kind != MSW_SIMT_TOKEN_LINE)
        return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "the end of the line");
    loop.body = r->c.next;
    r->loops[r->loop_count++] = loop;
    return 0;
}

/* The loop ends, or goes on with its next turn. */
static void turn(msw_simt_reader *r, bool ends)
{
    msw_simt_loop *loop = &r->loops[r->loop_count - 1];
    r->names.count = loop->names + (loop->is_named && !ends);
    if (ends) {
        r->loop_count--;
        return;
    }
    loop->turn += loop->step;
    if (loop->is_named)
        r->names.list[loop->names].number.whole = loop->turn;
    r->c.next = loop->body;
}

int msw_simt_read_for(msw_simt_reader *r)
{
    const msw_simt_token *name, *at = r->c.next - 1;
    msw_simt_loop loop = {.step = 1};
    const int64_t most = INT64_C(1) << 40;
    if (msw_simt_read_name(r, &name) || msw_simt_expect(r, "=") ||
        msw_simt_whole_read(&r->c, "first value", -most, most, &loop.turn) ||
        msw_simt_expect(r, "..") ||
        msw_simt_whole_read(&r->c, "last value", -most, most, &loop.last))
        return -1;
    if (msw_simt_take(r, "step") && msw_simt_whole_read(&r->c, "step", -most, most, &loop.step))
        return -1;
    if (loop.step == 0 || r->loop_count == MSW_SIMT_LOOPS_DEPTH)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err,
                                   "a step that is not 0, and up to %d loops in each other",
                                   MSW_SIMT_LOOPS_DEPTH);
    if (enter(r, name, loop))
        return -1;
    if (loop.step > 0 ? loop.turn <= loop.last : loop.turn >= loop.last)
        return 0;
    turn(r, true);
    r->c.next++;
    return skip_loop(r, at);
}

int msw_simt_read_end(msw_simt_reader *r)
{
    const msw_simt_loop *loop = r->loop_count ? &r->loops[r->loop_count - 1] : NULL;
    if (!loop || loop->until)
        return msw_simt_token_fail(r->c.tokens, r->c.next - 1, r->c.err, "'end' of a loop 'for'");
    int64_t next = loop->turn + loop->step;
    turn(r, loop->step > 0 ? next > loop->last : next < loop->last);
    return 0;
}

/* ---- repeat [NAME] ... until ARRAY[ELEMENT] == VALUE, at most TURNS ---- */

int msw_simt_read_repeat(msw_simt_reader *r)
{
    const msw_simt_token *name = NULL, *at = r->c.next - 1;
    if (r->loop_count == MSW_SIMT_LOOPS_DEPTH)
        return msw_simt_token_fail(r->c.tokens, at, r->c.err, "up to %d loops in each other",
                                   MSW_SIMT_LOOPS_DEPTH);
    if (r->c.next->kind != MSW_SIMT_TOKEN_LINE && msw_simt_read_name(r, &name))
        return -1;
    return enter(r, name, (msw_simt_loop){.until = true, .step = 1});
}

static bool holds(const char *symbol, double found, double wanted)
{
    bool equal = symbol[1] == '=';
    if (symbol[0] == '=')
        return found == wanted;
    if (symbol[0] == '!')
        return found != wanted;
    return (equal && found == wanted) || (symbol[0] == '<' ? found < wanted : found > wanted);
}

static int read_operator(msw_simt_reader *r, const char **symbol)
{
    static const char *const KNOWN[] = {"==", "!=", "<=", ">=", "<", ">"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (msw_simt_take(r, KNOWN[i])) {
            *symbol = KNOWN[i];
            return 0;
        }
    return msw_simt_token_fail(r->c.tokens, r->c.next, r->c.err, "==, !=, <, <=, > or >=");
}

static double real_of(msw_simt_number n)
{
    return n.real ? n.value : (double)n.whole;
}

/* What the program left there, or what was found so when the plan was made. */
static int ask(msw_simt_reader *r, const msw_simt_array *array, int64_t element, const char *symbol,
               msw_simt_number wanted, bool *ends)
{
    if (!r->finder) {
        *ends = r->ends_read >= r->ends.count || ((bool *)r->ends.items)[r->ends_read++];
        return 0;
    }
    msw_simt_number found;
    if (r->finder(&r->finding, r, array, (uint64_t)element, &found))
        return -1;
    bool *kept = msw_simt_list_add(&r->ends, sizeof *kept, r->c.arena);
    if (!kept)
        return msw_fail_memory(r->c.err);
    *kept = *ends = holds(symbol, real_of(found), real_of(wanted));
    return 0;
}

int msw_simt_read_until(msw_simt_reader *r)
{
    const msw_simt_loop *loop = r->loop_count ? &r->loops[r->loop_count - 1] : NULL;
    const msw_simt_token *name;
    const char *symbol = "==";
    int64_t element, most;
    msw_simt_number wanted;
    bool ends = false;
    if (!loop || !loop->until)
        return msw_simt_token_fail(r->c.tokens, r->c.next - 1, r->c.err,
                                   "'until' of a loop 'repeat'");
    if (msw_simt_read_name(r, &name))
        return -1;
    const msw_simt_array *array = msw_simt_find_array(r, name);
    if (!array)
        return msw_simt_token_fail(r->c.tokens, name, r->c.err, "an array given above");
    if (msw_simt_expect(r, "[") ||
        msw_simt_whole_read(&r->c, "element", 0, (int64_t)array->count - 1, &element) ||
        msw_simt_expect(r, "]") || read_operator(r, &symbol) ||
        msw_simt_number_read(&r->c, &wanted) || msw_simt_expect(r, ",") ||
        msw_simt_expect(r, "at") || msw_simt_expect(r, "most") ||
        msw_simt_whole_read(&r->c, "turns", 1, TURNS_MAX, &most) ||
        ask(r, array, element, symbol, wanted, &ends))
        return -1;
    turn(r, ends || loop->turn + 1 >= most);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/* A launch in the closed form: pages are touched in the order of first touches or of visits, each
 * as soon as the page that its warp waits for is here, with parts of the launch's compute time
 * between them (README.md, "The closed form"). So all that runs side by side faults side by side.
 */
#include "mech/uvm/closed/closed.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/pager.h"
#include "mech/uvm/pages/predict.h"

#include <math.h>

/* ---- rows ---- */

/* Rows of an SM that can be touched are bits; a word of a level above has a bit for each word that
 * has any, so that the first is found in three steps however few there are. */
static void make_ready(uvm_waves *w, size_t row)
{
    size_t sm = w->order->rows[row].sm, at = row;
    for (int level = 0; level < UVM_LEVELS; level++, at /= 64)
        w->ready[level][sm * w->words[level] + at / 64] |= (uint64_t)1 << at % 64;
    if (row < w->first[sm]) {
        w->first[sm] = row;
        w->turn[sm] = w->order->rows[row].turn;
    }
}

/* Finds the first row of an SM that can be touched. */
static void find_first(uvm_waves *w, size_t sm)
{
    int level = UVM_LEVELS - 1;
    size_t at = 0;
    const uint64_t *top = w->ready[level] + sm * w->words[level];
    while (at < w->words[level] && !top[at])
        at++;
    if (at == w->words[level]) {
        w->first[sm] = w->count;
        w->turn[sm] = UINT32_MAX;
        return;
    }
    for (; level >= 0; level--)
        at = at * 64 + msw_bits_lowest(w->ready[level][sm * w->words[level] + at]);
    w->first[sm] = at;
    w->turn[sm] = w->order->rows[at].turn;
}

/* Takes the first row of an SM from those that can be touched. Returns it. */
static size_t take_first(uvm_waves *w, size_t sm)
{
    size_t row = w->first[sm], at = row;
    for (int level = 0; level < UVM_LEVELS; level++, at /= 64) {
        uint64_t *word = &w->ready[level][sm * w->words[level] + at / 64];
        *word &= ~((uint64_t)1 << at % 64);
        if (*word)
            break;
    }
    find_first(w, sm);
    return row;
}

/* A row's page has come: those that waited for it can be touched. */
static void has_come(uvm_waves *w, size_t row)
{
    w->here++;
    w->has[row] = true;
    for (uint32_t at = w->waits[row]; at; at = w->others[at - 1])
        make_ready(w, at - 1);
}

/* The first turn of any SM. */
static uint32_t first_turn(const uvm_waves *w)
{
    uint32_t turn = UINT32_MAX;
    for (size_t sm = 0; sm < w->order->sms; sm++)
        turn = w->turn[sm] < turn ? w->turn[sm] : turn;
    return turn;
}

/* The rows of the next wave join those that can be touched, or wait. */
static void start_wave(uvm_waves *w)
{
    const uvm_touch_row *rows = w->order->rows;
    w->wave = rows[w->touched].wave;
    for (; w->touched < w->count && rows[w->touched].wave == w->wave; w->touched++) {
        uint32_t after = rows[w->touched].after;
        if (!after || w->has[after - 1]) {
            make_ready(w, w->touched);
            continue;
        }
        w->others[w->touched] = w->waits[after - 1];
        w->waits[after - 1] = (uint32_t)w->touched + 1;
    }
}

/* ---- time ---- */

/* Whether TLBs hold more pages than SMs have met. */
static bool holds_all(const uvm_requester *r)
{
    return r->pairs <= (double)(r->config->tlb_entries * r->config->sms);
}

/* Walks of a row: of each line, or of all of an access. */
static uint32_t walks_of(const uvm_requester *r, const uvm_touch_row *row)
{
    return r->config->walk_of == UVM_WALK_PAGE ? row->accesses : row->lines;
}

/* A row's lines are read over the link, those that need no walk each by itself. */
static void read_remote(uvm_requester *r, size_t number)
{
    const uvm_config *c = r->config;
    const uvm_touch_row *row = &r->waves.order->rows[number];
    bool walks = !c->remote_translations || !holds_all(r);
    uint32_t count = walks ? walks_of(r, row) : row->lines;
    uint64_t start = r->now + (uint64_t)(c->tlb_cycles + (walks ? c->walk_cycles : 0));
    uint64_t until = uvm_memory_remote(&r->pager, row->page, start, count);
    r->waves.far[r->waves.far_tail++] = (uvm_far){until, (uint32_t)number};
}

static void take_page(uvm_requester *r, uint64_t page)
{
    uvm_waves *w = &r->waves;
    bool pinned = r->pager.where[page] == UVM_ON_HOST && r->pager.thrash;
    uint32_t row = w->row_of ? w->row_of[page] : 0;
    for (; row; row = w->same[row - 1]) {
        if (pinned)
            read_remote(r, row - 1);
        else
            has_come(w, row - 1);
    }
    if (w->row_of)
        w->row_of[page] = 0;
}

/* A page waits for the end of its batch, once: it may leave and come again before. */
static void hold(uvm_waves *w, uint64_t page)
{
    if (!w->is_held[page])
        w->held[w->held_count++] = page;
    w->is_held[page] = true;
}

/* Pages that have come are here, or are held until all of their batch are. */
static void take_move(uvm_requester *r, const uvm_move *come)
{
    bool by_batch = r->config->replay == UVM_REPLAY_BATCH && r->config->fault_charge == UVM_BATCHED;
    uvm_waves *w = &r->waves;
    for (uint32_t i = 0; i < come->count; i++) {
        uint64_t page = come->first + i;
        if (by_batch && w->row_of && w->row_of[page])
            hold(w, page);
        else
            take_page(r, page);
    }
    if (!by_batch || !r->pager.batch.replays)
        return;
    for (uint64_t i = 0; i < w->held_count; i++) {
        w->is_held[w->held[i]] = false;
        take_page(r, w->held[i]);
    }
    w->held_count = 0;
}

/* When something ends next: of the pager, or a row that is read over the link. */
static uint64_t next_end(const uvm_requester *r)
{
    const uvm_waves *w = &r->waves;
    uint64_t next = uvm_pager_next(&r->pager);
    return w->far_head < w->far_tail ? msw_min_u64(next, w->far[w->far_head].until) : next;
}

int uvm_requester_pass(uvm_requester *r, uint64_t until)
{
    uvm_move come;
    uvm_waves *w = &r->waves;
    for (uint64_t now; (now = next_end(r)) <= until;) {
        r->now = msw_max_u64(r->now, now);
        while (w->far_head < w->far_tail && w->far[w->far_head].until <= now)
            has_come(w, w->far[w->far_head++].row);
        if (uvm_pager_next(&r->pager) > now)
            continue;
        if (uvm_pager_step(&r->pager, now, &come))
            return -1;
        take_move(r, &come);
    }
    r->now = msw_max_u64(r->now, until);
    return 0;
}

/* Waits for the next thing that ends. */
static int wait_next(uvm_requester *r)
{
    uint64_t next = next_end(r), start = r->now;
    if (next == UINT64_MAX)
        return msw_fail_kind(r->pager.err, MSW_ERR_INTERNAL, "uvm: nothing can go on");
    if (uvm_requester_pass(r, msw_max_u64(next, r->now)))
        return -1;
    r->t[UVM_FAULT_WAIT] += (double)(r->now - start);
    return 0;
}

/* ---- touches ---- */

/* What walks for a row makes the predictor do: those of its first page touch where pages have one
 * row, else all while an SM or the memory lacks the page. */
static int predict(uvm_requester *r, const uvm_touch_row *row, bool asks)
{
    uvm_pager *p = &r->pager;
    uvm_event event = {.page = row->page};
    if (!r->visits || r->config->predict_on == UVM_ON_FAULT)
        return uvm_ahead_event(p, r->now, &event, asks);
    if (!row->met && p->where[row->page] == UVM_VALID)
        return 0;
    event.sm = row->sm;
    event.warp = row->warp;
    for (uint32_t walk = walks_of(r, row); walk > 0; walk--)
        if (uvm_ahead_event(p, r->now, &event, asks && walk == 1))
            return -1;
    return 0;
}

static int touch(uvm_requester *r, size_t number)
{
    uvm_pager *p = &r->pager;
    const uvm_touch_row *row = &r->waves.order->rows[number];
    uint64_t page = row->page;
    bool open = p->flags[page] & UVM_REQUESTED_PAGE, asks;
    uvm_pager_access(p, page, row->lines);
    if (p->where[page] == UVM_ON_HOST && !open &&
        !uvm_memory_fetches(p, page, row->written, r->now)) {
        read_remote(r, number);
        return 0;
    }
    if (p->where[page] == UVM_VALID)
        uvm_pager_use(p, page, r->now);
    uvm_pager_request(p, page, row->written);
    uvm_pager_touch(p, page);
    asks = p->where[page] == UVM_ON_HOST && !open;
    if (p->predictor && predict(r, row, asks))
        return -1;
    if (p->where[page] == UVM_VALID) {
        has_come(&r->waves, number);
        return 0;
    }
    r->waves.same[number] = r->waves.row_of[page];
    r->waves.row_of[page] = (uint32_t)number + 1;
    if (asks)
        r->waves.faults[r->waves.fault_count++] = page;
    return 0;
}

/* Hands over the faults of a cycle. Returns 0, or -1. */
static int hand_over(uvm_requester *r)
{
    size_t count = r->waves.fault_count;
    r->waves.fault_count = 0;
    return count ? uvm_pager_fault(&r->pager, r->now, r->waves.faults, count) : 0;
}

/* Whether SMs whose turn is the same touch their pages some cycles apart: their CTAs came apart, or
 * what they waited for did. */
static bool is_apart(const uvm_requester *r, const uvm_touch_row *row)
{
    return row->after ? r->config->memory_spread > 0 : row->wave && r->config->cta_gap > 0;
}

/* Cycles of computing of a row; `far`: rows read over the link before it. */
static double compute_of(const uvm_requester *r, size_t row, size_t far)
{
    const uvm_waves *w = &r->waves;
    if (!r->visits)
        return w->each;
    return (w->far_tail > far ? w->each_far : w->each) * (double)w->order->rows[row].lines;
}

/* SMs touch pages, those whose turn is first at once. Returns how many were touched, or -1;
 * `owed` grows by their computing. */
static int touch_all(uvm_requester *r, double *owed)
{
    uvm_waves *w = &r->waves;
    uint32_t turn = first_turn(w);
    int touched = 0;
    w->fault_count = 0;
    if (turn == UINT32_MAX)
        return 0;
    for (size_t sm = 0; sm < w->order->sms; sm++) {
        if (w->turn[sm] != turn)
            continue;
        size_t row = take_first(w, sm), far = w->far_tail;
        if (touch(r, row) || (is_apart(r, &w->order->rows[row]) && hand_over(r)))
            return -1;
        *owed += compute_of(r, row, far);
        touched++;
    }
    return hand_over(r) ? -1 : touched;
}

/* ---- launches ---- */

/* Cycles between two lines of an SM: the port takes one, the way to the memory or a share of the
 * memory less. */
static double line_cycles(const uvm_config *c, const uvm_launch_order *o)
{
    double own = c->sm_lines > 0 ? 1 / c->sm_lines : 0;
    double share = c->memory_lines > 0 ? (double)o->sms / c->memory_lines : 0;
    return msw_max_f64(1, msw_max_f64(own, share));
}

/* Cycles of a launch whose pages are all there: issue, the ports, and what a warp waits for limit
 * it side by side. It takes no less than the largest and no more than the sum. Without the memory
 * nothing waits for lines: where all are read over the link, which is waited for itself. */
static double compute_cycles(const uvm_config *c, const uvm_launch_order *o, bool memory)
{
    double lines = (double)o->lines / msw_max_f64((double)o->accesses, 1);
    double latency = (double)(c->tlb_cycles + c->path_cycles + c->memory_cycles) +
                     (lines - 1) * line_cycles(c, o);
    double waits =
        (double)(o->waits + o->warps) * latency + (double)o->cold * (double)c->walk_cycles;
    double warp = ((double)o->instructions * (double)c->issue_cycles + (memory ? waits : 0)) /
                  (double)o->warps;
    double issue = (double)o->instructions / (double)(o->sms * (uint64_t)c->schedulers);
    double ports = memory ? (double)o->lines / (double)o->sms * line_cycles(c, o) : 0;
    double chains = warp * (double)o->waves;
    return sqrt(issue * issue + ports * ports + chains * chains);
}

/* Cycles that walks for pages which TLBs have lost may take and are not in the others: each access
 * may walk where it touches many pages and its SM more than its TLB holds. */
static double walks_again(const uvm_requester *r, const uvm_launch_order *o)
{
    enum { MANY = 8 }; /* lines of an access */
    double held = (double)(r->config->tlb_entries * (int64_t)o->sms);
    if (r->pairs <= held || o->lines < MANY * o->accesses)
        return 0;
    return (double)(o->accesses * o->waves) / (double)o->warps * (double)r->config->walk_cycles;
}

static int open_waves(uvm_requester *r, const uvm_launch_order *o, size_t count)
{
    uvm_waves *w = &r->waves;
    msw_arena *arena = r->task->arena;
    *w = (uvm_waves){
        .order = o, .count = count, .row_of = w->row_of, .held = w->held, .is_held = w->is_held};
    bool ready = true;
    for (size_t level = 0, bits = count; level < UVM_LEVELS; level++) {
        bits = w->words[level] = bits / 64 + 1;
        w->ready[level] = msw_arena_zero(arena, o->sms * bits, sizeof **w->ready);
        ready = ready && w->ready[level];
    }
    w->first = msw_arena_take(arena, o->sms * sizeof *w->first);
    w->turn = msw_arena_take(arena, o->sms * sizeof *w->turn);
    w->faults = msw_arena_take(arena, o->sms * sizeof *w->faults);
    w->waits = msw_arena_zero(arena, count + 1, sizeof *w->waits);
    w->others = msw_arena_zero(arena, count + 1, sizeof *w->others);
    w->same = msw_arena_zero(arena, count + 1, sizeof *w->same);
    w->far = msw_arena_take(arena, (count + 1) * sizeof *w->far);
    w->has = msw_arena_zero(arena, count + 1, sizeof *w->has);
    if (!w->row_of) {
        w->row_of = msw_arena_zero(arena, r->layout->pages, sizeof *w->row_of);
        w->held = msw_arena_take(arena, r->layout->pages * sizeof *w->held);
        w->is_held = msw_arena_zero(arena, r->layout->pages, sizeof *w->is_held);
    }
    if (!ready || !w->first || !w->turn || !w->faults || !w->waits || !w->others || !w->same ||
        !w->far || !w->has || !w->row_of || !w->held || !w->is_held)
        return msw_fail_memory(r->pager.err);
    for (size_t sm = 0; sm < o->sms; sm++) {
        w->first[sm] = count;
        w->turn[sm] = UINT32_MAX;
    }
    return 0;
}

/* Whether the link is idle, or CTAs do not wait for it. */
static bool link_lets_go(const uvm_requester *r)
{
    return r->config->cta_end != UVM_END_LINK ||
           (r->pager.in.until == UINT64_MAX && r->pager.out.until == UINT64_MAX);
}

/* A wave is over when all its pages are here and nothing is on the link, or with its pages. */
static bool wave_is_over(const uvm_requester *r)
{
    return r->waves.here == r->waves.touched && link_lets_go(r);
}

/* Whether the next wave can start. */
static bool wave_may_start(const uvm_requester *r)
{
    const uvm_waves *w = &r->waves;
    bool far_only = w->here + (w->far_tail - w->far_head) == w->touched; /* no page is awaited */
    return w->touched < w->count &&
           (r->config->cta_end != UVM_END_LINK || (far_only && link_lets_go(r)));
}

static int run_rows(uvm_requester *r)
{
    uvm_waves *w = &r->waves;
    double owed = 0;
    while (w->touched < w->count || !wave_is_over(r)) {
        int touched = touch_all(r, &owed);
        if (touched < 0)
            return -1;
        if (!touched && wave_may_start(r)) {
            start_wave(w);
        } else if (!touched) {
            if (wait_next(r))
                return -1;
        }
        uint64_t whole = (uint64_t)owed;
        owed -= (double)whole;
        if (uvm_requester_pass(r, r->now + whole))
            return -1;
        r->t[UVM_BUSY] += (double)whole;
    }
    return 0;
}

/* Finds the cycles of computing of a row, or with visits of a line. */
static void share_compute(uvm_requester *r, const uvm_launch_order *o, double share)
{
    uvm_waves *w = &r->waves;
    double compute = compute_cycles(r->config, o, true), rows = (double)w->count;
    w->each = rows > 0 ? share * compute / rows : 0;
    if (!r->visits || !o->managed)
        return;
    w->each = compute / (double)o->managed;
    w->each_far = compute_cycles(r->config, o, false) / (double)o->managed;
}

int uvm_requester_launch(uvm_requester *r, const uvm_launch_order *o)
{
    double *t = r->t, share = 1;
    if (t[UVM_INSTRUCTIONS] + (double)o->threads > (double)r->limit)
        share = ((double)r->limit - t[UVM_INSTRUCTIONS]) / (double)o->threads;
    r->pager.launch++;
    size_t rows = (size_t)(share * (double)o->count + 0.5);
    t[UVM_LAUNCH] += (double)r->config->launch_cycles;
    r->now += (uint64_t)r->config->launch_cycles;
    r->pairs += (double)o->pairs;
    if (open_waves(r, o, rows))
        return -1;
    share_compute(r, o, share);
    if (run_rows(r))
        return -1;
    t[UVM_INSTRUCTIONS] += share * (double)o->threads;
    t[UVM_WARP_INSTRUCTIONS] += share * (double)o->instructions;
    t[UVM_ACCESSES] += share * (double)o->accesses;
    t[UVM_LINES_ASKED] += share * (double)o->lines;
    r->walks += walks_again(r, o) * share;
    return 0;
}

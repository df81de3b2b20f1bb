/* SPDX-License-Identifier: MIT */
/* A launch in the closed form: pages are touched in the order of first touches or of visits, each
 * as soon as the page that its warp waits for is here, with parts of the launch's compute time
 * between them (README.md, "The closed form"). So all that runs side by side faults side by side.
 */
#include "mech/uvm/closed/closed.h"
#include "mech/uvm/model.h"
#include "mech/uvm/pages/pager.h"
#include "mech/uvm/pages/predict.h"

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
    /* Its warps go on as they are answered: what waits for it begins behind its first access. */
    uint32_t first = (uint32_t)msw_div_up(count, row->accesses ? row->accesses : 1);
    uint64_t until = uvm_memory_remote(&r->pager, row->page, start, first);
    r->waves.far_end = until;
    if (count > first)
        r->waves.far_end = uvm_memory_remote(&r->pager, row->page, start, count - first);
    r->waves.far[r->waves.far_tail++] = (uvm_far){until, (uint32_t)number};
}

/* A row's page has come; its warp has the rest of its turns before it. */
static void end_wait(uvm_requester *r, size_t row)
{
    uvm_waves *w = &r->waves;
    double rest = 1 - (double)w->order->rows[row].turn / (double)w->order->turns;
    w->warp_end = msw_max_u64(w->warp_end, r->now + (uint64_t)(rest * w->warp));
    has_come(w, row);
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
            end_wait(r, row - 1);
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

/* What walks for a row makes the predictor do: that of its first page touch where pages have one
 * row, else all while an SM, its TLB or the memory lacks the page: the first now, the others in the
 * turns of its warps. */
static int predict(uvm_requester *r, size_t number, bool asks)
{
    uvm_pager *p = &r->pager;
    uvm_waves *w = &r->waves;
    const uvm_touch_row *row = &w->order->rows[number];
    uvm_event event = {.page = row->page, .sm = row->sm, .warp = row->warp};
    if (!w->askers)
        return uvm_ahead_event(p, r->now, &event, asks);
    if (!row->met && p->where[row->page] == UVM_VALID && holds_all(r))
        return 0;
    uint32_t walks = walks_of(r, row), turns = row->last - row->turn + 1;
    if (walks > 1)
        w->askers[w->asker_count++] =
            (uvm_asker){(uint32_t)number, walks - 1, (uint32_t)msw_div_up(walks, turns), row->turn};
    return uvm_ahead_event(p, r->now, &event, asks);
}

/* Computes what is owed, in whole cycles. Returns 0, or -1. */
static int compute(uvm_requester *r)
{
    uint64_t whole = (uint64_t)r->waves.owed;
    r->waves.owed -= (double)whole;
    r->t[UVM_BUSY] += (double)whole;
    return uvm_requester_pass(r, r->now + whole);
}

/* Cycles of computing of a row's lines. */
static double compute_of(const uvm_requester *r, size_t row, bool far)
{
    const uvm_waves *w = &r->waves;
    if (!r->visits)
        return w->each;
    return (far ? w->each_far : w->each) * (double)w->order->rows[row].lines;
}

/* The walks of a row in a turn. Returns 0, or -1. */
static int ask_turn(uvm_requester *r, uvm_asker *a)
{
    const uvm_touch_row *row = &r->waves.order->rows[a->row];
    uvm_event event = {.page = row->page, .sm = row->sm, .warp = row->warp};
    double share = compute_of(r, a->row, false) / walks_of(r, row);
    for (uint32_t i = 0; i < a->each && a->left; i++, a->left--) {
        if (uvm_ahead_event(&r->pager, r->now, &event, false))
            return -1;
        r->waves.owed += share;
    }
    a->turn++;
    return 0;
}

/* Asks for the walks of rows that were touched, up to a turn. Returns 0, or -1. */
static int ask_until(uvm_requester *r, uint32_t turn)
{
    uvm_waves *w = &r->waves;
    for (bool more = true; more;) {
        size_t kept = 0;
        more = false;
        for (size_t i = 0; i < w->asker_count; i++) {
            uvm_asker a = w->askers[i];
            if (a.turn <= turn && ask_turn(r, &a))
                return -1;
            more = more || (a.left && a.turn <= turn);
            if (a.left)
                w->askers[kept++] = a;
        }
        w->asker_count = kept;
        if (compute(r))
            return -1;
    }
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
    if (p->predictor && predict(r, number, asks))
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

/* SMs touch pages, those whose turn is first at once. Returns how many were touched, or -1. */
static int touch_all(uvm_requester *r)
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
        size_t row = take_first(w, sm), far = w->far_tail, askers = w->asker_count;
        if (touch(r, row) || (is_apart(r, &w->order->rows[row]) && hand_over(r)))
            return -1;
        double cycles = compute_of(r, row, w->far_tail > far);
        w->owed += w->asker_count > askers ? cycles / walks_of(r, &w->order->rows[row]) : cycles;
        touched++;
    }
    return hand_over(r) || ask_until(r, turn) ? -1 : touched;
}

/* ---- launches ---- */

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
    bool asks = r->visits && r->pager.predictor && r->config->predict_on == UVM_ON_WALK;
    if (asks)
        w->askers = msw_arena_take(arena, (count + 1) * sizeof *w->askers);
    if (!w->row_of) {
        w->row_of = msw_arena_zero(arena, r->layout->pages, sizeof *w->row_of);
        w->held = msw_arena_take(arena, r->layout->pages * sizeof *w->held);
        w->is_held = msw_arena_zero(arena, r->layout->pages, sizeof *w->is_held);
    }
    if (!ready || !w->first || !w->turn || !w->faults || !w->waits || !w->others || !w->same ||
        !w->far || !w->has || (asks && !w->askers) || !w->row_of || !w->held || !w->is_held)
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
    while (w->touched < w->count || !wave_is_over(r)) {
        int touched = touch_all(r);
        if (touched < 0)
            return -1;
        if (!touched && wave_may_start(r)) {
            if (ask_until(r, UINT32_MAX - 1))
                return -1;
            start_wave(w);
        } else if (!touched) {
            if (wait_next(r))
                return -1;
        }
        if (compute(r))
            return -1;
    }
    if (ask_until(r, UINT32_MAX - 1))
        return -1;
    w->owed += (double)(msw_max_u64(w->warp_end, r->now) - r->now);
    if (compute(r))
        return -1;
    uint64_t start = r->now;
    if (uvm_requester_pass(r, msw_max_u64(r->now, w->far_end)))
        return -1;
    r->t[UVM_FAULT_WAIT] += (double)(r->now - start);
    return 0;
}

/* Finds the cycles of computing of a row, or with visits of a line. */
static void share_compute(uvm_requester *r, const uvm_launch_order *o, double share)
{
    uvm_waves *w = &r->waves;
    double far = uvm_compute_cycles(r->config, o, false, &w->warp);
    double compute = uvm_compute_cycles(r->config, o, true, &w->warp), rows = (double)w->count;
    w->warp *= share;
    w->each = rows > 0 ? share * compute / rows : 0;
    if (!r->visits || !o->managed)
        return;
    w->each = compute / (double)o->managed;
    w->each_far = far / (double)o->managed;
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
    r->walks += uvm_walks_again(r->config, o, r->pairs) * share;
    return 0;
}

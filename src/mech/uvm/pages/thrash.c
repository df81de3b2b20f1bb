/* SPDX-License-Identifier: MIT */
/* Pages that host and device take from each other, after uvm_perf_thrashing.c of NVIDIA's open
 * driver. A page whose moves follow each other within a lapse, often enough, thrashes; so long as
 * it does, every other fault of the device on it is put off for a nap, and after so many naps it is
 * pinned to the host for a time, where the device reads it. Moves of a chunk are looked at closer
 * from the first time on that another than the last takes some of it within a lapse. */
#include "mech/uvm/pages/pager.h"

typedef struct record {
    uint64_t last;   /* cycle of its last move + 1; 0: none */
    uint64_t until;  /* end of the nap under way, or of the last */
    uint64_t pinned; /* until then; 0: it is not */
    uint8_t events, naps;
    bool served;  /* in the time up to `until` the device is not put off */
    bool refused; /* its fault is put off, or waits for the notice of the pin */
} record;

typedef struct watched {
    uint64_t last; /* as above */
    bool to_host, closely;
} watched;

/* Something that is due: a fault that was put off, or a page that has just been pinned. */
typedef struct due {
    uint64_t time, page;
} due;

/* In order of time: all naps are of one length. */
typedef struct queue {
    due *ring;
    uint64_t head, tail, mask;
} queue;

struct uvm_thrash {
    record *pages;   /* [page] */
    watched *chunks; /* [chunk] */
    queue naps, pins;
    uint64_t lapse, nap, pin; /* cycles */
};

static int make_queue(queue *q, uint64_t pages, msw_arena *arena)
{
    uint64_t room = msw_bits_power(pages + 1);
    q->mask = room - 1;
    q->ring = msw_arena_take(arena, room * sizeof *q->ring);
    return q->ring ? 0 : -1;
}

int uvm_thrash_init(uvm_pager *p)
{
    const uvm_config *c = p->config;
    if (c->thrash == UVM_THRASH_OFF)
        return 0;
    uvm_thrash *t = msw_arena_zero(p->arena, 1, sizeof *t);
    if (!t)
        return -1;
    t->lapse = (uint64_t)(c->thrash_lapse_ns * c->clock_ghz + 0.5);
    t->nap = (uint64_t)(c->thrash_nap_ns * c->clock_ghz + 0.5);
    t->pin = (uint64_t)(c->thrash_pin_ns * c->clock_ghz + 0.5);
    t->pages = msw_arena_zero(p->arena, p->layout->pages, sizeof *t->pages);
    t->chunks = msw_arena_zero(p->arena, p->layout->chunk_count + 1u, sizeof *t->chunks);
    p->thrash = t;
    return t->pages && t->chunks && !make_queue(&t->naps, p->layout->pages, p->arena) &&
                   !make_queue(&t->pins, p->layout->pages, p->arena)
               ? 0
               : -1;
}

/* Whether moves of the chunk are looked at closely; notes this one. */
static bool looks_closely(uvm_thrash *t, uint32_t chunk, uint64_t now, bool to_host)
{
    watched *w = &t->chunks[chunk];
    w->closely |= w->last && w->to_host != to_host && now + 1 - w->last <= t->lapse;
    w->last = now + 1;
    w->to_host = to_host;
    return w->closely;
}

static bool thrashes(const uvm_pager *p, uint64_t page)
{
    return p->thrash->pages[page].events >= p->config->thrash_events;
}

void uvm_thrash_moved(uvm_pager *p, uint64_t page, uint64_t now, bool to_host)
{
    record *r = &p->thrash->pages[page];
    if (!looks_closely(p->thrash, p->layout->chunk_of[page], now, to_host))
        return;
    uint64_t last = r->last;
    r->last = now + 1;
    if (!last)
        return;
    if (now + 1 - last <= p->thrash->lapse)
        r->events += r->events < UINT8_MAX;
    else if (thrashes(p, page))
        *r = (record){0};
}

bool uvm_thrash_pinned(const uvm_pager *p, uint64_t page, uint64_t now)
{
    return p->thrash->pages[page].pinned > now;
}

bool uvm_thrash_is(const uvm_pager *p, uint64_t page)
{
    return thrashes(p, page);
}

static void put(queue *q, uint64_t time, uint64_t page)
{
    q->ring[q->tail++ & q->mask] = (due){time, page};
}

/* Naps and times in which the device is served follow each other. */
static void take_turn(uvm_thrash *t, record *r, uint64_t now)
{
    if (now > r->until) {
        r->until = now + t->nap;
        r->served = !r->served;
    } else {
        r->served = true;
    }
}

bool uvm_thrash_refused(const uvm_pager *p, uint64_t page)
{
    return p->thrash->pages[page].refused;
}

void uvm_thrash_refuse(uvm_pager *p, uint64_t page, uint64_t now)
{
    uvm_thrash *t = p->thrash;
    record *r = &t->pages[page];
    if (r->pinned && r->pinned <= now)
        *r = (record){0};
    if (!thrashes(p, page) || now + 1 - r->last > t->lapse)
        return;
    take_turn(t, r, now);
    r->refused = !r->served || r->naps >= p->config->thrash_naps;
    if (!r->served) {
        r->naps++;
        p->counts.naps++;
        put(&t->naps, r->until, page);
        uvm_later_at(p, r->until);
    } else if (r->refused) {
        r->pinned = now + t->pin;
        p->counts.pins++;
        put(&t->pins, now, page);
        uvm_later_at(p, now);
    }
}

uint64_t uvm_thrash_next(const uvm_pager *p)
{
    const uvm_thrash *t = p->thrash;
    uint64_t next = UINT64_MAX;
    if (t && t->naps.head < t->naps.tail)
        next = t->naps.ring[t->naps.head & t->naps.mask].time;
    if (t && t->pins.head < t->pins.tail)
        next = msw_min_u64(next, t->pins.ring[t->pins.head & t->pins.mask].time);
    return next;
}

bool uvm_thrash_take_pin(uvm_pager *p, uint64_t *page)
{
    queue *q = &p->thrash->pins;
    if (q->head == q->tail)
        return false;
    *page = q->ring[q->head++ & q->mask].page;
    p->thrash->pages[*page].refused = false;
    p->flags[*page] &= (uint8_t) ~(UVM_REQUESTED_PAGE | UVM_FAULTED);
    return true;
}

bool uvm_thrash_take_nap(uvm_pager *p, uint64_t now, uint64_t *page)
{
    queue *q = &p->thrash->naps;
    if (q->head == q->tail || q->ring[q->head & q->mask].time > now)
        return false;
    *page = q->ring[q->head++ & q->mask].page;
    p->thrash->pages[*page].refused = false;
    return true;
}

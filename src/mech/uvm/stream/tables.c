/* SPDX-License-Identifier: MIT */
/* Shapes, sites and bodies, each kept once. */
#include "mech/uvm/stream/records.h"

#include "memsweep/base/bits.h"
#include "memsweep/workload/simt/flow.h"

/* Finds a thing by its digest, or adds it as number `count`. Returns its number, or UINT32_MAX when
 * memory runs out. `digests` are of all things so far. */
static uint32_t find_or_add(msw_index *index, const msw_digest *digests, size_t count,
                            msw_digest digest, msw_arena *arena)
{
    uint32_t hash = msw_map_hash(digest.lo);
    size_t at;
    for (uint32_t i = msw_index_first(index, hash, &at); i != MSW_NOWHERE;
         i = msw_index_next(index, hash, &at))
        if (msw_digest_equal(digests[i], digest))
            return i;
    index->arena = arena;
    return msw_index_add(index, hash, (uint32_t)count, NULL) ? UINT32_MAX : (uint32_t)count;
}

/* ---- shapes ---- */

/* Lanes that go on where the last one ended, or lie on it, make one interval. */
static uint32_t intervals_of(const msw_simt_step *step, uvm_piece *out)
{
    uint32_t count = 0;
    uint64_t base = step->addresses[msw_bits_lowest(step->lanes)], end = 0;
    for (uint32_t rest = step->lanes; rest; rest &= rest - 1) {
        uint64_t at = step->addresses[msw_bits_lowest(rest)];
        if (count && at == end) {
            out[count - 1].span += step->bytes;
        } else if (count && at == end - step->bytes) {
            continue;
        } else {
            out[count++] =
                (uvm_piece){.offset = (int64_t)(at - base), .count = 1, .span = step->bytes};
        }
        end = at + step->bytes;
    }
    return count;
}

/* Intervals of one length at equal distances make one piece. */
static uint32_t join(uvm_piece *pieces, uint32_t count)
{
    uint32_t joined = 0;
    for (uint32_t i = 0; i < count; i++) {
        uvm_piece *last = joined ? &pieces[joined - 1] : NULL;
        int64_t step = last ? pieces[i].offset - last->offset : 0;
        if (last && last->span == pieces[i].span && last->count == 1) {
            last->stride = step;
            last->count = 2;
        } else if (last && last->span == pieces[i].span && step == last->stride * last->count) {
            last->count++;
        } else {
            pieces[joined++] = pieces[i];
        }
    }
    return joined;
}

static bool rises(const uvm_piece *intervals, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (intervals[i].offset < intervals[i - 1].offset + (int64_t)intervals[i - 1].span)
            return false;
    return true;
}

static uint32_t add_shape(uvm_shapes *s, const uvm_piece *pieces, uvm_shape shape,
                          msw_digest digest, msw_arena *work)
{
    void *shapes = s->shapes, *digests = s->digests, *all = s->pieces;
    if (uvm_grow(&shapes, s->shape_count, &s->shape_room, 1, sizeof *s->shapes, work) ||
        uvm_grow(&digests, s->shape_count, &s->digest_room, 1, sizeof *s->digests, work) ||
        uvm_grow(&all, s->piece_count, &s->piece_room, shape.count, sizeof *s->pieces, work))
        return UINT32_MAX;
    s->shapes = shapes;
    s->digests = digests;
    s->pieces = all;
    shape.first = (uint32_t)s->piece_count;
    memcpy(s->pieces + s->piece_count, pieces, shape.count * sizeof *pieces);
    s->piece_count += shape.count;
    s->shapes[s->shape_count] = shape;
    s->digests[s->shape_count] = digest;
    return (uint32_t)s->shape_count++;
}

uint32_t uvm_shape_of(uvm_shapes *s, const msw_simt_step *step, msw_arena *work)
{
    uvm_piece pieces[MSW_SIMT_LANES];
    memset(pieces, 0, sizeof pieces);
    uint32_t count = intervals_of(step, pieces);
    uvm_shape shape = {.lanes = msw_bits_count(step->lanes), .mixed = !rises(pieces, count)};
    shape.count = join(pieces, count);
    msw_digest digest = msw_hash_pair(msw_hash_bytes(pieces, shape.count * sizeof *pieces),
                                      msw_hash_bytes(&shape, sizeof shape));
    uint32_t number = find_or_add(&s->index, s->digests, s->shape_count, digest, work);
    return number < s->shape_count || number == UINT32_MAX
               ? number
               : add_shape(s, pieces, shape, digest, work);
}

/* ---- sites and bodies ---- */

uint32_t uvm_site_of(uvm_tables *t, const uvm_site *site, msw_arena *work)
{
    msw_digest digest = msw_hash_bytes(site, sizeof *site);
    uint32_t number = find_or_add(&t->site_index, t->site_digests, t->site_count, digest, work);
    void *sites = t->sites, *digests = t->site_digests;
    if (number < t->site_count || number == UINT32_MAX)
        return number;
    if (uvm_grow(&sites, t->site_count, &t->site_room, 1, sizeof *t->sites, work) ||
        uvm_grow(&digests, t->site_count, &t->site_digest_room, 1, sizeof digest, work))
        return UINT32_MAX;
    t->sites = sites;
    t->site_digests = digests;
    t->sites[t->site_count] = *site;
    t->site_digests[t->site_count++] = digest;
    return number;
}

uint32_t uvm_body_of(uvm_tables *t, const uvm_bytes *body, msw_arena *work)
{
    msw_digest digest = msw_hash_bytes(body->data, body->count);
    uint32_t number = find_or_add(&t->body_index, t->body_digests, t->body_count, digest, work);
    void *bodies = t->bodies, *digests = t->body_digests, *bytes = t->bytes.data;
    if (number < t->body_count || number == UINT32_MAX)
        return number;
    if (uvm_grow(&bodies, t->body_count, &t->body_room, 1, sizeof *t->bodies, work) ||
        uvm_grow(&digests, t->body_count, &t->body_digest_room, 1, sizeof digest, work) ||
        uvm_grow(&bytes, t->bytes.count, &t->bytes.room, body->count, 1, work))
        return UINT32_MAX;
    t->bodies = bodies;
    t->body_digests = digests;
    t->bytes.data = bytes;
    memcpy(t->bytes.data + t->bytes.count, body->data, body->count);
    t->bodies[t->body_count] = t->bytes.count;
    t->bytes.count += body->count;
    t->body_digests[t->body_count++] = digest;
    return number;
}

/* ---- at their final size ---- */

void *uvm_keep(const void *data, size_t size, msw_arena *arena)
{
    void *kept = msw_arena_take(arena, size + 1);
    if (kept && size)
        memcpy(kept, data, size);
    return kept;
}

int uvm_keep_tables(uvm_tables *t, uint64_t *bytes, msw_arena *arena)
{
    uvm_kernel *k = t->made;
    k->site_count = (uint32_t)t->site_count;
    k->body_count = (uint32_t)t->body_count;
    k->byte_count = t->bytes.count;
    k->sites = uvm_keep(t->sites, t->site_count * sizeof *k->sites, arena);
    k->bodies = uvm_keep(t->bodies, t->body_count * sizeof *k->bodies, arena);
    k->bytes = uvm_keep(t->bytes.data, t->bytes.count, arena);
    *bytes += t->site_count * sizeof *k->sites + t->body_count * sizeof *k->bodies + t->bytes.count;
    return k->sites && k->bodies && k->bytes ? 0 : -1;
}

/* ---- what is known of a kernel before it runs ---- */

static bool reaches_global(const msw_simt_insn *insn)
{
    return insn->space == MSW_SIMT_GLOBAL || insn->space == MSW_SIMT_GENERIC;
}

static uint32_t *find_slots(const msw_simt_kernel *kernel, uint32_t *count, msw_arena *work)
{
    uint32_t *slots = msw_arena_take(work, (kernel->insn_count + 1u) * sizeof *slots);
    *count = 0;
    for (uint32_t i = 0; slots && i < kernel->insn_count; i++)
        slots[i] = reaches_global(&kernel->insns[i]) ? (*count)++ : MSW_SIMT_NONE;
    return slots;
}

/* Which loads' values an instruction uses: by the dependence graph, directly. */
static uint64_t *find_uses(const msw_simt_kernel *kernel, const uint32_t *slots, msw_arena *work,
                           msw_err *err)
{
    const msw_simt_dependences *d = msw_simt_dependences_of(kernel, work, err);
    uint64_t *uses = msw_arena_zero(work, kernel->insn_count + 1u, sizeof *uses);
    if (!d)
        return NULL;
    if (!uses)
        msw_fail_memory(err);
    for (uint32_t i = 0; uses && i < kernel->insn_count; i++) {
        uint32_t first = d->first[d->use_base[i]];
        uint32_t end = d->first[d->use_base[i] + kernel->insns[i].use_count];
        for (uint32_t p = first; p < end; p++) {
            uint32_t slot = slots[d->producers[p]];
            if (slot != MSW_SIMT_NONE)
                uses[i] |= (uint64_t)1 << (slot < 63 ? slot : 63);
        }
    }
    return uses;
}

uvm_tables *uvm_tables_of(const msw_simt_kernel *kernel, msw_arena *work, msw_arena *arena,
                          msw_err *err)
{
    uvm_tables *t = msw_arena_zero(work, 1, sizeof *t);
    uvm_kernel *made = msw_arena_zero(arena, 1, sizeof *made);
    uint32_t *slots = made ? find_slots(kernel, &made->slots, work) : NULL;
    const msw_simt_liveness *liveness = msw_simt_liveness_of(kernel, work);
    if (!t || !made || !slots || !liveness) {
        msw_fail_memory(err);
        return NULL;
    }
    made->registers = (liveness->most_bytes + 3) / 4;
    *t = (uvm_tables){.kernel = kernel, .made = made, .slot_of = slots};
    t->loads_of = find_uses(kernel, slots, work, err);
    return t->loads_of ? t : NULL;
}

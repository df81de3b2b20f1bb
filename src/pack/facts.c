/* SPDX-License-Identifier: MIT */
/* Reading versions.json. Anybody may have written it: every value is asked for its kind. */
#include "memsweep/base/json.h"
#include "pack/packed_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 64 << 20, DIGITS = 32 };

typedef struct reading {
    msw_packed *p;
    msw_err *err;
} reading;

static int fail_at(const reading *r, const msw_json *at, const char *key, const char *wanted)
{
    return msw_fail(r->err, "%s: " MSW_PACKED_VERSIONS ":%zu:%zu: '%s': allowed: %s", r->p->root,
                    at->line, at->column, key, wanted);
}

/* ---- values ---- */

static const msw_json *member(const reading *r, const msw_json *of, const char *key,
                              msw_json_kind kind, const char *wanted)
{
    const msw_json *value = msw_json_find(of, key);
    if (value && value->kind == kind)
        return value;
    fail_at(r, value ? value : of, key, wanted);
    return NULL;
}

static int read_text(const reading *r, const msw_json *of, const char *key, const char **text)
{
    const msw_json *value = member(r, of, key, MSW_JSON_STRING, "a text");
    *text = value ? value->text : NULL;
    return value ? 0 : -1;
}

/* A text, or null where nothing was said. */
static int read_choice(const reading *r, const msw_json *of, const char *key, const char **text)
{
    const msw_json *value = msw_json_find(of, key);
    *text = NULL;
    return value && value->kind == MSW_JSON_NULL ? 0 : read_text(r, of, key, text);
}

static int read_number(const reading *r, const msw_json *of, const char *key, uint64_t *number)
{
    const msw_json *value = msw_json_find(of, key);
    return msw_json_whole(value, number) ? 0
                                         : fail_at(r, value ? value : of, key, "a whole number");
}

static int read_digest(const reading *r, const msw_json *of, msw_digest *digest)
{
    char half[DIGITS / 2 + 1] = "";
    const char *text;
    if (read_text(r, of, "digest", &text))
        return -1;
    if (strlen(text) != DIGITS || strspn(text, "0123456789abcdef") != DIGITS)
        return fail_at(r, of, "digest", "32 hexadecimal digits");
    memcpy(half, text, DIGITS / 2);
    *digest = (msw_digest){strtoull(half, NULL, 16), strtoull(text + DIGITS / 2, NULL, 16)};
    return 0;
}

/* ---- parts ---- */

static int read_format(const reading *r, const msw_json *top)
{
    uint64_t format;
    if (read_number(r, top, "memsweep_pack", &format))
        return -1;
    if (format == MSW_PACKED_FORMAT)
        return 0;
    return msw_fail(r->err,
                    "%s: is an archive of form %" PRIu64 ", which a newer memsweep made; this one "
                    "knows form %d",
                    r->p->root, format, MSW_PACKED_FORMAT);
}

static int read_program(const reading *r, const msw_json *top)
{
    msw_packed_facts *f = &r->p->facts;
    const msw_json *program = member(r, top, "packed_by", MSW_JSON_OBJECT, "an object");
    MSW_TRY(!program);
    MSW_TRY(read_text(r, program, "version", &f->version));
    MSW_TRY(read_choice(r, program, "revision", &f->revision));
    MSW_TRY(read_text(r, program, "compiler", &f->compiler));
    return read_text(r, program, "architecture", &f->machine);
}

static const char *below_root(const reading *r, const char *name)
{
    size_t size = strlen(r->p->root) + strlen(name) + 2;
    char *path = msw_arena_take(&r->p->arena, size);
    if (path)
        snprintf(path, size, "%s/%s", r->p->root, name);
    else
        msw_fail_memory(r->err);
    return path;
}

static int read_folders(const reading *r, const msw_json *sweep)
{
    size_t count = 0;
    const msw_json *list = member(r, sweep, "folders", MSW_JSON_LIST, "a list of folders");
    if (!list)
        return -1;
    for (const msw_json *f = list->first; f; f = f->next) {
        if (f->kind != MSW_JSON_STRING || count == MSW_PACKED_FOLDERS)
            return fail_at(r, f, "folders", "up to 8 texts");
        r->p->folders[count] = below_root(r, f->text);
        if (!r->p->folders[count++])
            return -1;
    }
    return 0;
}

static int read_sweep(const reading *r, const msw_json *top)
{
    msw_packed *p = r->p;
    const msw_json *sweep = member(r, top, "sweep", MSW_JSON_OBJECT, "an object");
    if (!sweep || read_text(r, sweep, "name", &p->facts.name) ||
        read_text(r, sweep, "file", &p->facts.file) || read_digest(r, sweep, &p->facts.plan) ||
        read_number(r, sweep, "points", &p->facts.points) ||
        read_choice(r, sweep, "fidelity", &p->facts.fidelity) ||
        read_choice(r, sweep, "seed", &p->facts.seed) || read_folders(r, sweep))
        return -1;
    if (!msw_sweep_name_is(p->facts.name))
        return fail_at(r, sweep, "name", "the name of a sweep");
    p->sweep = msw_strfmt("%s/%s", p->root, p->facts.file);
    return p->sweep ? 0 : msw_fail_memory(r->err);
}

static int read_models(const reading *r, const msw_json *top)
{
    uint64_t version;
    msw_packed_facts *f = &r->p->facts;
    const msw_json *rows = member(r, top, "rows", MSW_JSON_OBJECT, "an object");
    f->models = member(r, top, "versions", MSW_JSON_OBJECT, "an object");
    if (!f->models || !rows || read_number(r, rows, "count", &f->rows) ||
        read_digest(r, rows, &f->digest))
        return -1;
    for (const msw_json *m = f->models->first; m; m = m->next)
        if (!msw_json_whole(m, &version))
            return fail_at(r, m, m->key, "a whole number");
    return 0;
}

/* ---- files ---- */

/* Sums of 32 bits are against bad disks, digests against a file that was exchanged by mistake. */
static int compare(const reading *r, const msw_packed_entry *e, msw_digest wanted)
{
    msw_arena arena = {0};
    const char *bytes = msw_zip_unpack(&r->p->zip, &e->entry, MSW_ZIP_MEMBER_MAX, &arena, r->err);
    bool same = bytes && msw_digest_equal(msw_hash_bytes(bytes, e->entry.unpacked), wanted);
    msw_arena_free(&arena);
    if (same || !bytes)
        return same ? 0 : -1;
    return msw_fail(r->err,
                    "%s: the file %s is not the one that was packed: its digest is another than "
                    "the one in " MSW_PACKED_VERSIONS,
                    r->p->root, e->name);
}

static int check_file(const reading *r, const msw_json *file)
{
    const char *name;
    msw_digest wanted;
    if (read_text(r, file, "name", &name) || read_digest(r, file, &wanted))
        return -1;
    msw_packed_entry *e = msw_packed_find(r->p, name);
    if (!e)
        return msw_fail(r->err, "%s: lacks the file %s, which " MSW_PACKED_VERSIONS " lists",
                        r->p->root, name);
    if (e->listed)
        return fail_at(r, file, "name", "each file once");
    e->listed = true;
    return compare(r, e, wanted);
}

/* What says what the archive is may be edited, and people may add files: they are left alone. */
static int check_files(const reading *r, const msw_json *top)
{
    static const char *const ABOUT[] = {MSW_PACKED_VERSIONS, MSW_PACKED_CRATE, "README.md"};
    const msw_json *files = member(r, top, "files", MSW_JSON_LIST, "a list");
    msw_packed_entry *e;
    if (!files)
        return -1;
    for (const msw_json *f = files->first; f; f = f->next)
        if (check_file(r, f))
            return -1;
    for (size_t i = 0; i < r->p->count; i++)
        r->p->unlisted += !r->p->entries[i].listed;
    for (size_t i = 0; i < sizeof ABOUT / sizeof *ABOUT; i++)
        r->p->unlisted -= (e = msw_packed_find(r->p, ABOUT[i])) && !e->listed;
    return 0;
}

int msw_packed_facts_read(msw_packed *p, msw_err *err)
{
    reading r = {p, err};
    const msw_packed_entry *e = msw_packed_find(p, MSW_PACKED_VERSIONS);
    const char *text = msw_zip_unpack(&p->zip, &e->entry, TEXT_MAX, &p->arena, err);
    if (!text)
        return -1;
    char *file = msw_strfmt("%s: " MSW_PACKED_VERSIONS, p->root);
    const msw_json *top =
        file ? msw_json_read(file, text, e->entry.unpacked, &p->arena, err) : NULL;
    if (!file)
        msw_fail_memory(err);
    free(file);
    MSW_TRY(!top);
    MSW_TRY(read_format(&r, top));
    MSW_TRY(read_program(&r, top));
    MSW_TRY(read_sweep(&r, top));
    MSW_TRY(read_models(&r, top));
    return check_files(&r, top);
}

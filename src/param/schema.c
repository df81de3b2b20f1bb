/* SPDX-License-Identifier: MIT */
/* The joint list of all parameters of a point. */
#include "memsweep/param/space.h"

#include "memsweep/base/bits.h"

#include <stdlib.h>
#include <string.h>

static int allocate(msw_schema *schema, size_t count, size_t parts)
{
    schema->params = calloc(count + 1, sizeof *schema->params);
    schema->offsets = calloc(count + 1, sizeof *schema->offsets);
    schema->real = calloc(count + 1, sizeof *schema->real);
    schema->neutral = calloc(count + 1, sizeof *schema->neutral);
    schema->ids = calloc(count + 1, sizeof *schema->ids);
    schema->part_offsets = calloc(parts + 1, sizeof *schema->part_offsets);
    schema->part_first = calloc(parts + 1, sizeof *schema->part_first);
    return schema->params && schema->offsets && schema->real && schema->neutral && schema->ids &&
                   schema->part_offsets && schema->part_first
               ? 0
               : -1;
}

static int add_part(msw_schema *schema, const msw_param *table, size_t size, msw_err *err)
{
    schema->part_offsets[schema->part_count] = schema->size;
    schema->part_first[schema->part_count++] = schema->count;
    for (const msw_param *p = table; p && p->name; p++) {
        if (msw_schema_find(schema, p->name) >= 0)
            return msw_fail_kind(err, MSW_ERR_INTERNAL, "two tables declare parameter %s", p->name);
        schema->params[schema->count] = p;
        schema->offsets[schema->count] = schema->size + p->offset;
        schema->real[schema->count] = p->kind == MSW_REAL;
        schema->neutral[schema->count] = msw_param_neutral(p);
        schema->ids[schema->count++] = msw_hash_string(p->name).lo;
    }
    schema->size += msw_align_up(size, sizeof(int64_t));
    schema->part_first[schema->part_count] = schema->count;
    return 0;
}

int msw_schema_init(msw_schema *schema, const msw_param *const *tables, const size_t *sizes,
                    size_t count, msw_err *err)
{
    *schema = (msw_schema){0};
    size_t params = 0;
    for (size_t t = 0; t < count; t++)
        params += msw_params_count(tables[t]);
    if (allocate(schema, params, count)) {
        msw_schema_free(schema);
        return msw_fail_memory(err);
    }
    for (size_t t = 0; t < count; t++) {
        if (add_part(schema, tables[t], sizes[t], err)) {
            msw_schema_free(schema);
            return -1;
        }
    }
    return 0;
}

void msw_schema_free(msw_schema *schema)
{
    if (!schema)
        return;
    free(schema->params);
    free(schema->offsets);
    free(schema->real);
    free(schema->neutral);
    free(schema->ids);
    free(schema->part_offsets);
    free(schema->part_first);
    *schema = (msw_schema){0};
}

/* Front ends are spoken of as "npu.batch" too; the one true name is the column's. */
static bool same_name(const char *declared, const char *wanted)
{
    for (; *declared && *wanted; declared++, wanted++)
        if (*declared != *wanted && !(*declared == '_' && *wanted == '.'))
            return false;
    return *declared == *wanted;
}

int msw_schema_find(const msw_schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->count; i++)
        if (same_name(schema->params[i]->name, name))
            return (int)i;
    return -1;
}

const char *msw_schema_nearest(const msw_schema *schema, const char *wrong)
{
    const char **names = calloc(schema->count + 1, sizeof *names);
    if (!names)
        return NULL;
    for (size_t i = 0; i < schema->count; i++)
        names[i] = schema->params[i]->name;
    const char *best = msw_nearest(wrong, names, sizeof *names);
    free(names);
    return best;
}

void msw_schema_defaults(const msw_schema *schema, void *block)
{
    memset(block, 0, schema->size);
    for (size_t i = 0; i < schema->count; i++)
        msw_schema_set(schema, i, block, schema->params[i]->def);
}

size_t msw_schema_canonical(const msw_schema *schema, size_t first, size_t last, const void *block,
                            uint64_t *words)
{
    size_t used = 0;
    for (size_t i = first; i < last; i++) {
        double value = msw_schema_get(schema, i, block);
        if (value == schema->neutral[i])
            continue;
        value += 0.0; /* -0.0 and 0.0 are one value */
        words[used++] = schema->ids[i];
        memcpy(&words[used++], &value, sizeof value);
    }
    return used;
}

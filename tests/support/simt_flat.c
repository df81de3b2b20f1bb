/* SPDX-License-Identifier: MIT */
#include "simt_flat.h"

#include <stdlib.h>
#include <string.h>

static int check(uint64_t address, size_t bytes, msw_err *err)
{
    if (address >= FLAT_BASE && bytes <= FLAT_BYTES && address - FLAT_BASE <= FLAT_BYTES - bytes)
        return 0;
    return msw_fail(err, "address 0x%llx is in no allocation", (unsigned long long)address);
}

static int flat_read(void *self, uint64_t address, size_t bytes, void *out, msw_err *err)
{
    flat *f = self;
    if (check(address, bytes, err))
        return -1;
    memcpy(out, f->data + (address - FLAT_BASE), bytes);
    return 0;
}

static int flat_write(void *self, uint64_t address, size_t bytes, const void *in, msw_err *err)
{
    flat *f = self;
    if (check(address, bytes, err))
        return -1;
    memcpy(f->data + (address - FLAT_BASE), in, bytes);
    return 0;
}

static bool flat_span(void *self, uint64_t address, bool write, msw_simt_span *span)
{
    flat *f = self;
    (void)write;
    if (!f->spans || address < FLAT_BASE || address >= FLAT_BASE + FLAT_BYTES)
        return false;
    *span = (msw_simt_span){FLAT_BASE, FLAT_BYTES, f->data};
    return true;
}

void flat_open(flat *f, bool spans)
{
    *f = (flat){.data = calloc(1, FLAT_BYTES), .spans = spans};
    if (!f->data)
        abort();
    f->memory = (msw_simt_memory){f, flat_read, flat_write, NULL, flat_span};
}

void flat_close(flat *f)
{
    free(f->data);
}

int ptx_open(ptx *p, const char *text, const char *entry)
{
    *p = (ptx){.launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}}};
    p->program = msw_simt_parse("t.ptx", text, strlen(text), &p->arena, &p->err);
    p->kernel = p->program ? msw_simt_find_kernel(p->program, entry, &p->err) : NULL;
    p->launch.kernel = p->kernel;
    p->launch.params = p->params;
    p->launch.variable_addresses = p->variables;
    return p->kernel ? 0 : -1;
}

void ptx_close(ptx *p)
{
    msw_arena_free(&p->arena);
}

int ptx_run(ptx *p, flat *f, const msw_simt_listener *listener, uint64_t *issued)
{
    msw_simt_sms sms = {.sms = 1, .ctas = 4};
    uint64_t count;
    p->launch.memory = &f->memory;
    const msw_simt_code *code = msw_simt_decode(&p->launch, &p->arena, &p->err);
    if (!code)
        return -1;
    return msw_simt_execute(code, &sms, 0, 0, listener, &p->arena, issued ? issued : &count,
                            &p->err);
}

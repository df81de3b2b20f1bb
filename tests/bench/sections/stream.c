/* SPDX-License-Identifier: MIT */
/* What does it cost to make a stream of requests, and to read one from a file?  */
#include "section.h"

#include "streams.h"

static void make(bench *b, const char *name)
{
    stream s;
    uint64_t wanted = (uint64_t)bench_set(b, "requests");
    bench_check(b, stream_named(&s, name) || stream_build(&s, 1), &s.err);
    uint64_t each = s.a->count / (uint64_t)s.config.sparse.batches;
    s.config.sparse.batches = (int64_t)(wanted / each + 1);
    double start = bench_seconds();
    bench_check(b, stream_build(&s, 1), &s.err);
    bench_rate(b, (double)s.a->count, bench_seconds() - start, "make %s", name);
    bench_row(b, "B", BENCH_LOWER, (double)s.arena.total / (double)s.a->count, "bytes of %s", name);
    stream_close(&s);
}

/* A text of n lines. */
static double read_lines(bench *b, void *context, size_t n)
{
    const char *const *file = context; /* name, format of a line */
    msw_text text = MSW_TEXT_EMPTY;
    stream s;
    for (size_t i = 0; i < n; i++)
        msw_text_add(&text, file[1], 0x400000 + (int)i * 64 % 9999999);
    double start = bench_seconds();
    bench_check(b, stream_bytes(&s, file[0], text.data, text.size), &s.err);
    double spent = bench_seconds() - start;
    stream_close(&s);
    msw_text_free(&text);
    return spent;
}

void section_stream(bench *b)
{
    static const char *const NAMES[] = {"dlrm/b2048", "deepfm/b2048", "neumf/b2048", "kgcn/b128",
                                        "pruned",     "jumps",        "strides",     "dense",
                                        "big",        "large"};
    static const char *FILES[][2] = {{"t.trace", "0x%x 64 r\n"},
                                     {"t.dramsim3", "0x%x READ 17\n"},
                                     {"t.lackey", " L %08x,8\n"},
                                     {"g.edges", "%d 17\n"}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        make(b, NAMES[i]);
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        bench_growth(b, (size_t)bench_set(b, "lines") / 10, read_lines, FILES[i], "lines of %s",
                     FILES[i][0]);
}

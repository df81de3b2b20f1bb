/* What does it cost to make a stream of requests, and to read one from a file? Processor time,
 * beside a calibration loop (hashing 200 bytes), so that machines can be compared. */
#include "bench.h"

#include "streams.h"

static void bench_make(const char *name, double hash)
{
    enum { REQUESTS = 10000000 };
    stream s;
    if (stream_named(&s, name) || stream_build(&s, 1)) {
        printf("%s: %s\n", name, s.err.text);
        return;
    }
    uint64_t each = s.a->count / (uint64_t)s.config.sparse.batches;
    s.config.sparse.batches = (int64_t)(REQUESTS / each + 1);
    double start = bench_seconds();
    int rc = stream_build(&s, 1);
    double cost = bench_seconds() - start;
    if (rc)
        printf("%s: %s\n", name, s.err.text);
    else
        printf("make %-12s %8llu requests, %.3f s, %6.1f M requests/s, %5.2f hashes each, %.1f "
               "bytes each\n",
               name, (unsigned long long)s.a->count, cost, 1e-6 * (double)s.a->count / cost,
               cost / (double)s.a->count / hash, (double)s.arena.total / (double)s.a->count);
    stream_close(&s);
}

static void bench_read(const char *file, const char *format, double hash)
{
    enum { LINES = 2000000 };
    msw_text text = MSW_TEXT_EMPTY;
    stream s;
    for (int i = 0; i < LINES; i++)
        msw_text_add(&text, format, 0x400000 + i * 64 % 9999999);
    double start = bench_seconds();
    int rc = stream_bytes(&s, file, text.data, text.size);
    double cost = bench_seconds() - start;
    if (rc)
        printf("%s: %s\n", file, s.err.text);
    else
        printf("read %-12s %8d lines, %.3f s, %6.1f M lines/s, %5.1f MB/s, %5.2f hashes each, %.1f "
               "bytes each\n",
               file, LINES, cost, 1e-6 * LINES / cost, 1e-6 * (double)text.size / cost,
               cost / LINES / hash, (double)s.workload.arena.total / LINES);
    stream_close(&s);
    msw_text_free(&text);
}

int main(void)
{
    static const char *const NAMES[] = {"dlrm/b2048", "deepfm/b2048", "neumf/b2048", "kgcn/b128",
                                        "pruned",     "jumps",        "strides",     "dense",
                                        "big",        "large"};
    double hash = bench_hash();
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        bench_make(NAMES[i], hash);
    bench_read("t.trace", "0x%x 64 r\n", hash);
    bench_read("t.dramsim3", "0x%x READ 17\n", hash);
    bench_read("t.lackey", " L %08x,8\n", hash);
    bench_read("g.edges", "%d 17\n", hash);
    return 0;
}

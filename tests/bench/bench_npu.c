/* What does it cost to read a network and to cut it into tiles? Processor time, beside a
 * calibration loop (hashing 200 bytes), so that machines can be compared. */
#include "bench.h"

#include "networks.h"

static void bench(const char *name, double hash)
{
    network n;
    double start = bench_seconds();
    int builds = 0;
    if (network_load(&n, name)) {
        printf("%s: %s\n", name, n.err.text);
        return;
    }
    double read = bench_seconds() - start;
    for (start = bench_seconds(); builds == 0 || bench_seconds() - start < 0.2; builds++)
        if (network_build(&n)) {
            printf("%s: %s\n", name, n.err.text);
            return;
        }
    double each = (bench_seconds() - start) / builds;
    printf("%-18s read %7.3f ms, build %8.3f ms = %9.0f hashes, %7llu tiles, %6.1f M tiles/s, "
           "%6.1f MiB\n",
           name, 1e3 * read, 1e3 * each, each / hash, (unsigned long long)n.p->tile_count,
           1e-6 * (double)n.p->tile_count / each, (double)n.arena.total / 1048576);
    network_close(&n);
}

int main(void)
{
    static const char *const NAMES[] = {
        "alexnet/b1",      "googlenet/b1",  "resnet50/b1",     "resnet50/b4",       "resnet50/b128",
        "rnn3/b1",         "gnmt_s25/b1",   "bert_base_s512",  "mobilenet_v2/b128", "llm7b/decode",
        "llm7b/decode/b8", "llm7b/prefill", "llm7b/prefill/b4"};
    double hash = bench_hash();
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        bench(NAMES[i], hash);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "program.h"

#include "entry.h"
#undef main
#include "inject.h"
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALL, RATE, SEED, RANK, WORDS };

static fault_record record;
static const char *call_name;

static fault_call find_call(const char *name)
{
    fault_call call = 0;
    while (call < FAULT_CALLS && strcmp(fault_call_names[call], name) != 0)
        call++;
    return call;
}

static void say_hits(void)
{
    fprintf(stderr, "-- %s: %llu of %llu failed\n", call_name, (unsigned long long)record.hits,
            (unsigned long long)record.calls[find_call(call_name)]);
}

/* Faults of one kind of call differ in what the system says: seeds take turns. */
static fault_kind choose_kind(fault_call call, uint64_t seed)
{
    static const fault_kind WRITE[] = {FAULT_FULL, FAULT_IO, FAULT_SHORT};
    if (call == FAULT_WRITE)
        return WRITE[seed % 3];
    if (call == FAULT_NAME)
        return WRITE[seed % 2];
    return call == FAULT_MEMORY ? FAULT_NO_MEMORY : FAULT_IO;
}

static long own_rank(void)
{
    const char *text = getenv("OMPI_COMM_WORLD_RANK");
    return text ? strtol(text, NULL, 10) : 0;
}

int program_run(int argc, char **argv)
{
    if (argc <= WORDS)
        return 2;
    long wanted = strtol(argv[RANK], NULL, 10), rank = own_rank();
    fault_plan plan = {.call = find_call(argv[CALL]),
                       .rate = strtod(argv[RATE], NULL),
                       .seed = strtoull(argv[SEED], NULL, 10) * 64 + (uint64_t)rank};
    plan.kind = choose_kind(plan.call, plan.seed);
    if (wanted >= 0 && wanted != rank)
        plan.call = FAULT_CALLS;
    call_name = argv[CALL];
    fault_memory_install();
    fault_vfs_install();
    fault_threads_take_turns(false);
    argv[RANK] = (char *)"memsweep";
    fault_begin(&plan, &record, false, 0);
    int code = memsweep_main(argc - RANK, argv + RANK);
    fault_end();
    say_hits();
    return code;
}

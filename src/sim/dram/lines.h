/* SPDX-License-Identifier: MIT */
/* Private to dram_lines: the state of a channel. */
#ifndef MSW_SIM_DRAM_LINES_H
#define MSW_SIM_DRAM_LINES_H

#include "memsweep/sim/dram_lines.h"

#define LINES_NO_ROW UINT32_MAX

/* A row buffer of a bank. */
typedef struct lines_slot {
    uint64_t column, precharge, activate; /* earliest commands */
    uint64_t used;                        /* last ACT or column command */
    uint32_t row, served;                 /* column commands since ACT */
} lines_slot;

/* What banks share: all of a channel, or each bank alone. */
typedef struct lines_bus {
    uint64_t read[MSW_DRAM_LINES_GROUPS], write[MSW_DRAM_LINES_GROUPS]; /* earliest commands */
    uint64_t activate;
    uint64_t last[4]; /* ACTs, for faw; 0: none */
    uint32_t oldest;
} lines_bus;

typedef struct lines_entry {
    msw_dram_lines_request request;
    uint64_t column;    /* earliest, of its open rows */
    uint16_t opened;    /* banks whose row was opened for it */
    uint16_t conflicts; /* of those, with another row closed */
} lines_entry;

struct msw_dram_lines {
    const msw_dram_lines_config *config;
    uint64_t now, when, refresh;
    uint64_t closing; /* when the next row may be closed that somebody waits for */
    uint32_t head, tail, count;
    uint64_t closed;                 /* bit per request of the window: a row of it is not open */
    bool again;                      /* rows may be opened that could not be before */
    msw_dram_lines_request *waiting; /* by arrival; a ring */
    msw_dram_lines_stats totals;
    uint8_t selected[MSW_DRAM_LINES_BANKS];      /* buffer that the column path is connected to */
    uint64_t other_buffer[MSW_DRAM_LINES_BANKS]; /* earliest ACT or SEL of one not selected */
    lines_bus buses[MSW_DRAM_LINES_BANKS];
    lines_slot slots[MSW_DRAM_LINES_BANKS][MSW_DRAM_LINES_BUFFERS];
    lines_entry window[MSW_DRAM_LINES_WINDOW];
};

/* Finds out which rows of a request are open. */
void lines_look(msw_dram_lines *lines, uint32_t index);

/* Opens rows of waiting requests, the oldest first; `closing` says when to look again. */
void lines_open_rows(msw_dram_lines *lines);

/* Returns the earliest time at which a bus can take a column command. */
uint64_t lines_bus_free(const msw_dram_lines *lines);

/* Returns the time at which an open request's column commands can begin. */
uint64_t lines_due(const msw_dram_lines *lines, const lines_entry *entry);

/* Issues its column commands, and counts. */
void lines_serve(msw_dram_lines *lines, const lines_entry *entry,
                 msw_dram_lines_completion *completion);

static inline lines_bus *lines_bus_of(msw_dram_lines *lines, uint32_t bank)
{
    return &lines->buses[lines->config->own_buses ? bank : 0];
}

/* The buffer of a bank that has a row open. Returns `buffers` where none has. */
static inline uint32_t lines_find(const msw_dram_lines *lines, uint32_t bank, uint32_t row)
{
    uint32_t buffers = lines->config->buffers;
    if (lines->config->placing == MSW_DRAM_LINES_MOD) {
        uint32_t s = row % buffers;
        return lines->slots[bank][s].row == row ? s : buffers;
    }
    for (uint32_t s = 0; s < buffers; s++)
        if (lines->slots[bank][s].row == row)
            return s;
    return buffers;
}

#endif

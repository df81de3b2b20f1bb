/* Private to `surrogate`: the points a user names, by factor. */
#ifndef MEMSWEEP_CLI_PLACES_H
#define MEMSWEEP_CLI_PLACES_H

#include "study.h"

/* Values as they stand in rows: numbers, or labels by their number. */
typedef struct cli_places {
    size_t n;
    double *value; /* n rows of factor_count values; NaN: not named */
} cli_places;

/* Reads "a=1,b=2", or a file of comma-separated values whose first line names factors. Returns 0,
 * or -1. */
int cli_places_read(const cli_study *study, const char *at, const char *file, cli_places *places);
void cli_places_free(cli_places *places);

#endif

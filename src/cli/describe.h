/* Private to `describe`: how each kind of thing is told about. */
#ifndef MSW_CLI_DESCRIBE_H
#define MSW_CLI_DESCRIBE_H

#include "cli/cli.h"

/* Appends what is known about one thing, for people. */
void cli_describe_one(const cli_named *named, msw_text *out);

#endif

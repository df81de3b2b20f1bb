/* bundle: the files a plan was made from, as one block of bytes that can be sent to other ranks.
 *
 * The rank that reads files plans through a recorder; the others plan through a player of the
 * recorded bytes and touch no file. */
#ifndef MEMSWEEP_SWEEP_BUNDLE_H
#define MEMSWEEP_SWEEP_BUNDLE_H

#include "memsweep/base/text.h"
#include "memsweep/sweep/sweep.h"

/* Reads from the file system and appends every file read to `bytes`. Returns the source, which
 * lives as long as `bytes`. */
msw_file_source msw_bundle_recorder(msw_text *bytes);

/* Knows the recorded files and no others. Returns the source, which lives as long as `bytes`. */
msw_file_source msw_bundle_player(const msw_text *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/* table_builder: tables made cell by cell are in table.h. */
#ifndef MEMSWEEP_BASE_TABLE_BUILDER_H
#define MEMSWEEP_BASE_TABLE_BUILDER_H

#include "memsweep/base/table.h"

#endif

/* SPDX-License-Identifier: MIT */
/* yaml: the part of YAML that Timeloop's problems are written in, as a tree of JSON values. */
#ifndef MSW_WORKLOAD_NPU_YAML_H
#define MSW_WORKLOAD_NPU_YAML_H

#include "memsweep/base/json.h"

/* Reads a text. `file` is for messages. Returns a list of its documents, or NULL with `err`. */
const msw_json *msw_npu_read_yaml(const char *file, const char *bytes, size_t size,
                                  msw_arena *arena, msw_err *err);

#endif

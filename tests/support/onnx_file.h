/* SPDX-License-Identifier: MIT */
/* Small ONNX files as tests want them: nodes, constants without data, inputs. */
#ifndef MEMSWEEP_TESTS_ONNX_FILE_H
#define MEMSWEEP_TESTS_ONNX_FILE_H

#include "memsweep/base/text.h"

#include <stdint.h>

/* Appends a field: bytes, text or a number. */
void onnx_bytes(msw_text *out, unsigned field, const void *bytes, size_t size);
void onnx_text(msw_text *out, unsigned field, const char *text);
void onnx_number(msw_text *out, unsigned field, int64_t number);

/* Appends to a graph an input or a constant: "1,3,224,224"; an input's sizes may be names. */
void onnx_input(msw_text *graph, const char *name, const char *shape);
void onnx_weights(msw_text *graph, const char *name, const char *shape);

/* Appends a constant list of 64-bit integers: "1,0,768". */
void onnx_list(msw_text *graph, const char *name, const char *values);

/* Appends a node: "Conv y x w pads=1,1,1,1 group:2 auto_pad@VALID": operator, output, inputs,
 * lists (=), numbers (:) and texts (@). Its name is its output. */
void onnx_node(msw_text *graph, const char *line);

/* Makes a model of lines: "input x batch,3", "weights w 64,3,7,7", "single s" (a real number),
 * "list l 1,-1", "scalar c 0", "table t 2,2 0,1,2,3", and nodes, whose outputs are joined by '+',
 * whose inputs that are not there are '-', and in which # is a constant of one number. */
void onnx_lines(const char *lines, msw_text *model);

/* Makes a model of a graph, which is freed. */
void onnx_model(msw_text *graph, msw_text *model);

#endif

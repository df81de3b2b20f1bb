/* SPDX-License-Identifier: MIT */
#include "onnx_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void varint(msw_text *out, uint64_t value)
{
    char byte;
    for (; value > 0x7f; value >>= 7) {
        byte = (char)(value | 0x80);
        msw_text_add_bytes(out, &byte, 1);
    }
    byte = (char)value;
    msw_text_add_bytes(out, &byte, 1);
}

void onnx_bytes(msw_text *out, unsigned field, const void *bytes, size_t size)
{
    varint(out, (uint64_t)field << 3 | 2);
    varint(out, size);
    msw_text_add_bytes(out, bytes, size);
}

void onnx_text(msw_text *out, unsigned field, const char *text)
{
    onnx_bytes(out, field, text, strlen(text));
}

void onnx_number(msw_text *out, unsigned field, int64_t number)
{
    varint(out, (uint64_t)field << 3);
    varint(out, (uint64_t)number);
}

static void put(msw_text *out, unsigned field, msw_text *message)
{
    onnx_bytes(out, field, message->size ? message->data : "", message->size);
    msw_text_free(message);
}

void onnx_input(msw_text *graph, const char *name, const char *shape)
{
    msw_text sizes = MSW_TEXT_EMPTY, tensor = MSW_TEXT_EMPTY, type = MSW_TEXT_EMPTY,
             info = MSW_TEXT_EMPTY;
    for (const char *c = shape; *c; c += *c == ',') {
        size_t size = strcspn(c, ",");
        msw_text one = MSW_TEXT_EMPTY;
        if ((*c >= '0' && *c <= '9') || *c == '-')
            onnx_number(&one, 1, strtoll(c, NULL, 10));
        else
            onnx_bytes(&one, 2, c, size);
        put(&sizes, 1, &one);
        c += size;
    }
    onnx_number(&tensor, 1, 1);
    put(&tensor, 2, &sizes);
    put(&type, 1, &tensor);
    onnx_text(&info, 1, name);
    put(&info, 2, &type);
    put(graph, 11, &info);
}

static void numbers(msw_text *out, unsigned field, const char *list)
{
    for (const char *c = list; *c; c += *c == ',') {
        onnx_number(out, field, strtoll(c, NULL, 10));
        c += strcspn(c, ",");
    }
}

void onnx_weights(msw_text *graph, const char *name, const char *shape)
{
    msw_text tensor = MSW_TEXT_EMPTY;
    numbers(&tensor, 1, shape);
    onnx_number(&tensor, 2, 1);
    onnx_text(&tensor, 8, name);
    put(graph, 5, &tensor);
}

static void constant(msw_text *out, unsigned field, const char *name, const char *shape,
                     const char *values)
{
    msw_text tensor = MSW_TEXT_EMPTY;
    numbers(&tensor, 1, shape);
    onnx_number(&tensor, 2, values ? 7 : 1);
    numbers(&tensor, 7, values ? values : "");
    onnx_text(&tensor, 8, name);
    put(out, field, &tensor);
}

void onnx_list(msw_text *graph, const char *name, const char *values)
{
    char shape[32];
    int count = 1;
    for (const char *c = values; *c; c++)
        count += *c == ',';
    snprintf(shape, sizeof shape, "%d", count);
    constant(graph, 5, name, shape, values);
}

static void attribute(msw_text *node, char *word, char *mark)
{
    msw_text a = MSW_TEXT_EMPTY;
    char kind = *mark;
    *mark++ = '\0';
    onnx_text(&a, 1, word);
    if (kind == '=')
        numbers(&a, 8, mark);
    else if (kind == ':')
        onnx_number(&a, 3, strtoll(mark, NULL, 10));
    else if (kind == '#')
        constant(&a, 5, "", "1", mark);
    else
        onnx_text(&a, 4, mark);
    put(node, 5, &a);
}

/* A node is called as its first output. */
static void outputs(msw_text *node, char *names)
{
    size_t size = strcspn(names, "+");
    onnx_bytes(node, 3, names, size);
    for (char *c = names; *c; c += *c == '+') {
        size = strcspn(c, "+");
        onnx_bytes(node, 2, c, size);
        c += size;
    }
}

void onnx_node(msw_text *graph, const char *line)
{
    char *copy = msw_strdup(line), *rest = NULL;
    msw_text node = MSW_TEXT_EMPTY;
    int number = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *mark = strpbrk(word, "=:@#");
        if (mark)
            attribute(&node, word, mark);
        else if (number == 1)
            outputs(&node, word);
        else
            onnx_text(&node, number ? 1 : 4, strcmp(word, "-") ? word : "");
        number += !mark;
    }
    free(copy);
    put(graph, 1, &node);
}

static void add_line(msw_text *graph, char *line)
{
    char *copy = msw_strdup(line), *rest = NULL;
    const char *kind = strtok_r(copy, " ", &rest), *name = strtok_r(NULL, " ", &rest);
    const char *shape = strtok_r(NULL, " ", &rest), *values = strtok_r(NULL, " ", &rest);
    if (strcmp(kind, "input") == 0)
        onnx_input(graph, name, shape);
    else if (strcmp(kind, "weights") == 0)
        onnx_weights(graph, name, shape);
    else if (strcmp(kind, "single") == 0)
        onnx_weights(graph, name, "");
    else if (strcmp(kind, "list") == 0)
        onnx_list(graph, name, shape);
    else if (strcmp(kind, "scalar") == 0)
        constant(graph, 5, name, "", shape);
    else if (strcmp(kind, "table") == 0)
        constant(graph, 5, name, shape, values);
    else
        onnx_node(graph, line);
    free(copy);
}

void onnx_lines(const char *lines, msw_text *model)
{
    msw_text graph = MSW_TEXT_EMPTY;
    char *copy = msw_strdup(lines), *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        add_line(&graph, line);
    free(copy);
    onnx_model(&graph, model);
}

void onnx_model(msw_text *graph, msw_text *model)
{
    onnx_number(model, 1, 8);
    put(model, 7, graph);
}

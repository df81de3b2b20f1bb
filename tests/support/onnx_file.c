#include "onnx_file.h"

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
        if (*c >= '0' && *c <= '9')
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

void onnx_list(msw_text *graph, const char *name, const char *values)
{
    msw_text tensor = MSW_TEXT_EMPTY;
    int64_t count = 1;
    for (const char *c = values; *c; c++)
        count += *c == ',';
    onnx_number(&tensor, 1, count);
    onnx_number(&tensor, 2, 7);
    numbers(&tensor, 7, values);
    onnx_text(&tensor, 8, name);
    put(graph, 5, &tensor);
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
    else
        onnx_text(&a, 4, mark);
    put(node, 5, &a);
}

void onnx_node(msw_text *graph, const char *line)
{
    char *copy = msw_strdup(line), *rest = NULL;
    msw_text node = MSW_TEXT_EMPTY;
    int number = 0;
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *mark = strpbrk(word, "=:@");
        if (mark)
            attribute(&node, word, mark);
        else
            onnx_text(&node, number == 0 ? 4 : number == 1 ? 2 : 1, word);
        if (!mark && number++ == 1)
            onnx_text(&node, 3, word);
    }
    free(copy);
    put(graph, 1, &node);
}

void onnx_model(msw_text *graph, msw_text *model)
{
    onnx_number(model, 1, 8);
    put(model, 7, graph);
}

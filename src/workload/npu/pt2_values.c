/* SPDX-License-Identifier: MIT */
/* What readers of an archive's graph share: names and the tensors that arguments name. */
#include "workload/npu/pt2.h"

#include <string.h>

msw_onnx_part msw_pt2_part(const char *text)
{
    const uint8_t *at = (const uint8_t *)text;
    return (msw_onnx_part){at, at + strlen(text)};
}

msw_onnx_value *msw_pt2_tensor(msw_pt2 *p, const msw_json *argument)
{
    const msw_json *tensor = msw_json_find(argument, "as_tensor");
    const msw_json *maybe = msw_json_find(argument, "as_optional_tensor");
    if (!tensor && maybe)
        tensor = msw_json_find(maybe, "as_tensor");
    const msw_json *name = msw_json_find(tensor ? tensor : argument, "name");
    return name && name->kind == MSW_JSON_STRING ? msw_onnx_find(&p->m, msw_pt2_part(name->text))
                                                 : NULL;
}

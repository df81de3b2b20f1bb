/* SPDX-License-Identifier: MIT */
/* Published bandwidths by size. */
#include "memsweep/base/text.h"
#include "memsweep/sim/link_curve.h"

#include <string.h>

/* (2 a / pi) atan(0.07292 s) GiB/s at s KiB, a = 12, 24, 48; the points in between are the curve's
 * to find. */
static const msw_curve_point PCIE3_X16[] = {
    {1024, 0.5971},     {4096, 2.328},      {8192, 4.3318},     {16384, 7.0724},
    {32768, 9.5638},    {65536, 11.1534},   {131072, 12.0094},  {262144, 12.4459},
    {1048576, 12.7751}, {4194304, 12.8574}, {33554432, 12.8815}};
static const msw_curve_point PCIE4_X16[] = {
    {1024, 1.1942},     {4096, 4.656},      {8192, 8.6637},     {16384, 14.1448},
    {32768, 19.1276},   {65536, 22.3069},   {131072, 24.0188},  {262144, 24.8918},
    {1048576, 25.5501}, {4194304, 25.7149}, {33554432, 25.7629}};
static const msw_curve_point PCIE5_X16[] = {
    {1024, 2.3884},     {4096, 9.312},      {8192, 17.3274},    {16384, 28.2895},
    {32768, 38.2552},   {65536, 44.6137},   {131072, 48.0376},  {262144, 49.7836},
    {1048576, 51.1002}, {4194304, 51.4298}, {33554432, 51.5259}};

#define UVMSMART                                                                                   \
    "the formula of the simulator UVMSmart (gpu-sim), fitted there to measured copies; "

#define CURVE(points_) .points = (points_), .count = sizeof(points_) / sizeof *(points_)

const msw_named_curve msw_link_curves[] = {
    {.name = "pcie3_x16",
     .doc = "PCIe 3.0 x16, either direction, up to 12.9 GB/s",
     .source = UVMSMART "a = 12",
     CURVE(PCIE3_X16)},
    {.name = "pcie4_x16",
     .doc = "PCIe 4.0 x16, either direction, up to 25.8 GB/s",
     .source = UVMSMART "a = 24",
     CURVE(PCIE4_X16)},
    {.name = "pcie5_x16",
     .doc = "PCIe 5.0 x16, either direction, up to 51.5 GB/s",
     .source = UVMSMART "a = 48",
     CURVE(PCIE5_X16)},
    {.name = NULL},
};

const msw_named_curve *msw_link_curve_find(const char *name, msw_err *err)
{
    for (const msw_named_curve *c = msw_link_curves; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    const char *nearest = msw_nearest(name, &msw_link_curves[0].name, sizeof msw_link_curves[0]);
    msw_fail(err, "no link curve \"%s\"; %s\"%s\"", name, nearest ? "did you mean " : "one is ",
             nearest ? nearest : msw_link_curves[0].name);
    return NULL;
}

/* SPDX-License-Identifier: MIT */
/* A full factorial of 4 x 3 x 5 x 2 levels, last factor fastest. The values were drawn once for
 * this table; its exact (rational) sensitivity indices are known, see tests/validation/data. */
#ifndef MSW_MECH_NULL_FACTORIAL_H
#define MSW_MECH_NULL_FACTORIAL_H

static const int NULL_FACTORIAL[120] = {
    21,  18,  56,  18,  44,  29,  2,   -3,  20,  21,  97,  67,  44,  38,  47,  33,  72,  50,
    39,  19,  208, 194, 175, 191, 201, 203, 198, 186, 154, 132, 152, 159, 146, 123, 131, 128,
    121, 137, 109, 129, 164, 226, 167, 202, 127, 167, 130, 156, 147, 148, 281, 308, 314, 332,
    260, 284, 254, 282, 257, 285, 240, 295, 249, 292, 191, 272, 222, 279, 226, 263, 244, 291,
    271, 324, 276, 335, 258, 299, 262, 316, 409, 416, 387, 410, 400, 457, 360, 389, 373, 402,
    340, 386, 352, 399, 346, 421, 307, 393, 277, 352, 365, 447, 349, 469, 330, 435, 320, 394,
    370, 406, 497, 590, 496, 547, 446, 575, 468, 542, 433, 517,
};

#endif

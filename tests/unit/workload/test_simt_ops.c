/* SPDX-License-Identifier: MIT */
/* Does every instruction give the answer worked out by hand from the PTX manual's definitions, in
 * both kinds of loops? */
#include "testing.h"

#include "simt_flat.h"

#include <string.h>

typedef struct known {
    const char *code;
    char kind; /* where the answer is: r %r9, d %rd9, f %f9, g %fd9, h %h9, p %p9 */
    uint64_t bits;
} known;

static const known INTEGERS[] = {
    {"add.s32 %r9, 5, -7;", 'r', 0xfffffffe},
    {"add.u64 %rd9, 0xffffffffffffffff, 2;", 'd', 1},
    {"add.u16 %h9, 65535, 3;", 'h', 2},
    {"add.sat.s32 %r9, 2147483647, 5;", 'r', 2147483647},
    {"sub.sat.s32 %r9, -2147483647, 5;", 'r', 0x80000000},
    {"sub.s32 %r9, 3, 10;", 'r', 0xfffffff9},
    {"mul.lo.s32 %r9, -3, 7;", 'r', 0xffffffeb},
    {"mul.hi.s32 %r9, -3, 7;", 'r', 0xffffffff},
    {"mul.hi.u32 %r9, 0x80000000, 6;", 'r', 3},
    {"mul.hi.u64 %rd9, 0x8000000000000000, 6;", 'd', 3},
    {"mul.hi.s64 %rd9, -1, 5;", 'd', UINT64_MAX},
    {"mul.wide.s32 %rd9, -2, 3;", 'd', 0xfffffffffffffffa},
    {"mul.wide.u32 %rd9, 0xffffffff, 2;", 'd', 0x1fffffffe},
    {"mul.wide.s16 %r9, -2, 3;", 'r', 0xfffffffa},
    {"mul.wide.u16 %r9, 65535, 65535;", 'r', 0xfffe0001},
    {"mul24.lo.s32 %r9, 0xffffff, 3;", 'r', 0xfffffffd},
    {"mul24.lo.u32 %r9, 0x1000003, 3;", 'r', 9},
    {"mad.lo.s32 %r9, -3, 7, 1;", 'r', 0xffffffec},
    {"mad.hi.u32 %r9, 0x80000000, 6, 10;", 'r', 13},
    {"mad.wide.u32 %rd9, 0xffffffff, 2, 5;", 'd', 0x200000003},
    {"mad.wide.s32 %rd9, -1, 2, 1;", 'd', UINT64_MAX},
    {"mad24.lo.u32 %r9, 3, 5, 7;", 'r', 22},
    {"div.s32 %r9, -7, 2;", 'r', 0xfffffffd},
    {"div.u32 %r9, 7, 0;", 'r', 0xffffffff},
    {"div.s32 %r9, 0x80000000, -1;", 'r', 0x80000000},
    {"rem.s32 %r9, -7, 2;", 'r', 0xffffffff},
    {"rem.s64 %rd9, -7, 4;", 'd', 0xfffffffffffffffd},
    {"rem.u64 %rd9, 100, 7;", 'd', 2},
    {"abs.s32 %r9, -9;", 'r', 9},
    {"neg.s64 %rd9, 9;", 'd', 0xfffffffffffffff7},
    {"min.s32 %r9, -1, 1;", 'r', 0xffffffff},
    {"min.u32 %r9, -1, 1;", 'r', 1},
    {"max.s64 %rd9, -1, 1;", 'd', 1},
    {"sad.s32 %r9, -3, 4, 10;", 'r', 17},
    {"sad.u16 %h9, 3, 10, 1;", 'h', 8},
    {"dp4a.s32.s32 %r9, 0x01ff0203, 0x02030405, 100;", 'r', 100 + 2 - 3 + 8 + 15},
    {"dp4a.u32.u32 %r9, 0xff000000, 0xff000000, 1;", 'r', 65026},
    {"dp4a.s32.u32 %r9, 0xff, 0xff, 0;", 'r', (uint32_t)-255},
    {"dp2a.lo.s32.s32 %r9, 0xffff0002, 0x04030201, 0;", 'r', 0},
    {"dp2a.hi.u32.u32 %r9, 0x00010002, 0x04030201, 5;", 'r', 5 + 6 + 4},
    {"add.cc.u32 %r8, 0xffffffff, 1; addc.u32 %r9, 0, 0;", 'r', 1},
    {"sub.cc.u32 %r8, 0, 1; subc.u32 %r9, 5, 0;", 'r', 4},
    {"mad.lo.cc.u32 %r8, 0x10000, 0x10000, 1; madc.hi.u32 %r9, 0x10000, 0x10000, 2;", 'r', 3},
    {"add.cc.u64 %rd8, -1, -1; addc.u64 %rd9, 1, 1;", 'd', 3},
};

static const known LOGIC[] = {
    {"and.b32 %r9, 0xff00, 0x0ff0;", 'r', 0x0f00},
    {"or.b64 %rd9, 0xff00000000, 1;", 'd', 0xff00000001},
    {"xor.b16 %h9, 0xffff, 0x00ff;", 'h', 0xff00},
    {"not.b32 %r9, 0;", 'r', 0xffffffff},
    {"cnot.b32 %r9, 0;", 'r', 1},
    {"shl.b32 %r9, 1, 31;", 'r', 0x80000000},
    {"shl.b32 %r9, 1, 32;", 'r', 0},
    {"shl.b16 %h9, 0x8001, 1;", 'h', 2},
    {"shl.b64 %rd9, 1, 63;", 'd', (uint64_t)1 << 63},
    {"shr.u32 %r9, 0x80000000, 31;", 'r', 1},
    {"shr.s32 %r9, 0x80000000, 40;", 'r', 0xffffffff},
    {"shr.u64 %rd9, -1, 64;", 'd', 0},
    {"shr.s64 %rd9, -8, 1;", 'd', 0xfffffffffffffffc},
    {"shf.l.wrap.b32 %r9, 0x80000000, 1, 1;", 'r', 3},
    {"shf.r.wrap.b32 %r9, 1, 3, 33;", 'r', 0x80000000},
    {"shf.l.clamp.b32 %r9, 7, 1, 40;", 'r', 7},
    {"shf.r.clamp.b32 %r9, 1, 3, 40;", 'r', 3},
    {"prmt.b32 %r9, 0x33221100, 0x77665544, 0x7210;", 'r', 0x77221100},
    {"prmt.b32 %r9, 0x00800011, 0, 0x00aa;", 'r', 0x1111ffff},
    {"prmt.b32.f4e %r9, 0x33221100, 0x77665544, 1;", 'r', 0x44332211},
    {"prmt.b32.b4e %r9, 0x33221100, 0x77665544, 1;", 'r', 0x66770011},
    {"prmt.b32.rc8 %r9, 0x33221100, 0, 2;", 'r', 0x22222222},
    {"bfe.u32 %r9, 0xabcd1234, 8, 8;", 'r', 0x12},
    {"bfe.s32 %r9, 0xabcd1234, 24, 8;", 'r', 0xffffffab},
    {"bfe.s32 %r9, 0x80000000, 40, 4;", 'r', 0xffffffff},
    {"bfe.u32 %r9, 0x12345678, 4, 0;", 'r', 0},
    {"bfe.u64 %rd9, 0xabcd123400000000, 32, 16;", 'd', 0x1234},
    {"bfe.s64 %rd9, 0xff00, 8, 8;", 'd', UINT64_MAX},
    {"bfi.b32 %r9, 0xff, 0x12345678, 8, 4;", 'r', 0x12345f78},
    {"bfi.b32 %r9, 0xff, 0x12345678, 28, 8;", 'r', 0xf2345678},
    {"bfi.b64 %rd9, 1, 0, 40, 1;", 'd', (uint64_t)1 << 40},
    {"bfind.u32 %r9, 0x00100000;", 'r', 20},
    {"bfind.s32 %r9, -2;", 'r', 0},
    {"bfind.shiftamt.u32 %r9, 0x00100000;", 'r', 11},
    {"bfind.u64 %r9, 0;", 'r', 0xffffffff},
    {"brev.b32 %r9, 1;", 'r', 0x80000000},
    {"brev.b64 %rd9, 3;", 'd', 0xc000000000000000},
    {"clz.b32 %r9, 0x00ffffff;", 'r', 8},
    {"clz.b64 %r9, 1;", 'r', 63},
    {"clz.b32 %r9, 0;", 'r', 32},
    {"popc.b32 %r9, 0xf0f0f0f0;", 'r', 16},
    {"popc.b64 %r9, -1;", 'r', 64},
    {"fns.b32 %r9, 0xf0, 0, 2;", 'r', 5},
    {"lop3.b32 %r9, 0xf0, 0xcc, 0xaa, 0x96;", 'r', 0x96},
    {"lop3.b32 %r9, 0xff00, 0x0ff0, 0xf, 0xea;", 'r', 0x0f0f},
    {"selp.s32 %r9, 3, 4, %p0;", 'r', 4},
    {"slct.s32.s32 %r9, 3, 4, -1;", 'r', 4},
    {"slct.f32.f32 %f9, 0f3F800000, 0f40000000, 0f80000000;", 'f', 0x3f800000},
    {"mov.b64 %rd9, {1, 2};", 'd', 0x200000001},
    {"mov.b64 {%r8, %r9}, 0x500000003;", 'r', 5},
    {"mov.b64 {_, %r9}, 0x500000003;", 'r', 5},
    {"mov.b32 {%h8, %h9}, 0x00070003;", 'h', 7},
    {"mov.b64 %rd9, {%h1, %h2, %h3, %h4};", 'd', 0},
    {"mov.b32 %r9, %f1;", 'r', 0},
    {"isspacep.shared %p9, 5;", 'p', 0},
    {"cvta.shared.u64 %rd8, 5; isspacep.shared %p9, %rd8;", 'p', 1},
    {"cvta.shared.u64 %rd8, 5; cvta.to.shared.u64 %rd9, %rd8;", 'd', 5},
};

static const known PREDICATES[] = {
    {"setp.lt.s32 %p9, -1, 1;", 'p', 1},
    {"setp.lt.u32 %p9, -1, 1;", 'p', 0},
    {"setp.lo.u32 %p9, 1, 2;", 'p', 1},
    {"setp.hs.u64 %p9, 1, 2;", 'p', 0},
    {"setp.eq.and.s32 %p9, 1, 1, %p0;", 'p', 0},
    {"setp.eq.or.s32 %p9, 1, 2, !%p0;", 'p', 1},
    {"setp.ne.xor.s32 %p8|%p9, 1, 2, !%p0;", 'p', 1},
    {"setp.eq.s32 %p8|%p9, 1, 2;", 'p', 1},
    {"setp.ge.s16 %p9, -3, 2;", 'p', 0},
    {"setp.lt.f32 %p9, 0f7FC00000, 0f3F800000;", 'p', 0},
    {"setp.ltu.f32 %p9, 0f7FC00000, 0f3F800000;", 'p', 1},
    {"setp.ne.f32 %p9, 0f7FC00000, 0f3F800000;", 'p', 0},
    {"setp.neu.f32 %p9, 0f7FC00000, 0f3F800000;", 'p', 1},
    {"setp.nan.f64 %p9, 0d7FF8000000000000, 0d3FF0000000000000;", 'p', 1},
    {"setp.num.f64 %p9, 0d7FF8000000000000, 0d3FF0000000000000;", 'p', 0},
    {"setp.equ.f64 %p9, 0d8000000000000000, 0d0000000000000000;", 'p', 1},
    {"setp.eq.ftz.f32 %p9, 0f00000001, 0f00000000;", 'p', 1},
    {"setp.eq.f32 %p9, 0f00000001, 0f00000000;", 'p', 0},
    {"setp.gt.f16 %p9, %h5, %h6;", 'p', 1},
    {"set.lt.u32.s32 %r9, -1, 1;", 'r', 0xffffffff},
    {"set.gt.f32.s32 %f9, 3, 1;", 'f', 0x3f800000},
    {"set.eq.and.u32.f32 %r9, 0f3F800000, 0f3F800000, %p0;", 'r', 0},
    {"set.gt.f16x2.f16x2 %r9, %r5, %r6;", 'r', 0x3c003c00},
    {"not.pred %p9, %p0;", 'p', 1},
    {"and.pred %p9, %p0, !%p0;", 'p', 0},
    {"xor.pred %p9, !%p0, %p0;", 'p', 1},
    {"or.pred %p9, %p0, %p0;", 'p', 0},
    {"mov.pred %p9, !%p0;", 'p', 1},
    {"testp.normal.f32 %p9, 0f00000001;", 'p', 0},
    {"testp.subnormal.f32 %p9, 0f00000001;", 'p', 1},
    {"testp.infinite.f64 %p9, 0dFFF0000000000000;", 'p', 1},
    {"testp.notanumber.f32 %p9, 0f7FC00000;", 'p', 1},
};

static const known FLOATS[] = {
    {"add.f32 %f9, 0f3F800000, 0f33800000;", 'f', 0x3f800000}, /* 1 + 2^-24: half to even */
    {"add.rp.f32 %f9, 0f3F800000, 0f33800000;", 'f', 0x3f800001},
    {"add.rm.f32 %f9, 0fBF800000, 0fB3800000;", 'f', 0xbf800001},
    {"add.rz.f32 %f9, 0fBF800000, 0fB3800000;", 'f', 0xbf800000},
    {"add.rm.f32 %f9, 0f3F800000, 0fBF800000;", 'f', 0x80000000},
    {"sub.rn.f32 %f9, 0f3F800000, 0f40000000;", 'f', 0xbf800000},
    {"sub.rp.f32 %f9, 0f3F800000, 0fB3800000;", 'f', 0x3f800001},
    {"add.sat.f32 %f9, 0f3F800000, 0f3F800000;", 'f', 0x3f800000},
    {"add.sat.f32 %f9, 0f7FC00000, 0f3F800000;", 'f', 0},
    {"add.f32 %f9, 0f7F800000, 0fFF800000;", 'f', 0x7fffffff},
    {"mul.ftz.f32 %f9, 0f00800000, 0f3F000000;", 'f', 0},
    {"mul.f32 %f9, 0f00800000, 0f3F000000;", 'f', 0x00400000},
    {"mul.rm.f32 %f9, 0f7F7FFFFF, 0f40000000;", 'f', 0x7f7fffff},
    {"mul.rz.f32 %f9, 0f80000001, 0f3F000000;", 'f', 0x80000000},
    {"mul.rm.f32 %f9, 0f80000001, 0f3F000000;", 'f', 0x80000001},
    {"fma.rn.f32 %f9, 0f3F800001, 0f3F800001, 0fBF800002;", 'f', 0x28800000},
    {"fma.rm.f32 %f9, 0f3F800000, 0f3F800000, 0fB3000000;", 'f', 0x3f7fffff},
    {"mad.rn.f32 %f9, 0f40000000, 0f40000000, 0f3F800000;", 'f', 0x40a00000},
    {"div.rn.f32 %f9, 0f3F800000, 0f40400000;", 'f', 0x3eaaaaab},
    {"div.rz.f32 %f9, 0f3F800000, 0f40400000;", 'f', 0x3eaaaaaa},
    {"div.full.f32 %f9, 0f40C00000, 0f40000000;", 'f', 0x40400000},
    {"div.approx.f32 %f9, 0f3F800000, 0f7F000000;", 'f', 0}, /* 2^127: its reciprocal flushes */
    {"div.approx.f32 %f9, 0f40C00000, 0f40000000;", 'f', 0x40400000},
    {"rcp.rn.f32 %f9, 0f40400000;", 'f', 0x3eaaaaab},
    {"rcp.rp.f32 %f9, 0f40400000;", 'f', 0x3eaaaaab},
    {"rcp.approx.ftz.f32 %f9, 0f40000000;", 'f', 0x3f000000},
    {"sqrt.rn.f32 %f9, 0f40000000;", 'f', 0x3fb504f3},
    {"sqrt.rp.f32 %f9, 0f40000000;", 'f', 0x3fb504f4},
    {"sqrt.approx.f32 %f9, 0fBF800000;", 'f', 0x7fffffff},
    {"rsqrt.approx.f32 %f9, 0f40800000;", 'f', 0x3f000000},
    {"ex2.approx.f32 %f9, 0f40400000;", 'f', 0x41000000},
    {"ex2.approx.ftz.f32 %f9, 0fC3000000;", 'f', 0}, /* 2^-128 */
    {"lg2.approx.f32 %f9, 0f41000000;", 'f', 0x40400000},
    {"lg2.approx.f32 %f9, 0f00000000;", 'f', 0xff800000},
    {"lg2.approx.f32 %f9, 0fBF800000;", 'f', 0x7fffffff},
    {"sin.approx.f32 %f9, 0f00000000;", 'f', 0},
    {"cos.approx.f32 %f9, 0f00000000;", 'f', 0x3f800000},
    {"sin.approx.f32 %f9, 0f3F800000;", 'f', 0x3f576aa4},  /* 0.84147098 */
    {"cos.approx.f32 %f9, 0f49742400;", 'f', 0x3f6fcefd},  /* of 10^6 */
    {"tanh.approx.f32 %f9, 0f3F800000;", 'f', 0x3f42f7d6}, /* 0.76159416 */
    {"neg.f32 %f9, 0f3F800000;", 'f', 0xbf800000},
    {"abs.f32 %f9, 0fBF800000;", 'f', 0x3f800000},
    {"abs.ftz.f32 %f9, 0f80000001;", 'f', 0},
    {"min.f32 %f9, 0f80000000, 0f00000000;", 'f', 0x80000000},
    {"max.f32 %f9, 0f80000000, 0f00000000;", 'f', 0},
    {"min.f32 %f9, 0f7FC00000, 0f3F800000;", 'f', 0x3f800000},
    {"max.NaN.f32 %f9, 0f7FC00000, 0f3F800000;", 'f', 0x7fffffff},
    {"copysign.f32 %f9, 0f80000000, 0f3F800000;", 'f', 0xbf800000},
    {"add.f64 %fd9, 0d3FF0000000000000, 0d3CA0000000000000;", 'g', 0x3ff0000000000000},
    {"add.rp.f64 %fd9, 0d3FF0000000000000, 0d3CA0000000000000;", 'g', 0x3ff0000000000001},
    {"fma.rn.f64 %fd9, 0d3FF0000000000001, 0d3FF0000000000001, 0dBFF0000000000002;", 'g',
     0x3970000000000000},
    {"fma.rz.f64 %fd9, 0d3FF0000000000000, 0d3FF0000000000000, 0dBC90000000000000;", 'g',
     0x3fefffffffffffff},
    {"div.rn.f64 %fd9, 0d3FF0000000000000, 0d4008000000000000;", 'g', 0x3fd5555555555555},
    {"sqrt.rn.f64 %fd9, 0d4000000000000000;", 'g', 0x3ff6a09e667f3bcd},
    {"rcp.approx.ftz.f64 %fd9, 0d4000000000000000;", 'g', 0x3fe0000000000000},
    {"max.f64 %fd9, 0d7FF8000000000000, 0d3FF0000000000000;", 'g', 0x3ff0000000000000},
    {"neg.f64 %fd9, 0d0000000000000000;", 'g', 0x8000000000000000},
};

static const known HALVES[] = {
    {"add.f16 %h9, %h5, %h6;", 'h', 0x4200}, /* 2 + 1 */
    {"add.rn.f16 %h9, %h5, %h6;", 'h', 0x4200},
    {"sub.f16 %h9, %h6, %h5;", 'h', 0xbc00},
    {"mul.f16 %h9, %h5, %h5;", 'h', 0x4400},
    {"fma.rn.f16 %h9, %h5, %h5, %h6;", 'h', 0x4500},
    {"neg.f16 %h9, %h5;", 'h', 0xc000},
    {"abs.f16 %h9, %h7;", 'h', 0x3c00},
    {"min.f16 %h9, %h5, %h6;", 'h', 0x3c00},
    {"fma.rn.relu.f16 %h9, %h7, %h5, %h6;", 'h', 0},
    {"add.f16x2 %r9, %r5, %r6;", 'r', 0x42004200},
    {"fma.rn.f16x2 %r9, %r5, %r5, %r6;", 'r', 0x45004500},
    {"cvt.f32.f16 %f9, %h5;", 'f', 0x40000000},
    {"cvt.rn.f16.f32 %h9, 0f3F801000;", 'h', 0x3c00}, /* half of a step: to even */
    {"cvt.rn.f16.f32 %h9, 0f3F803000;", 'h', 0x3c02},
    {"cvt.rz.f16.f32 %h9, 0f3F803000;", 'h', 0x3c01},
    {"cvt.rn.f16.f32 %h9, 0f477FF000;", 'h', 0x7c00}, /* 65520 */
    {"cvt.rn.f16.f32 %h9, 0f33000000;", 'h', 0},      /* 2^-25: to even */
    {"cvt.rn.f16.f32 %h9, 0f33000001;", 'h', 1},
    {"cvt.rn.f16x2.f32 %r9, 0f3F800000, 0f40000000;", 'r', 0x3c004000},
    {"cvt.rn.f16.s32 %h9, 3;", 'h', 0x4200},
    {"cvt.rzi.s32.f16 %r9, %h5;", 'r', 2},
    {"ex2.approx.f16 %h9, %h6;", 'h', 0x4000},
    {"cvt.f32.bf16 %f9, %h6;", 'f', 0x3c000000}, /* the upper half of an f32 */
    {"cvt.rn.bf16.f32 %h9, 0f3F808000;", 'h', 0x3f80},
    {"cvt.rn.bf16.f32 %h9, 0f3F818000;", 'h', 0x3f82},
    {"cvt.rz.bf16.f32 %h9, 0f3F818000;", 'h', 0x3f81},
    {"cvt.rn.bf16.f32 %h9, 0f7F7FFFFF;", 'h', 0x7f80},
    {"cvt.rn.bf16.f32 %h9, 0f7F800001;", 'h', 0x7fff},
    {"cvt.rn.bf16.f32 %h9, 0f00018000;", 'h', 2}, /* subnormal numbers of both */
    {"cvt.rn.relu.bf16.f32 %h9, 0fBF800000;", 'h', 0},
    {"cvt.rn.bf16x2.f32 %r9, 0f3F800000, 0f40000000;", 'r', 0x3f804000},
};

static const known CONVERSIONS[] = {
    {"cvt.s32.s16 %r9, -2;", 'r', 0xfffffffe},
    {"cvt.u32.u16 %r9, -2;", 'r', 0xfffe},
    {"cvt.s64.s32 %rd9, -2;", 'd', 0xfffffffffffffffe},
    {"cvt.u64.u32 %rd9, -2;", 'd', 0xfffffffe},
    {"cvt.u32.u64 %r9, 0x1200000034;", 'r', 0x34},
    {"cvt.u16.u32 %h9, 0x12345;", 'h', 0x2345},
    {"cvt.s8.s32 %r9, 0x1ff;", 'r', 0xffffffff},
    {"cvt.u8.u32 %r9, 0x1ff;", 'r', 0xff},
    {"cvt.sat.u8.s32 %r9, -5;", 'r', 0},
    {"cvt.sat.s8.s32 %r9, 500;", 'r', 127},
    {"cvt.s32.s8 %r9, %h7;", 'r', 0},
    {"cvt.rn.f32.s32 %f9, 16777217;", 'f', 0x4b800000},
    {"cvt.rp.f32.s32 %f9, 16777217;", 'f', 0x4b800001},
    {"cvt.rz.f32.u64 %f9, -1;", 'f', 0x5f7fffff},
    {"cvt.rn.f32.u32 %f9, -1;", 'f', 0x4f800000},
    {"cvt.rn.f64.s64 %fd9, -1;", 'g', 0xbff0000000000000},
    {"cvt.rn.f64.u32 %fd9, -1;", 'g', 0x41efffffffe00000},
    {"cvt.rzi.s32.f32 %r9, 0fC0200000;", 'r', 0xfffffffe}, /* -2.5 */
    {"cvt.rni.s32.f32 %r9, 0fC0200000;", 'r', 0xfffffffe},
    {"cvt.rmi.s32.f32 %r9, 0fC0200000;", 'r', 0xfffffffd},
    {"cvt.rpi.s32.f32 %r9, 0f40200000;", 'r', 3},
    {"cvt.rzi.s32.f32 %r9, 0f7FC00000;", 'r', 0},
    {"cvt.rzi.s32.f32 %r9, 0f7F800000;", 'r', 0x7fffffff},
    {"cvt.rzi.s32.f32 %r9, 0fCF800000;", 'r', 0x80000000},
    {"cvt.rzi.u32.f32 %r9, 0fBF800000;", 'r', 0},
    {"cvt.rzi.u32.f32 %r9, 0f4F000000;", 'r', 0x80000000},
    {"cvt.rzi.u64.f64 %rd9, 0d43F0000000000000;", 'd', UINT64_MAX},
    {"cvt.rzi.s16.f32 %h9, 0f47800000;", 'h', 0x7fff},
    {"cvt.rzi.ftz.s32.f32 %r9, 0f40200000;", 'r', 2},
    {"cvt.rmi.f32.f32 %f9, 0fBF000000;", 'f', 0xbf800000},
    {"cvt.rni.f64.f64 %fd9, 0d4004000000000000;", 'g', 0x4000000000000000},
    {"cvt.rpi.f32.f32 %f9, 0fBF000000;", 'f', 0x80000000},
    {"cvt.sat.f32.f32 %f9, 0f40000000;", 'f', 0x3f800000},
    {"cvt.sat.ftz.f32.f32 %f9, 0f00000001;", 'f', 0},
    {"cvt.f64.f32 %fd9, 0f3F800000;", 'g', 0x3ff0000000000000},
    {"cvt.rn.f32.f64 %f9, 0d3FF0000010000000;", 'f', 0x3f800000},
    {"cvt.rp.f32.f64 %f9, 0d3FF0000010000000;", 'f', 0x3f800001},
};

static const char TEXT[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry k(.param .u64 out) { .reg .pred %%p<10>; .reg .b16 %%h<10>; "
    ".reg .b32 %%r<10>; .reg .f32 %%f<10>; .reg .b64 %%rd<10>; .reg .f64 %%fd<10>;\n"
    "ld.param.u64 %%rd1, [out];\n"
    "mov.u16 %%h5, 0x4000; mov.u16 %%h6, 0x3c00; mov.u16 %%h7, 0xbc00;\n"
    "mov.u32 %%r5, 0x40004000; mov.u32 %%r6, 0x3c003c00;\n"
    "%s\n"
    "st.global.u32 [%%rd1], %%r9; st.global.u64 [%%rd1+8], %%rd9; st.global.f32 [%%rd1+16], %%f9;\n"
    "st.global.f64 [%%rd1+24], %%fd9; st.global.u16 [%%rd1+32], %%h9; selp.u32 %%r4, 1, 0, %%p9;\n"
    "st.global.u32 [%%rd1+40], %%r4; ret; }\n";

static uint64_t answer(const known *row, const unsigned char *data)
{
    static const struct {
        char kind;
        unsigned offset, bytes;
    } AT[] = {{'r', 0, 4}, {'d', 8, 8}, {'f', 16, 4}, {'g', 24, 8}, {'h', 32, 2}, {'p', 40, 4}};
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof AT / sizeof *AT; i++)
        if (AT[i].kind == row->kind)
            memcpy(&value, data + AT[i].offset, AT[i].bytes);
    return value;
}

static void run_row(const known *row, msw_simt_loops loops)
{
    char text[2000];
    ptx p;
    flat f;
    uint64_t out = FLAT_BASE;
    snprintf(text, sizeof text, TEXT, row->code);
    if (ptx_open(&p, text, NULL))
        fail_msg("%s: %s", row->code, p.err.text);
    flat_open(&f, true);
    memcpy(p.params, &out, sizeof out);
    p.launch.loops = loops;
    if (ptx_run(&p, &f, NULL, NULL))
        fail_msg("%s: %s", row->code, p.err.text);
    uint64_t got = answer(row, f.data);
    if (got != row->bits)
        fail_msg("%s gives 0x%llx, wanted 0x%llx", row->code, (unsigned long long)got,
                 (unsigned long long)row->bits);
    flat_close(&f);
    ptx_close(&p);
}

#define RUN(table)                                                                                 \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)                                      \
        for (int loops = MSW_SIMT_LOOPS_BEST; loops <= MSW_SIMT_LOOPS_BASE; loops++)               \
    run_row(&table[i], (msw_simt_loops)loops)

static void test_integers(void **state)
{
    (void)state;
    RUN(INTEGERS);
}

static void test_logic_and_moves(void **state)
{
    (void)state;
    RUN(LOGIC);
}

static void test_predicates(void **state)
{
    (void)state;
    RUN(PREDICATES);
}

static void test_floats(void **state)
{
    (void)state;
    RUN(FLOATS);
}

static void test_halves(void **state)
{
    (void)state;
    RUN(HALVES);
}

static void test_conversions(void **state)
{
    (void)state;
    RUN(CONVERSIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),   cmocka_unit_test(test_logic_and_moves),
        cmocka_unit_test(test_predicates), cmocka_unit_test(test_floats),
        cmocka_unit_test(test_halves),     cmocka_unit_test(test_conversions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

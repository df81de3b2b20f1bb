#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Defect 510. PTX of compilers up to CUDA 3 declares registers outside of functions, for the
# arguments of calls. They were refused ("expected a directive of a module").
source "$(dirname "$0")/../cli/common.sh"

cat >old.ptx <<'END'
	.version 1.4
	.target sm_13, map_f64_to_f32
	.reg .u32 %ra<17>;
	.reg .u32 %rv<5>;

	.func (.reg .s32 %rv1) _Z6squarei (.reg .s32 %ra1)
	{
	.reg .u32 %r<4>;
	mov.s32 %r1, %ra1;
	mul.lo.s32 %rv1, %r1, %r1;
	ret;
	}
	.entry spread (.param .u64 out)
	{
	.reg .u32 %r<6>;
	.reg .u64 %rd<5>;
	.reg .pred %p<3>;
	cvt.s32.u16 %r1, %tid.x;
	mov.s32 %ra1, %r1;
	call.uni (%rv1), _Z6squarei, (%ra1);
	setp.ge.s32 %p1, %rv1, 64;
	vote.any.pred %p2, %p1;
	@!%p2 exit;
	mov.s32 %rv2, %rv1;
	ld.param.u64 %rd1, [out];
	mul.wide.s32 %rd2, %rv2, 128;
	add.u64 %rd3, %rd1, %rd2;
	st.global.s32 [%rd3+0], %r1;
	exit;
	}
	.entry other (.param .u64 out)
	{
	.reg .u64 %rd<3>;
	mov.u32 %rv4, 7;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %rv4;
	exit;
	}
END
cat >old.simt <<'END'
title  registers of the module
ptx    old.ptx
array  out s32[65536]
launch spread grid(1) block(32) args(out)
launch other grid(1) block(32) args(out)
END

gives 0 "$memsweep" describe old.simt
has "$out" "ptx         old.ptx, version 1.4 for sm_13"
# squares, a line of 128 bytes each: 32 lines of one warp
has "$out" "st.global.s32          out               32      32"

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs of many launches. Of launches every n-th spoke for those between, so that of two kernels
# in turn one vanished: from the closed form, and from the V100 that all is compared with. Are the
# counts of the closed form those of the cycle model, is the V100's time in proportion to the
# launches, and does the closed form see every core of a kernel whose CTAs are long? A reference
# that does not fit took its row with it.
source "$(dirname "$0")/../../cli/common.sh"
small="processors=1 processor_columns=1 cores=4 core_columns=2"

cat >two.ptx <<'END'
.version 9.0
.target sm_75
.address_size 64
.visible .entry copy(.param .u64 a, .param .u64 b)
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<6>;
    .reg .f32 %f<2>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.s32 %r3, %r1, 128, %r2;
    mul.wide.s32 %rd3, %r3, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    st.global.f32 [%rd5], %f1;
    ret;
}
.visible .entry turn(.param .u32 times)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [times];
    mov.u32 %r2, 0;
L:
    add.s32 %r2, %r2, 1;
    setp.lt.s32 %p1, %r2, %r1;
    @%p1 bra L;
    ret;
}
END
cat >two.simt <<'END'
title launches of two kernels in turn
ptx two.ptx
size pairs = 33 in 1 .. 4096
size step = 0 in 0 .. 16
array a f32[4096]
array b f32[4096]
for k = 1 .. pairs
launch copy grid(32) block(128) args(a, b)
launch turn grid(32) block(128) args(20 + step * k)
end
END

# metric NAME WORKLOAD FIDELITY: its value
metric() {
    # shellcheck disable=SC2086
    "$memsweep" eval mpu -w "$2" --fidelity "$3" $small 2>&1 | awk -v name="$1" '$1 == name { print $2 }'
}

# Equal launches, and more different ones than are run: then the mean of a run is its middle's.
for work in two.simt two.simt/pairs=32 two.simt/pairs=7 two.simt/pairs=45,step=2; do
    for count in instructions dram_bytes shared_accesses; do
        same "$(metric $count $work analytic)" "$(metric $count $work full)" "$count of $work"
    done
done

# A sample takes launches and leaves most out: of launches that are alike it still counts exactly.
# shellcheck disable=SC2086
"$memsweep" eval mpu -w two.simt/pairs=1500 --fidelity sampled $small >sampled
read -r measured units <<<"$(sed -nE '1s/.*: ([0-9]+) of ([0-9]+) units.*/\1 \2/p' sampled)"
[ "$units" = 3000 ] && [ "$measured" -lt 1500 ] || fail "measured $measured of $units launches"
same "$(awk '$1 == "instructions" { print $2 }' sampled)" \
    "$(metric instructions two.simt/pairs=1500 analytic)" "instructions of a sample of launches"
grep -q 'not to be trusted: a sample of launches' sampled || fail "nothing says how far the intervals are to be trusted"

# The V100 is exact in launches: 64 and 66 of them differ by two.
few=$(metric v100_us two.simt/pairs=32 analytic)
more=$(metric v100_us two.simt/pairs=33 analytic)
awk -v a="$few" -v b="$more" 'BEGIN { r = b / a * 32 / 33; exit !(r > 0.999 && r < 1.001) }' ||
    fail "the V100 takes $few us for 64 launches, $more us for 66"

# 512 long CTAs: a census of some cores took what 18 of them do for what the fullest does.
closed=$("$memsweep" eval mpu -w conv/paper_counted --fidelity analytic | awk '$1 == "cycles" { print $2 }')
awk -v a="$closed" 'BEGIN { exit !(a > 100000 && a < 160000) }' ||
    fail "conv at its size: $closed cycles, 125931 at full"

# Warps of all cores load, then compute in shared memory, then store: links and shared memory are both
# nearly full, but not at the same time. The closed form said 144,579 cycles.
closed=$("$memsweep" eval mpu -w nw/paper_counted -p mpu --fidelity analytic | awk '$1 == "cycles" { print $2 }')
awk -v a="$closed" 'BEGIN { exit !(a > 0.85 * 185979 && a < 1.15 * 185979) }' ||
    fail "nw at its size: $closed cycles, 185979 at full"

# 452 of 2048 CTAs do two pairs, the others one: waves from the middle had the others alone. At full
# the program has 3,055,540 instructions.
insns=$("$memsweep" eval mpu -w nw/paper_counted/pairs=2500 --fidelity analytic |
    awk '$1 == "instructions" { print $2 }')
awk -v a="$insns" 'BEGIN { exit !(a > 0.985 * 3055540 && a < 1.015 * 3055540) }' ||
    fail "nw of 2500 pairs: $insns instructions, 3055540 at full"

# CTAs of a short launch crowd on one core, which works long after all others have ended. A stretch
# of most of the launch saw no end: it said 1,355 cycles, 22,891 at full.
crowd="processors=8 cores=16 subcores=1 banks=16 dispatch=owner t_refi=20270 t_rfc=3760"
for fidelity in analytic full; do
    # shellcheck disable=SC2086
    "$memsweep" eval mpu -w maxp/h=16 --fidelity $fidelity $crowd |
        awk '$1 == "cycles" { print $2 }' >>crowd
done
awk 'NR == 1 { a = $1 } END { exit !(NR == 2 && a > 0.9 * $1 && a < 1.1 * $1) }' crowd ||
    fail "CTAs that crowd: $(tr '\n' ' ' <crowd)cycles at analytic and full"

for fidelity in analytic sampled full; do
    gives 0 "$memsweep" eval mpu -w blur/natural/h=32 far_rf_bytes=6000 near_rf_bytes=64KiB --fidelity $fidelity
    has "$out" 'reference base_die: kernel blur'
    has "$out" 'speedup_v100'
done

finish

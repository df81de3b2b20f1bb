#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Do graphs of the ONNX project's own test data multiply as often as their shapes say? Products of
# M x K x N by hand, from the shapes of the inputs. Skipped without Debian's libonnx-testdata.
source "$(dirname "$0")/../cli/common.sh"
data=${MEMSWEEP_ONNX_DATA:-/usr/share/libonnx-testdata/data}
[ -d "$data" ] || exit 77

while read -r graph count; do
    "$memsweep" describe "$data/$graph/model.onnx" >out 2>err || fail "$graph: $(cat err)"
    grep -q " $count multiplications:" out || fail "$graph: not $count: $(grep multipl out)"
done <<'END'
pytorch-converted/test_Linear 320
pytorch-converted/test_Linear_no_bias 320
pytorch-converted/test_Conv1d_pad1size1 48
pytorch-converted/test_Conv1d_pad2size1 80
node/test_matmul_2d 36
node/test_matmul_3d 72
node/test_matmul_4d 72
node/test_matmulinteger 24
node/test_qlinearmatmul_2D 24
node/test_qlinearmatmul_3D 48
node/test_gemm_alpha 60
node/test_gemm_beta 56
node/test_gemm_transposeA 72
node/test_gemm_transposeB 72
node/test_gemm_all_attributes 60
node/test_einsum_batch_matmul 120
END
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does a workload of the list have settings of its own: in its name, its column and its point's key,
# before a preset's, and told at their line where something contradicts them?
source "$(dirname "$0")/../cli/common.sh"

start() {
	printf 'sweep: %s\nmechanism: neummu\nvary: {ptw_count: [8, 128]}\n' "$1"
}
rows() {
	"$memsweep" query all.db -s "$1" --columns "workload, npu_shards, npu_context, cycles" \
		--format tsv
}
{
	start both
	printf 'workloads:\n  - {workload: llama3_8b/decode, npu.shards: 8, npu_context: 1024}\n'
	printf '  - {workload: llama3_8b/decode, npu.shards: 4}\n  - resnet50/b1\n'
} >both.yaml
gives 0 "$memsweep" run both.yaml -o all.db
rows both >both.tsv
has "$(cat both.tsv)" "llama3_8b/decode npu_shards=8 npu_context=1024	8	1024"
has "$(cat both.tsv)" "llama3_8b/decode npu_shards=4	4	"
has "$(cat both.tsv)" "resnet50/b1	1	"

# The same points with the settings for all: the same keys.
{
	start same
	printf 'workloads: [llama3_8b/decode]\nfix: {npu.shards: 8, npu_context: 1024}\n'
} >same.yaml
gives 0 "$memsweep" run same.yaml -o all.db
has "$out" "2 taken from other sweeps"

# A list's own setting counts before a name's batch, and on all that a glob names.
{
	start glob
	printf 'workloads: [{workload: "alexnet/b[14]", npu.element_bytes: 1}]\n'
} >glob.yaml
gives 0 "$memsweep" check glob.yaml
has "$out" "4 points"

wrong() { # <line of workloads> <further line> <message>
	{
		start wrong
		printf 'workloads:\n  - %s\n%s\n' "$1" "$2"
	} >wrong.yaml
	gives 2 "$memsweep" check wrong.yaml
	has "$err" "$3"
}
one='{workload: llama3_8b/decode, npu.shards: 8}'
wrong "$one" 'fix: {npu_shards: 2}' \
	"wrong.yaml:5:34: 'npu.shards' is set for one workload here, but fixed at wrong.yaml:6:7"
wrong "$one" "  - $one" "wrong.yaml:6:5: workload 'llama3_8b/decode npu_shards=8' is listed twice"
wrong '{workload: llama3_8b/decode, npu.shard: 8}' '' \
	"wrong.yaml:5:34: unknown setting of npu 'npu.shard', did you mean 'npu_shards'?"
wrong '{workload: resnet50/b1, npu.shards: 2}' '' \
	"wrong.yaml:5:5: workload 'resnet50/b1 npu_shards=2': npu_shards 2: only decoders are shared"
wrong '{npu.shards: 2}' '' "wrong.yaml:5:5: workloads: write a name, or {workload: <name>"
[ "$(grep -c . <<<"$err")" = 1 ]
finish

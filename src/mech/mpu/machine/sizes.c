/* SPDX-License-Identifier: MIT */
/* Bytes of what crosses TSVs and the network. */
#include "mech/mpu/machine/machine.h"

#include "memsweep/base/bits.h"

/* Addresses and values of the lanes whose word is in another die. */
uint64_t mpu_split_shared_bytes(const mpu_config *c, const mpu_insn *insn, uint32_t lanes)
{
    uint64_t elsewhere = lanes * (uint64_t)(c->subcores - 1) / (uint64_t)c->subcores;
    return elsewhere * (4 + msw_max_u64(insn->moved_bytes, 4));
}

static uint64_t packets(const mpu_config *c, uint64_t payload)
{
    uint64_t count = msw_max_u64(msw_div_up(payload, (uint64_t)c->packet_bytes), 1);
    return payload + count * (uint64_t)c->header_bytes;
}

/* A request has an address of 4 bytes per block; data go with stores, and with answers to loads. */
void mpu_message_sizes(const mpu_config *c, mpu_message *message, bool out, bool back)
{
    uint64_t data = message->blocks * (uint64_t)c->bank_io_bytes, addresses = 4 * message->blocks;
    message->bytes = msw_max_u64(packets(c, addresses + (out ? data : 0)), 1);
    message->answer_bytes = msw_max_u64(packets(c, back ? data : 0), 1);
}

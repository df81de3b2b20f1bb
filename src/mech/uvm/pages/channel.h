/* SPDX-License-Identifier: MIT */
/* Private to uvm: one direction of the link. */
#ifndef MSW_MECH_UVM_CHANNEL_H
#define MSW_MECH_UVM_CHANNEL_H

#include "mech/uvm/pages/pager.h"

/* Makes a channel, idle, with room for `most` transfers at once. Returns 0, or -1. */
int uvm_channel_init(uvm_channel *channel, uint64_t most, msw_arena *arena);

/* Queues a transfer. Returns 0, or -1. */
int uvm_channel_put(uvm_pager *p, uvm_channel *channel, uvm_move move);

/* Begins the first that waits, at `earliest` ticks or when the last is over. Returns 0, or -1. */
int uvm_channel_begin(uvm_pager *p, uvm_channel *channel, uint64_t earliest);

/* Queues a transfer; it begins now when the channel is idle. Returns 0, or -1. */
int uvm_channel_send(uvm_pager *p, uvm_channel *channel, uint64_t now, uvm_move move);

/* Takes the transfer that is over off an idle channel. Returns it. */
uvm_move uvm_channel_take(uvm_channel *channel);

#endif

/* Private to uvm: one direction of the link. */
#ifndef MSW_MECH_UVM_CHANNEL_H
#define MSW_MECH_UVM_CHANNEL_H

#include "mech/uvm/pages/pager.h"

/* Makes a channel, idle, with room for `most` transfers at once. Returns 0, or -1. */
int uvm_channel_init(uvm_channel *channel, uint64_t most, msw_arena *arena);

/* Queues a transfer; it starts now when the channel is idle. Returns 0, or -1. */
int uvm_channel_send(uvm_pager *p, uvm_channel *channel, uint64_t now, uvm_move move);

/* Starts the first that waits, if the channel is idle and there is room. Returns 0, or -1. */
int uvm_channel_start(uvm_pager *p, uvm_channel *channel, uint64_t now);

/* Takes the transfer that is over and starts the next. Returns 0, or -1. */
int uvm_channel_take(uvm_pager *p, uvm_channel *channel, uint64_t now, uvm_move *move);

#endif

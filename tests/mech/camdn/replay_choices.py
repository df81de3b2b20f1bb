#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Replays choices of Algorithm 1 (arXiv:2505.06625, section III-D) from a log of
test_camdn_choices.c, and ends with 1 at the first that differs. Of the log it takes the
candidates, the expected cycles and the times at which operators end; who gets which pages when, it
works out by itself."""
import collections
import sys

Block = collections.namedtuple("Block", "first end pages cycles worth")
Op = collections.namedtuple("Op", "block cycles levels")
WHOLE = -1


class Tenant:
    """held pages; asks: (next time, next pages) while an operator runs."""

    def __init__(self):
        self.held, self.net, self.op = 0, None, -1
        self.asks = self.over = None  # over: its operator has ended, at this time
        self.wait = None  # (ticket, candidate, pages, until)
        self.granted = None
        self.block_end = None  # its block is on until this operator

    def keeps(self):
        return self.block_end is not None and self.op + 1 < self.block_end


class Machine:
    def __init__(self, pages, share, timeout, page_cycles, tenants):
        self.idle, self.share, self.timeout = pages, share, timeout
        self.page_cycles, self.tickets = page_cycles, 0
        self.of = [Tenant() for _ in range(tenants)]
        self.ops, self.blocks = {}, {}

    def available(self, me, limit):
        free = self.idle
        for u in self.of:
            if u is me:
                continue
            if u.over is not None and not u.keeps():
                when = u.over
            elif u.asks:
                when = u.asks[0]
            else:
                continue
            if when < limit:
                free += u.held - u.asks[1]
        return free

    def level(self, net, op, pages):
        """The largest candidate within so many pages, or what stands for it: its number, pages."""
        levels, pick = self.ops[net, op].levels, 0
        for number, (need, _) in enumerate(levels):
            if need <= pages:
                pick = number
        pick = levels[pick][1]
        return pick, levels[pick][0]

    def head(self, net, op):
        block = self.blocks[net, self.ops[net, op].block]
        return block if block.first == op and block.end > op + 1 and block.worth else None

    def next_need(self, net, op):
        if (net, op) not in self.ops:
            return self.share
        block = self.head(net, op)
        if block and block.pages <= self.share:
            return block.pages
        return self.level(net, op, self.share)[1]

    def start(self, u, now, candidate):
        op = self.ops[u.net, u.op]
        end, cycles = u.op + 1, op.cycles
        if candidate == WHOLE:
            block = self.blocks[u.net, op.block]
            end, cycles, u.block_end = block.end, block.cycles, block.end
        u.asks = (now + int(cycles), self.next_need(u.net, end))
        return True, candidate, now

    def grant(self, u, now, pages):
        self.idle -= pages
        u.held += pages
        return now + self.page_cycles * pages

    def attempt(self, u, now, candidate, pages, cycles):
        if self.idle >= pages:
            return self.start(u, self.grant(u, now, pages), candidate)
        until = now + int(self.timeout * cycles)
        u.asks, u.wait = None, (self.tickets, candidate, pages, until)
        self.tickets += 1
        return False, candidate, until

    def choose(self, u, now):
        op = self.ops[u.net, u.op]
        block = self.head(u.net, u.op)
        if block and block.pages < self.available(u, now + self.timeout * block.cycles):
            return self.attempt(u, now, WHOLE, block.pages, block.cycles)
        pick, pages = self.level(u.net, u.op, self.available(u, now + self.timeout * op.cycles))
        return self.attempt(u, now, pick, pages, op.cycles)

    def begin(self, u, now, net, op):
        u.net, u.op, u.over = net, op, None
        if u.block_end is not None:
            return True, None, now
        u.asks = None
        return self.choose(u, now)

    def end(self, u, now):
        u.over = None
        if u.keeps():
            return
        u.block_end = None
        self.idle += u.held
        u.held = 0
        while True:
            waits = [w for w in self.of if w.wait and w.wait[2] <= self.idle]
            if not waits:
                return
            first = min(waits, key=lambda w: w.wait[0])
            candidate, pages = first.wait[1], first.wait[2]
            first.granted = (candidate, self.grant(first, now, pages))
            first.wait = None

    def time_out(self, u, now):
        pages = u.wait[2]
        u.wait = None
        pick, pages = self.level(u.net, u.op, pages - 1)
        return self.attempt(u, now, pick, pages, self.ops[u.net, u.op].cycles)

    def granted(self, u, now):
        candidate, when = u.granted
        u.granted = None
        if when != now:
            raise ValueError(f"pages came at {when}")
        return self.start(u, now, candidate)


def read_plan(lines):
    pages, share, timeout, page_cycles, tenants = next(lines).split()[1:]
    m = Machine(int(pages), int(share), float(timeout), int(page_cycles), int(tenants))
    for line in lines:
        kind, *w = line.split()
        if kind == "block":
            m.blocks[int(w[0]), int(w[1])] = Block(
                int(w[2]), int(w[3]), int(w[4]), float(w[5]), w[6] == "1")
        elif kind == "op":
            levels = [tuple(map(int, x.split(":"))) for x in w[4:]]
            m.ops[int(w[0]), int(w[1])] = Op(int(w[2]), float(w[3]), levels)
        else:
            return m, line
    raise ValueError("no events")


def step(m, kind, w):
    """Returns what should have come of an event: runs, candidate, time."""
    u, now = m.of[w[0]], w[1]
    if kind == "T":
        return m.time_out(u, now)
    if kind == "G":
        return m.granted(u, now)
    if kind == "E":
        m.end(u, now)
    return m.begin(u, now, w[2], w[3])


def compare(m, kind, w, want):
    """Words: tenant now net op runs candidate need held idle time next_time next_need. All have
    started (S) when the log begins, so that what is idle is known behind the last of them."""
    u, (runs, candidate, when) = m.of[w[0]], want
    pairs = [("runs", w[4], int(runs)), ("held", w[7], u.held)]
    if kind != "S" or u is m.of[-1]:
        pairs.append(("idle", w[8], m.idle))
    if candidate is not None:
        pairs.append(("candidate", w[5], candidate))
    if runs:
        pairs += [("next time", w[10], u.asks[0]), ("next pages", w[11], u.asks[1])]
    else:
        pairs += [("need", w[6], u.wait[2]), ("until", w[9], when)]
    return [f"{name} {got}, by the listing {due}" for name, got, due in pairs if got != due]


def main():
    with open(sys.argv[1], encoding="ascii") as log:
        lines = iter(log)
        m, line = read_plan(lines)
        seen = collections.Counter()
        while line:
            kind, *w = line.split()
            w = [int(x) for x in w]
            if kind == "B":
                m.of[w[0]].over = w[1]
            else:
                wrong = compare(m, kind, w, step(m, kind, w))
                if wrong:
                    sys.exit(f"choice {sum(seen.values())}, {line.strip()}: " + "; ".join(wrong))
                seen[kind] += 1
                seen["block"] += kind in "SE" and w[5] == WHOLE
                seen["waits"] += not w[4]
            line = next(lines, None)
    print(dict(seen))


main()

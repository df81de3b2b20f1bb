# SPDX-License-Identifier: MIT
"""The rules of translation of a public multi-core NPU simulator (docs/models/chip.md), written a
second time: tile lists on NPUs with a TLB each (8 ways, bit-PLRU, entries claimed at the miss) and
walkers that are booked at once. Lines come from channels of fixed latency, first come first served.

translation_rules.py FIRST END MEMSWEEP    compares so many random cases with memsweep's: translations
                                           and misses are equal, cycles of an NPU within 2 %, with a
                                           pool, where one cycle's offset moves them, within 10 %
"""
import heapq
import random
import subprocess
import sys
from fractions import Fraction

LINE, WAYS, LOOKUP, WALK, WIDTH = 64, 8, 5, 400, 4096
CHANNELS, BYTES, LATENCY, PORT, WINDOW = 8, Fraction(2388, 10), 60, 16, 1024


def write_list(seed, path):
    rng, base = random.Random(seed), 1 << 32
    with open(path, "w", encoding="ascii") as out:
        out.write("layer,tile,operand,base,rows,row_bytes,stride,compute_cycles,overlap\n")
        for tile in range(rng.randint(2, 5)):
            loads, stores = rng.randint(1, 60) * 4096, rng.randint(1, 20) * 4096
            back = rng.randint(0, 3) * 16384 if tile else 0
            out.write(f"L{tile},{tile},activation,{base - back:#x},1,{loads},,"
                      f"{rng.randint(50, 4000)},off\n")
            base += loads
            out.write(f"L{tile},{tile},output,{base:#x},1,{stores},,,\n")
            base += stores


def read_list(path):
    """Tiles: lines to load, cycles, lines to store; addresses from the first one on."""
    tiles, first = {}, None
    with open(path, encoding="ascii") as lines:
        next(lines)
        for row in lines:
            _, tile, operand, base, _, size, _, cycles, _ = row.rstrip("\n").split(",")
            first = int(base, 0) if first is None else min(first, int(base, 0))
            tile = tiles.setdefault(int(tile), [[], 0, []])
            start = int(base, 0)
            tile[2 if operand == "output" else 0] += range(start, start + int(size), LINE)
            tile[1] = int(cycles) if cycles else tile[1]
    return [([a - first for a in load], cycles, [a - first for a in store])
            for load, cycles, store in tiles.values()]


class Tlb:
    """Sets of [page, tick of its fill, recently used]."""

    def __init__(self, entries):
        self.sets = [[[None, 0, False] for _ in range(WAYS)] for _ in range(entries // WAYS)]

    def touch(self, ways, entry):
        entry[2] = True
        if all(way[2] for way in ways):
            for way in ways:
                way[2] = way is entry

    def find(self, page):
        ways = self.sets[page[1] % len(self.sets)]
        for way in ways:
            if way[0] == page:
                self.touch(ways, way)
                return way, True
        way = next(w for w in ways if w[0] is None) if any(w[0] is None for w in ways) else \
            next(w for w in ways if not w[2])
        way[0] = page
        self.touch(ways, way)
        return way, False


class Npu:
    def __init__(self, number, tiles, tlb, walkers):
        self.number, self.tiles, self.tlb, self.walkers = number, tiles, tlb, walkers
        self.tile, self.store, self.rounds = 0, False, 0
        self.count = dict.fromkeys(("translations", "tlb_misses", "cycles"), 0)
        self.port = Fraction(0)

    def open(self, cycle):
        """Loads or stores begin: all of their lines are asked for from now on."""
        self.lines = self.tiles[self.tile][2 if self.store else 0]
        self.asked, self.moved, self.ready, self.done = 0, 0, [], []
        self.begin = self.left = cycle

    def close(self):
        """They are over. Returns when the next ones begin."""
        end = max(self.done)
        if not self.store:
            self.store = True
            return end + self.tiles[self.tile][1]
        self.store, self.tile = False, self.tile + 1
        if self.tile == len(self.tiles):
            self.tile, self.rounds = 0, self.rounds + 1
            self.count["cycles"] = self.count["cycles"] or end
        return end


def ask(npu, tick, page_bytes):
    """Translates a line. Returns the tick at which its address is known."""
    page = (npu.number, npu.lines[npu.asked] // page_bytes)
    way, hit = npu.tlb.find(page)
    counts = npu.rounds == 0
    npu.count["translations"] += counts
    if hit:
        return max(tick + LOOKUP * WIDTH, way[1])
    free = heapq.heappop(npu.walkers)
    start = max(free, tick + LOOKUP * WIDTH, way[1])
    way[1] = start + WALK * WIDTH
    heapq.heappush(npu.walkers, way[1])
    npu.count["tlb_misses"] += counts
    return way[1]


def move(npu, cycle, channels):
    """A line leaves. Returns when it is there."""
    npu.port = max(npu.port, Fraction(cycle)) + Fraction(1, PORT)
    at, channel = -(-npu.port // 1), npu.lines[npu.moved] // LINE % CHANNELS
    channels[channel] = max(channels[channel], at) + LINE / (BYTES / CHANNELS)
    return int(-(-channels[channel] // 1)) + LATENCY


def simulate(npus, page_bytes):
    channels, events = [Fraction(0)] * CHANNELS, []

    def next_line(npu):
        i = npu.moved
        if i < len(npu.ready):
            room = npu.done[i - WINDOW] if i >= WINDOW else 0
            npu.left = max(npu.left, npu.ready[i] // WIDTH, room)
            heapq.heappush(events, (npu.left * WIDTH, 1, npu.number))

    for npu in npus:
        npu.open(0)
        heapq.heappush(events, (0, 0, npu.number))
    while any(npu.rounds == 0 for npu in npus):
        tick, kind, number = heapq.heappop(events)
        npu = npus[number]
        if kind == 0:
            npu.ready.append(ask(npu, tick, page_bytes))
            npu.asked += 1
            if npu.asked < len(npu.lines):
                heapq.heappush(events, (tick + 1, 0, number))
            if npu.asked == npu.moved + 1:
                next_line(npu)
            continue
        npu.done.append(move(npu, tick // WIDTH, channels))
        npu.moved += 1
        if npu.moved < len(npu.lines):
            next_line(npu)
            continue
        begin = npu.close()
        npu.open(begin)
        heapq.heappush(events, (begin * WIDTH, 0, number))


def answers(settings, paths):
    """Translations, misses and cycles of each NPU by the rules."""
    pool = [0] * settings["ptw_count"]
    tlb = Tlb(settings["tlb_entries"])
    own, one = (settings["translation"] == kind for kind in ("private", "shared"))
    npus = [Npu(i, read_list(path), tlb if one else Tlb(settings["tlb_entries"]),
                list(pool) if own else pool) for i, path in enumerate(paths)]
    simulate(npus, settings["page_size"])
    return [list(npu.count.values()) for npu in npus]


def evaluated(memsweep, settings, paths):
    """The same by memsweep."""
    count = len(paths)
    command = [memsweep, "eval", "camdn", "-w", "mix:" + "+".join(paths), "-f", "tsv",
               "--preset", "mnpusim_d", f"tenants={count}", f"npus={count}", "draw=pinned",
               "tasks=1", "first_tasks=0", "memory_model=fixed",
               "memory_bandwidth=238.8", f"memory_cycles={LATENCY}", f"in_flight={WINDOW}",
               "frames=linear", *(f"{k}={v}" for k, v in settings.items()), "--details"]
    tables = [[line.split("\t") for line in subprocess.run(
        [*command, table], check=True, capture_output=True, text=True).stdout.splitlines()[1:]]
        for table in ("translated", "tasks")]
    return [[int(t[2]), int(t[4]), int(c[2])] for t, c in zip(*tables)]


def compare(number, memsweep):
    """Returns how far cycles are apart."""
    rng = random.Random(number)
    paths = [f"case{k}.csv" for k in range(rng.randint(1, 3))]
    for k, path in enumerate(paths):
        write_list(100 * number + k, path)
    settings = {"translation": rng.choice(["private", "shared_walkers", "shared"]),
                "ptw_count": rng.choice([1, 2, 4, 8, 16]),
                "tlb_entries": rng.choice([16, 32, 64, 256]),
                "page_size": rng.choice([4096, 16384, 65536])}
    rules, found = answers(settings, paths), evaluated(memsweep, settings, paths)
    apart = max(abs(f[2] / r[2] - 1) for f, r in zip(found, rules))
    most = 0.02 if settings["translation"] == "private" or len(paths) == 1 else 0.1
    if [f[:2] for f in found] != [r[:2] for r in rules] or apart > most:
        sys.exit(f"case {number}, {settings}: memsweep {found}, by the rules {rules}")
    return apart


apart = [compare(number, sys.argv[3]) for number in range(int(sys.argv[1]), int(sys.argv[2]))]
apart.sort()
print(f"{len(apart)} cases, cycles apart: median {100 * apart[len(apart) // 2]:.2f} %, "
      f"worst {100 * apart[-1]:.2f} %")

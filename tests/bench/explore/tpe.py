"""TPE of Optuna on spaces of which every design has been run: runs in full, repeats not counted, until
every vector of the true front is matched within 1 %; at most MOST of them, since each choice takes long.

Usage: tpe.py TABLE...
"""
import math
import os
import sys

import optuna

MOST = int(os.environ.get("TPE_MOST", "500"))
optuna.logging.set_verbosity(optuna.logging.ERROR)


def read(path):
    words = open(path).read().split()
    units, factors = int(words[0]), int(words[1])
    levels = [int(w) for w in words[2 : 2 + factors]][:-1]
    at, designs, cheapest = 3 + 2 * factors, {}, {}
    for _ in range(units):
        key = tuple(int(w) for w in words[at : at + factors - 1])
        exact, full = float(words[at + factors]), float(words[at + factors + 2])
        designs[key] = (exact, full)
        cheapest[exact] = min(full, cheapest.get(exact, math.inf))
        at += factors + 3
    front, best = [], math.inf
    for exact in sorted(cheapest):
        if cheapest[exact] < best:
            best = cheapest[exact]
            front.append((exact, best))
    return levels, designs, front


for path in sys.argv[1:]:
    levels, designs, front = read(path)
    run, best, within = set(), [math.inf] * len(front), 0
    study = optuna.create_study(
        directions=["minimize", "minimize"], sampler=optuna.samplers.TPESampler(seed=1)
    )
    tries = 0
    while len(run) < MOST and tries < 3 * MOST and not within:
        tries += 1
        trial = study.ask()
        key = tuple(trial.suggest_int(f"f{i}", 0, l - 1) for i, l in enumerate(levels))
        exact, full = designs[key]
        study.tell(trial, [exact, full])
        run.add(key)
        for i, (cost, value) in enumerate(front):
            if exact <= cost:
                best[i] = min(best[i], full)
        if all(b <= 1.01 * v for b, (_, v) in zip(best, front)):
            within = len(run)
    name = os.path.basename(path)
    share = 100 * (within or len(run)) / len(designs)
    print(f"TPE {name}: {share:.2f} %" if within else f"TPE {name}: not with {share:.2f} %", flush=True)

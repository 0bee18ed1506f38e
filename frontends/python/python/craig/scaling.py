"""How long many tasks take on many workers, from the times that were recorded of them."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Iterable, Sequence


@dataclass(frozen=True)
class Scaled:
    """A simulated run."""

    workers: int
    #: From the first task's begin to the last one's end.
    seconds: float
    #: How often that is less than with one worker.
    speedup: float
    #: The part of the workers' time in which they work.
    utilisation: float


def simulate(seconds: Sequence[float], workers: int, overhead: float = 0.0) -> float:
    """The time until all tasks are done, if each worker takes the next one of the list when it is free.

    ``overhead`` is what the driver needs to hand out a task and to store its result; it does one at a time.

    >>> simulate([3, 1, 2], 1), simulate([3, 1, 2], 2), simulate([3, 1, 2], 1000)
    (6.0, 3.0, 3.0)
    >>> simulate([1] * 10, 10, overhead=1)
    11.0
    """
    if workers < 1:
        raise ValueError(f"workers={workers}: expected at least 1")
    free = [0.0] * min(workers, max(1, len(seconds)))
    driver = end = 0.0
    for one in seconds:
        begin = max(heapq.heappop(free), driver) + overhead
        driver = begin
        end = max(end, begin + one)
        heapq.heappush(free, begin + one)
    return end


def scaling(seconds: Sequence[float], workers: Iterable[int], overhead: float = 0.0) -> list[Scaled]:
    """Simulated runs with some numbers of workers.

    >>> [round(one.speedup, 2) for one in scaling([2.0] * 8 + [1.0] * 8, [1, 2, 4, 1000])]
    [1.0, 2.0, 4.0, 12.0]
    """
    alone = simulate(seconds, 1, overhead)
    found = []
    for count in workers:
        took = simulate(seconds, count, overhead)
        speedup, used = (alone / took, sum(seconds) / took / count) if took > 0 else (1.0, 0.0)
        found.append(Scaled(count, took, speedup, used))
    return found

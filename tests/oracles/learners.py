"""Slow twins of the learners of threshold units and linear machines, as the paper writes them.

C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, Machine Learning 19:45-77, 1995. Rows
are Y = (1, x), x in units of the standard deviation. Thermal training and the Pocket algorithm draw
the same random numbers as the library, so that every step can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from oracles.criterion import Vector

BITS = 2**64 - 1


def standardized(X: Vector) -> Vector:
    """Return every column with mean 0 and standard deviation 1."""
    return np.column_stack([_standardized(x.tolist()) for x in X.T])


def _standardized(x: list[float]) -> list[float]:
    mean = _mean(x)
    deviation = sqrt(_mean([(value - mean) * (value - mean) for value in x]))
    return [(value - mean) / deviation for value in x]


def _mean(x: list[float]) -> float:
    return float(sum(map(Fraction, x)) / len(x))


def with_constant(X: Vector) -> Vector:
    return np.column_stack([np.ones(len(X)), X])


# ---------------------------------------------------------------------- least squares


def recursive_least_squares(
    Y: Vector, target: Vector, variance: float = 1e6, passes: int = 3
) -> Vector:
    """Return the weights after some passes of the recursion, in exact arithmetic.

    In doubles the recursion loses what it needs on collinear columns: P begins at a million.
    """
    rows = [[Fraction(float(value)) for value in row] for row in Y]
    size = Y.shape[1]
    P = [[Fraction(float(variance)) * (i == j) for j in range(size)] for i in range(size)]
    W = [Fraction(0)] * size
    for row, y in [*zip(rows, target.tolist(), strict=True)] * passes:
        Px = [_dot(line, row) for line in P]
        gain = 1 + _dot(row, Px)
        P = [[P[i][j] - Px[i] * Px[j] / gain for j in range(size)] for i in range(size)]
        error = _dot(row, W) - Fraction(y)
        W = [w - _dot(line, row) * error for w, line in zip(W, P, strict=True)]
    return np.array([float(w) for w in W])


def _dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def least_squares(Y: Vector, target: Vector) -> Vector:
    """Return where three passes of the recursion end, fitted anew each time it is asked."""
    ridge = np.eye(Y.shape[1]) / (3.0 * 1e6)
    return np.linalg.solve(Y.T @ Y + ridge, Y.T @ target)


# ---------------------------------------------------------------------- random numbers


def scramble(z: int) -> int:
    """SplitMix64."""
    z = (z + 0x9E3779B97F4A7C15) & BITS
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & BITS
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & BITS
    return z ^ (z >> 31)


def subkey(key: int, index: int) -> int:
    return scramble(key ^ scramble(index + 1))


class Stream:
    """xoshiro256++, seeded as the library seeds it."""

    def __init__(self, key: int) -> None:
        self.state: list[int] = []
        for _ in range(4):
            key = scramble(key)
            self.state.append(key)

    @classmethod
    def of_first_lesson(cls, seed: int) -> Stream:
        """Return the stream of the first weights learned at a node, below one Standardize."""
        return cls(subkey(subkey(scramble(seed), 0), 0))

    def next(self) -> int:
        a, b, c, d = self.state
        result = (_rotated((a + d) & BITS, 23) + a) & BITS
        c ^= a
        d ^= b
        self.state = [a ^ d, b ^ c, c ^ ((b << 17) & BITS), _rotated(d, 45)]
        return result

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53


def presented_order(Z: Vector, target: NDArray[np.intp], seed: int) -> list[int]:
    """Return the random order in which distinct rows are kept, below one Standardize."""
    key = subkey(scramble(seed), 0)

    def content_key(row: int) -> int:
        content = key ^ int(target[row])
        for value in Z[row]:
            content = scramble(content ^ int(np.float64(value + 0.0).view(np.uint64)))
        return content

    return sorted(range(len(Z)), key=content_key)


def _rotated(x: int, k: int) -> int:
    return ((x << k) & BITS) | (x >> (64 - k))


# ---------------------------------------------------------------------- correcting errors


class Machine:
    """Weight vectors, all zero at first; ties go to the first."""

    def __init__(self, n_targets: int, width: int) -> None:
        self.W = [[0.0] * width for _ in range(n_targets)]

    def outputs(self, y: list[float]) -> list[float]:
        return [_product(w, y) for w in self.W]

    def winner(self, y: list[float]) -> int:
        outputs = self.outputs(y)
        return outputs.index(max(outputs))

    def needed(self, i: int, j: int, y: list[float], epsilon: float) -> float:
        """Return the absolute error correction, after which i wins by epsilon."""
        outputs = self.outputs(y)
        return (outputs[j] - outputs[i]) / (2.0 * _product(y, y)) + epsilon

    def correct(self, i: int, j: int, c: float, y: list[float]) -> None:
        self.W[i] = [w + c * value for w, value in zip(self.W[i], y, strict=True)]
        self.W[j] = [w - c * value for w, value in zip(self.W[j], y, strict=True)]

    def magnitude(self) -> float:
        return sum(sqrt(_product(w, w)) for w in self.W)

    def array(self) -> Vector:
        return np.array(self.W)


def _product(a: list[float], b: list[float]) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):  # in this order: NumPy's own rounds differently
        total += x * y
    return total


def thermal(
    Y: Vector,
    target: NDArray[np.intp],
    *,
    beta: float = 2.0,
    epsilon: float = 0.1,
    a: float = 0.999,
    b: float = 0.0005,
    alpha: float = 0.01,
) -> Vector:
    """Return the weights of table 1: large errors get less and less attention."""
    rows = Y.tolist()
    machine = Machine(int(target.max()) + 1, Y.shape[1])
    largest, calm, grew, corrected = 0.0, 0, False, True
    while corrected and calm < 2 * (Y.shape[1] - 1):
        corrected = False
        for y, i in zip(rows, target.tolist(), strict=True):
            j = machine.winner(y)
            k = machine.needed(i, j, y, epsilon)
            if i == j or k >= beta:
                continue
            corrected = True
            before = machine.magnitude()
            c = beta * beta / (beta + k)
            machine.correct(i, j, c, y)
            after = machine.magnitude()
            if after < before and grew:
                beta = a * beta - b
            grew = after > before
            largest = max(largest, after)
            calm = calm + 1 if 2.0 * c * sqrt(_product(y, y)) < alpha * largest else 0
            if beta <= 0.0:
                return machine.array()
    return machine.array()


def pocket(
    Y: Vector,
    target: NDArray[np.intp],
    stream: Stream,
    *,
    presentations: int,
    ratchet: bool = False,
    epsilon: float = 0.1,
) -> Vector:
    """Return the weights with the longest run of correct answers."""
    rows = Y.tolist()
    machine = Machine(int(target.max()) + 1, Y.shape[1])

    def correct_rows() -> int:
        return sum(machine.winner(y) == i for y, i in zip(rows, target, strict=True))

    kept, longest, most, run = machine.array(), 0, correct_rows(), 0
    for row in _drawn(stream, len(rows), presentations):
        y, i = rows[row], int(target[row])
        j = machine.winner(y)
        if i != j:
            machine.correct(i, j, machine.needed(i, j, y, epsilon), y)
            run = 0
            continue
        run += 1
        is_kept = np.array_equal(kept, machine.array())
        if run <= longest or (ratchet and not is_kept and correct_rows() <= most):
            continue
        kept, longest, most = machine.array(), run, correct_rows()
        if most == len(rows) and (ratchet or run >= len(rows)):
            break
    return kept


def _drawn(stream: Stream, n: int, times: int) -> Iterator[int]:
    for _ in range(times):
        yield int(stream.uniform() * n)


# ---------------------------------------------------------------------- selecting features


class Selection:
    """The selections of section 4, every test learned anew from its own columns.

    ``learn(columns)`` returns (merit, accuracy, what the coefficients of the columns tell); a merit
    of None means that all rows go one way.
    """

    Test = tuple[float | None, float, list[float]]

    def __init__(
        self,
        n_columns: int,
        n_distinct: int,
        learn: Callable[[tuple[int, ...]], Test],
        *,
        accuracy_drop: float = 0.1,
        rows_per_feature: float = 2.0,
    ) -> None:
        self.all = tuple(range(n_columns))
        self.most_columns = n_distinct / rows_per_feature
        self.learn = learn
        self.accuracy_drop = accuracy_drop
        self.best: tuple[float, int, tuple[int, ...]] | None = None
        self.most_accurate = 0.0

    def sbe(self, shortlist: int | None = None) -> tuple[int, ...] | None:
        columns = self.all
        while self.goes_on(columns) and len(columns) > 1:
            told = self.learn(columns)[2]
            tried = sorted(range(len(columns)), key=told.__getitem__)[:shortlist]
            rests = [columns[:i] + columns[i + 1 :] for i in tried]
            columns = max(rests, key=lambda rest: self.learn(rest)[0] or 0.0)
        return self.result()

    def dsbe(self) -> tuple[int, ...] | None:
        return self.sbe(shortlist=1)

    def sfs(self) -> tuple[int, ...] | None:
        columns: tuple[int, ...] = ()
        while len(columns) < min(len(self.all), self.most_columns):
            more = [tuple(sorted({*columns, c})) for c in self.all if c not in columns]
            columns = max(more, key=lambda these: self.learn(these)[0] or 0.0)
            if not self.goes_on(columns):
                break
        return self.result()

    def hss(self) -> tuple[int, ...] | None:
        single = max(self.learn((column,))[0] or 0.0 for column in self.all)
        return self.sfs() if single > (self.learn(self.all)[0] or 0.0) else self.sbe()

    def goes_on(self, columns: tuple[int, ...]) -> bool:
        """Keep the test if it is the best so far; say whether it is accurate enough to go on."""
        merit, accuracy, _ = self.learn(columns)
        self.most_accurate = max(self.most_accurate, accuracy)
        if merit is not None and len(columns) <= self.most_columns:
            rank = (merit, -len(columns), columns)
            if self.best is None or rank[:2] > self.best[:2]:
                self.best = rank
        return accuracy >= self.most_accurate - self.accuracy_drop - 1e-12

    def result(self) -> tuple[int, ...] | None:
        return None if self.best is None else self.best[2]

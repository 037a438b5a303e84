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

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32


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


class ThermalTraining:
    """Table 1 and section 3.3, sentence by sentence, for every reading of what they leave open.

    ``passes`` yields the rows of one pass after the other. "For the last 2 * n instances" is asked
    of a list that says of each instance what the ratio emag / lmag was there; ``unit``, ``emag``,
    ``checked`` and ``ties`` are those of `aslant.search.Thermal`.
    """

    def __init__(
        self,
        Y: Vector,
        target: NDArray[np.intp],
        passes: Iterator[list[int]],
        *,
        beta: float = 2.0,
        epsilon: float = 0.1,
        a: float = 0.999,
        b: float = 0.0005,
        alpha: float = 0.01,
        unit: str = "updates",
        emag: str = "last",
        checked: str = "pass",
        ties: str = "heavier",
    ) -> None:
        self.rows, self.target, self.passes = Y.tolist(), target.tolist(), passes
        self.n_features = Y.shape[1] - 1
        self.machine = Machine(int(target.max()) + 1, Y.shape[1])
        self.beta, self.epsilon, self.a, self.b, self.alpha = beta, epsilon, a, b, alpha
        self.unit, self.emag, self.checked, self.ties = unit, emag, checked, ties
        self.magnitudes = [0.0]  # of the machine: at first, and after every adjustment
        self.corrections: list[float] = []  # the size of every adjustment
        self.ratios: list[float | None] = []  # emag / lmag at every instance that counts

    def run(self) -> Vector:
        while not self.is_done():
            for row in next(self.passes):
                self.meet(row)
                if self.beta <= 0.0 or (self.checked == "instance" and self.is_calm()):
                    return self.machine.array()
        return self.machine.array()

    def is_done(self) -> bool:
        """Step 2; and nothing is left to do if every wrong row is too wrong to be corrected."""
        return self.is_calm() or all(self.needed(row) is None for row in range(len(self.rows)))

    def is_calm(self) -> bool:
        last = self.ratios[-2 * self.n_features :]
        enough = len(last) == 2 * self.n_features
        return enough and all(ratio is not None and ratio < self.alpha for ratio in last)

    def meet(self, row: int) -> None:
        """Step 3."""
        found = self.needed(row)
        if found is not None:
            self.adjust(row, *found)
        elif self.unit == "instances" or (self.unit == "errors" and self.is_wrong(row)):
            self.ratios.append(self.ratio_without_correction())

    def is_wrong(self, row: int) -> bool:
        i = self.target[row]
        return self.winner(self.rows[row], i) != i

    def needed(self, row: int) -> tuple[int, float] | None:
        """Return who won the row, and k, if the row would be misclassified and k < beta."""
        y, i = self.rows[row], self.target[row]
        j = self.winner(y, i)
        k = self.machine.needed(i, j, y, self.epsilon)
        return (j, k) if i != j and k < self.beta else None

    def winner(self, y: list[float], i: int) -> int:
        outputs = self.machine.outputs(y)
        best = [j for j, output in enumerate(outputs) if output == max(outputs)]
        if self.ties == "wrong" and i in best and len(best) > 1:
            best.remove(i)
        return best[0]

    def adjust(self, row: int, j: int, k: float) -> None:
        """Steps (A) and (B)."""
        y, i = self.rows[row], self.target[row]
        c = self.beta**2 / (self.beta + k)
        self.machine.correct(i, j, c, y)
        self.magnitudes.append(self.machine.magnitude())
        decreased = self.magnitudes[-1] < self.magnitudes[-2]
        increased_before = len(self.magnitudes) > 2 and self.magnitudes[-2] > self.magnitudes[-3]
        if decreased and increased_before:
            self.beta = self.a * self.beta - self.b
        self.corrections.append(2.0 * c * sqrt(_product(y, y)))  # two vectors move by c Y
        self.ratios.append(self.corrections[-1] / max(self.magnitudes))

    def ratio_without_correction(self) -> float | None:
        if not self.corrections:
            return None  # there is neither emag nor lmag yet
        size = self.corrections[-1] if self.emag == "last" else 0.0
        return size / max(self.magnitudes)


def passes_in_order(order: str, n: int, stream: Stream) -> Iterator[list[int]]:
    """Yield the rows of every pass, drawn as the library draws them."""
    while True:
        rows = list(range(n))
        if order == "drawn":
            rows = list(_drawn(stream, n, n))
        if order == "shuffled":
            for i in range(n, 1, -1):
                other = stream.below(i)
                rows[i - 1], rows[other] = rows[other], rows[i - 1]
        yield rows


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

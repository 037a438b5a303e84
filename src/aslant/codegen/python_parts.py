"""Templates of Python that an exported module is made of."""

from __future__ import annotations

from aslant.codegen.description import Description
from aslant.codegen.templates import Templates

VALUES = '''
def _values(row):
    """Return the features of a row as numbers and codes of levels; None if missing."""
    if isinstance(row, dict):
        row = [row.get(name) for name in FEATURES]
    values = []
    for place, value in enumerate(row):
        if value is None or value != value:
            values.append(None)
        elif place in LEVELS:
            values.append(LEVELS[place].get(value, UNKNOWN.get(place)))
        #dayselse:
            values.append(float(value))
    if len(values) != len(FEATURES):
        raise ValueError("a row must have %d values, got %d" % (len(FEATURES), len(values)))
    return values

'''

DAYS_OF = """\
elif place in DAYS:
            values.append(_days(value, DAYS[place]))
        """

DATES = '''
def _days(value, kind):
    """Return a date as days since 1970-01-01, a duration as days; a number is days."""
    if isinstance(value, str):
        return _read_date(value.strip(), kind)
    if hasattr(value, "total_seconds"):
        return ((value.days * 86400 + value.seconds) * 10**6 + value.microseconds) / 86400000000
    if not hasattr(value, "toordinal"):
        return float(value)
    micro = (value.toordinal() - 719163) * 86400000000
    if hasattr(value, "hour"):
        if value.utcoffset() is not None:
            value = (value - value.utcoffset()).replace(tzinfo=None)
            micro = (value.toordinal() - 719163) * 86400000000
        micro += (value.hour * 3600 + value.minute * 60 + value.second) * 10**6
        micro += value.microsecond
    return micro / 86400000000


def _read_date(text, order):
    """Return the days of a text such as 2021-05-03 or 2021-05-03 14:30:00+02:00."""
    day, _, time = text.replace("T", " ").partition(" ")
    time, offset = time.rstrip("Z"), 0
    for sign in "+-":
        time, _, zone = time.partition(sign)
        if zone:
            offset = int(sign + "60") * (60 * int(zone[:2]) + int(zone[-2:]))
    time, _, fraction = time.strip().partition(".")
    a, b, c = (int(part) for part in day.replace("/", "-").replace(".", "-").split("-"))
    year, month, day = {
        "year first": (a, b, c), "day first": (c, b, a), "month first": (c, a, b)
    }[order]
    clock = [int(part) for part in time.split(":") if part] + [0, 0, 0]
    seconds = clock[0] * 3600 + clock[1] * 60 + clock[2] - offset
    seconds += _days_before(year, month, day) * 86400
    return (seconds * 10**6 + int(fraction[:6].ljust(6, "0"))) / 86400000000


def _days_before(year, month, day):
    """Return the days from 1970-01-01 to a day; years are counted from March."""
    year -= month < 3
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return year * 365 + year // 4 - year // 100 + year // 400 + day_of_year - 719468

'''

DERIVED = '''
def _derived(value, how):
    """Return a feature: an input, whether it is missing, its target encoding, a part of a date."""
    if how == "missing":
        return float(value is None)
    if value is None or how == "itself":
        return value
    if isinstance(how, tuple):
        return how[value]
    if how == "weekday":
        return float((value // 1.0 + 3.0) % 7.0)
    if how == "hour":
        return (value % 1.0 * 24.0 + 1e-6) // 1.0
    return float(_date(int(value // 1.0))[how])


def _date(days):
    """Return year, month and day of days since 1970-01-01; years are counted from March."""
    era, day_of_era = divmod(days + 719468, 146097)
    year = (day_of_era - day_of_era // 1460 + day_of_era // 36524 - day_of_era // 146096) // 365
    day = day_of_era - (365 * year + year // 4 - year // 100)
    month = (5 * day + 2) // 153
    return {
        "year": year + 400 * era + (month > 9),
        "month": (month + 2) % 12 + 1,
        "day": day - (153 * month + 2) // 5 + 1,
    }

'''

HELPERS = '''
def num(x, fill):
    """Return a number, or fill if it is missing."""
    return fill if x is None else x


def level(x, code, fill):
    """Return 1 if a category has this level, 0 if it has another; fill if it is missing."""
    return fill if x is None else float(x == code)


def largest(values):
    """Return the place of the largest value, the first on ties."""
    return values.index(max(values))

'''

GATE = '''
def gate(score):
    """Return 1 / (1 + exp(-score))."""
    return 1.0 / (1.0 + 2.718281828459045 ** min(-score, 700.0))

'''

#: By whether leaves are linear.
OUTPUT = {
    False: '''

def output(leaf, x):
    """Return the output of a leaf."""
    return OUTPUTS[leaf]

''',
    True: '''

def output(leaf, x):
    """Return the output of a leaf for a row."""
    return LEAVES[leaf](x)

''',
}

_SUM = """
def _mean(row):
    x = _values(row)
    sums = [0.0] * N_OUTPUTS
    for tree, weight in zip(TREES, WEIGHTS):
        for k, part in enumerate(output(tree(x), x)):
            sums[k] += weight * part
    return [total / DIVISOR for total in sums]

"""

_REACHED = '''
def _reached(x):
    """Return the probability of reaching each leaf."""
    tests, leaves = [1.0] * max(1, len(CHILDREN)), [1.0] * (len(CHILDREN) + 1)
    for test, passes in enumerate(gates(x)):
        low, high = CHILDREN[test]
        for child, probability in ((low, 1.0 - passes), (high, passes)):
            reached, place = (leaves, -1 - child) if child < 0 else (tests, child)
            reached[place] = tests[test] * probability
    return leaves


def _mean(row):
    x = _values(row)
    sums = [0.0] * N_OUTPUTS
    for leaf, reached in enumerate(_reached(x)):
        for k, part in enumerate(output(leaf, x)):
            sums[k] += reached * part
    return sums

'''

_MEAN_PROBA = '''
def predict_proba(row):
    """Return the probability of each of CLASSES."""
    return _mean(row)

'''

_SHARPENED_PROBA = '''
def predict_proba(row):
    """Return the probability of each of CLASSES: means raised to a power and normalized."""
    sums = [p + PRIOR for p in _mean(row)]
    greatest = max(sums)
    powers = [(max(p, 1e-300) / greatest) ** EXPONENT for p in sums]
    return [power / sum(powers) for power in powers]

'''

_LARGEST = '''
def predict(row):
    """Return the predicted class."""
    return CLASSES[largest(predict_proba(row))]
'''

_SINGLE = '''
def predict_proba(row):
    """Return the probability of each of CLASSES."""
    x = _values(row)
    return list(output(tree_0(x), x))


def predict(row):
    """Return the predicted class."""
    return CLASSES[WINNERS[tree_0(_values(row))]]
'''

_VOTES = '''
def _votes(row):
    x = _values(row)
    votes, sums = [0.0] * len(CLASSES), [0.0] * len(CLASSES)
    for tree in TREES:
        leaf = tree(x)
        votes[WINNERS[leaf]] += 1.0
        for k, part in enumerate(output(leaf, x)):
            sums[k] += part
    return votes, sums


def predict_proba(row):
    """Return the fraction of the votes for each of CLASSES."""
    return [votes / len(TREES) for votes in _votes(row)[0]]


def predict(row):
    """Return the class with most votes; ties go to the highest sum of probabilities."""
    votes, sums = _votes(row)
    return CLASSES[largest([v + s / (2.0 * len(TREES) + 2.0) for v, s in zip(votes, sums)])]
'''

_SINGLE_VALUE = '''
def predict(row):
    """Return the prediction."""
    x = _values(row)
    return output(tree_0(x), x)ONLY
'''

_MEAN_VALUE = '''
def predict(row):
    """Return the prediction."""
    return _mean(row)ONLY
'''


def predictions(description: Description) -> str:
    """Return the functions that predict."""
    constants = f"PRIOR, EXPONENT = {description.prior!r}, {description.exponent!r}\n\n"
    return Templates(
        single=_SINGLE,
        votes=_VOTES,
        sum=_SUM,
        reached=_REACHED,
        mean_proba=_MEAN_PROBA,
        sharpened_proba=constants + _SHARPENED_PROBA,
        largest=_LARGEST,
        single_value=_SINGLE_VALUE,
        mean_value=_MEAN_VALUE,
    ).filled(description)

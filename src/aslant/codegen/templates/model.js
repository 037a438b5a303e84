@@ head
// @estimator@, written by aslant. This file has no dependencies.
//
// aslantModel.predict(row)@proba@ one row: the values in the order of
// aslantModel.features, or an object by name. null, undefined and NaN are missing values, and so
// is an unknown level, unless UNKNOWN has a code for it.
// In Node: const model = require("./model.js").
"use strict";
const aslantModel = (() => {
@@ helpers

function values(row) {
    const own = (name) => (Object.prototype.hasOwnProperty.call(row, name) ? row[name] : null);
    const given = Array.isArray(row) ? row : FEATURES.map(own);
    if (given.length !== FEATURES.length)
        throw new RangeError(`a row must have ${FEATURES.length} values, got ${given.length}`);
    const known = given.map((value, place) => {
        const plain = typeof value === "boolean" ? Number(value) : value;
        if (plain === null || plain === undefined || plain !== plain) return NaN;
        if (LEVELS.has(place)) {
            const code = LEVELS.get(place).get(plain);
            return code !== undefined ? code : UNKNOWN.has(place) ? UNKNOWN.get(place) : NaN;
        }
        return DATES.has(place) ? days(plain, DATES.get(place)) : Number(plain);
    });
    return DERIVED.map(([source, how]) => derived(known[source], how));
}

// Days since 1970-01-01 of a Date, or of a text such as 2021-05-03 14:30; a number is days.
function days(value, order) {
    if (value instanceof Date) return value.getTime() / 86400000;
    if (typeof value !== "string") return Number(value);
    const pattern =
        /^\s*(\d+)[-/.](\d+)[-/.](\d+)(?:[ T](\d+):(\d+)(?::(\d+(?:\.\d*)?))?(.*))?$/;
    const found = pattern.exec(value);
    if (!found) throw new RangeError(`not a date: ${value}`);
    const [a, b, c, hour, minute, second] = found.slice(1, 7).map((text) => Number(text || 0));
    const zone = /([+-])(\d\d):?(\d\d)\s*$/.exec(found[7] || "");
    const offset = zone ? Number(zone[1] + 1) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
    const [year, month, day] =
        order === "day first" ? [c, b, a] : order === "month first" ? [c, a, b] : [a, b, c];
    const moment = new Date(0);
    moment.setUTCFullYear(year, month - 1, day);
    return (moment.getTime() / 1000 + hour * 3600 + (minute - offset) * 60 + second) / 86400;
}

// A feature: an input itself, whether it is missing, its target encoding, or a part of a date.
function derived(value, how) {
    if (how === "missing") return Number(value !== value);
    if (value !== value || how === "itself") return value;
    if (Array.isArray(how)) return how[value];
    const day = Math.floor(value);
    if (how === "weekday") return (((day + 3) % 7) + 7) % 7;
    if (how === "hour") return Math.floor((value - day) * 24 + 1e-6);
    const moment = new Date(day * 86400000);
    if (how === "year") return moment.getUTCFullYear();
    return how === "month" ? moment.getUTCMonth() + 1 : moment.getUTCDate();
}

const num = (x, fill) => (x === x ? x : fill);
const level = (x, code, fill) => (x === x ? Number(x === code) : fill);

function largest(list) {
    let best = 0;
    for (let k = 1; k < list.length; ++k) if (list[k] > list[best]) best = k;
    return best;
}
@@ gate

const gate = (score) => 1 / (1 + Math.exp(-score));
@@ sum

function mean(row) {
    const x = values(row);
    const total = new Array(@n_outputs@).fill(0);
    TREES.forEach((tree, t) => {
        output(tree(x), x).forEach((part, k) => { total[k] += WEIGHTS[t] * part; });
    });
    return total.map((sum) => sum / DIVISOR);
}
@@ reached

// The probability of reaching each leaf.
function reached(x) {
    const leaves = new Array(CHILDREN.length + 1).fill(1);
    const tests = CHILDREN.map(() => 1);
    gates(x).forEach((passes, test) => {
        [1 - passes, passes].forEach((probability, side) => {
            const child = CHILDREN[test][side];
            const place = child < 0 ? -1 - child : child;
            (child < 0 ? leaves : tests)[place] = tests[test] * probability;
        });
    });
    return leaves;
}

function mean(row) {
    const x = values(row);
    const sums = new Array(@n_outputs@).fill(0);
    reached(x).forEach((part, leaf) => {
        output(leaf, x).forEach((one, k) => { sums[k] += part * one; });
    });
    return sums;
}
@@ mean_proba

const predictProba = mean;
@@ sharpened_proba
const PRIOR = @prior@, EXPONENT = @exponent@;

function predictProba(row) {
    const sums = mean(row).map((p) => p + PRIOR);
    const greatest = Math.max(...sums);
    const powers = sums.map((p) => Math.pow(Math.max(p, 1e-300) / greatest, EXPONENT));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return powers.map((power) => power / total);
}
@@ softmax_proba

function predictProba(row) {
    const sums = mean(row);
    const greatest = Math.max(...sums);
    const powers = sums.map((sum) => Math.exp(sum - greatest));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return powers.map((power) => power / total);
}
@@ largest

const predict = (row) => CLASSES[largest(predictProba(row))];
@@ single

const predictProba = (row) => { const x = values(row); return output(tree_0(x), x).slice(); };
const predict = (row) => CLASSES[WINNERS[tree_0(values(row))]];
@@ single_logit

function predictProba(row) {
    const x = values(row);
    const logits = output(tree_0(x), x);
    const greatest = Math.max(...logits);
    const powers = logits.map((logit) => Math.exp(logit - greatest));
    const total = powers.reduce((sum, power) => sum + power, 0);
    return powers.map((power) => power / total);
}
@@ votes

function count(row) {
    const x = values(row);
    const votes = CLASSES.map(() => 0);
    const total = CLASSES.map(() => 0);
    for (const tree of TREES) {
        const leaf = tree(x);
        votes[WINNERS[leaf]] += 1;
        output(leaf, x).forEach((part, k) => { total[k] += part; });
    }
    return [votes, total];
}

const predictProba = (row) => count(row)[0].map((votes) => votes / TREES.length);

function predict(row) {
    const [votes, total] = count(row);
    return CLASSES[largest(votes.map((v, k) => v + total[k] / (2 * TREES.length + 2)))];
}
@@ single_value

const predict = (row) => { const x = values(row); return output(tree_0(x), x)@only@; };
@@ mean_value

const predict = (row) => mean(row)@only@;
@@ exp_value

const predict = (row) => Math.exp(mean(row)[0]);
@@ interval

// The bounds of the prediction: @coverage@ of the residuals of its leaf are inside.
const predictInterval = (row) => INTERVALS[tree_0(values(row))].map((one) => predict(row) + one);
@@ reasons

// Coefficient * (value - mean), summed by feature; 0 if the value is missing.
function partsOf(terms, x) {
    const parts = NAMES.map(() => 0);
    for (const [j, code, coef, mean] of terms)
        if (x[j] === x[j]) parts[j] += coef * ((code < 0 ? x[j] : Number(x[j] === code)) - mean);
    return parts;
}

// The names of the features that contribute most to the prediction, at most @n_reasons@, the
// largest first. A test, and a linear leaf, adds to each feature its share of what leads to the
// answer.
function reasons(row) {
    const x = values(row);
    const totals = NAMES.map(() => 0);
    for (const [comparison, given] of PATHS[tree_0(x)]) {
        const parts = COMPARISONS[comparison].map(([, terms]) => partsOf(terms, x));
        const sums = parts.map(
            (own, k) => COMPARISONS[comparison][k][0] + own.reduce((sum, part) => sum + part, 0)
        );
        const winner = given < 0 ? largest(sums) : given;
        const second = largest(sums.map((sum, k) => (k === winner ? -Infinity : sum)));
        const shares = parts[winner].map((part, j) => part - parts[second][j]);
        const size = shares.reduce((sum, share) => sum + Math.abs(share), 0);
        shares.forEach((share, j) => { totals[j] += size > 0 ? share / size : 0; });
    }
    const units = totals.map((total) => Math.floor(total * 1e9 + 0.5)); // rounding decides no tie
    const order = units.map((unit, j) => j).filter((j) => units[j] > 0);
    order.sort((i, j) => units[j] - units[i] || i - j);
    return order.slice(0, @n_reasons@).map((j) => NAMES[j]);
}
@@ end

// The features that the trees read, and the leaf of a row in each tree, counted through all trees.
const leaves = (row) => { const x = values(row); return TREES.map((tree) => tree(x)); };
return { features: FEATURES, values, leaves, predict@more@ };
})();
if (typeof module !== "undefined") module.exports = aslantModel;

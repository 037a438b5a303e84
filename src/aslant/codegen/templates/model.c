@@ head
/* @estimator@, written by aslant. C99 without allocation; the standard library provides
   @needs@.

@functions@
   x holds the inputs in the order of the constants X_... below; NAN is a missing value. A category
   is the code that @name@_code_... returns: NAN for an unknown level, unless the model has a code
   for those; any other number counts as missing. A date is days since 1970-01-01, a duration is
   days. @name@.h declares the functions.

   Sums are written out in the order in which aslant adds. Compiled without fused multiply-add
   (-std=c99 or -ffp-contract=off) and without -ffast-math, every row reaches the same leaf. */
#include <math.h>
#include <string.h>

#if !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
@@ functions_classes
     int @name@_predict(const double *x);                       index of the class in @name@_classes
     void @name@_predict_proba(const double *x, double *proba); one probability for each class
@@ functions_value
     double @name@_predict(const double *x);                    the prediction
@@ functions_values
     void @name@_predict(const double *x, double *values);      the predictions
@@ declarations_classes
/* The classes, as text. */
extern const char *const @name@_classes[];
/* The index of the predicted class. */
int @name@_predict(const double *x);
/* One probability for each class. */
void @name@_predict_proba(const double *x, double *proba);
@@ declarations_value
/* The prediction. */
double @name@_predict(const double *x);
@@ declarations_values
/* The predictions. */
void @name@_predict(const double *x, double *values);
@@ header
/* @estimator@, written by aslant: declarations of @name@.c, which says what x holds. */
#ifndef @guard@
#define @guard@

#ifdef __cplusplus
extern "C" {
#endif

enum { @sizes@ };

/* The place of each input in x. */
enum {
@places@
};

@declarations@

#ifdef __cplusplus
}
#endif

#endif
@@ helper_num

static double num(double x, double fill) { return x == x ? x : fill; }
@@ helper_level

static double level(double x, int code, double fill) {
    return x == x ? (x == code ? 1.0 : 0.0) : fill;
}
@@ helper_largest

static int largest(int n, const double *values) {
    int best = 0;
    for (int k = 1; k < n; ++k)
        if (values[k] > values[best]) best = k;
    return best;
}
@@ helper_code

/* The code of a level; NAN if there is none of this number. */
static double code(double given, int n) {
    return given >= 0.0 && given < n && given == floor(given) ? given : NAN;
}
@@ helper_entry

/* The entry of a table for a code; NAN if there is none. */
static double entry(const double *table, int n, double code) {
    return code >= 0.0 && code < n ? table[(int)code] : NAN;
}
@@ helper_gate

static double gate(double score) { return 1.0 / (1.0 + exp(-score)); }
@@ helper_between

static double between(double low, double x, double high) {
    return x < low ? low : (x > high ? high : x);
}
@@ helper_date_part

/* Year, month or day ('y', 'm', 'd') of days since 1970-01-01; years are counted from March. */
static double date_part(double days, char part) {
    if (days != days) return NAN;
    const double shifted = floor(days) + 719468.0, era = floor(shifted / 146097.0);
    const long rest = (long)(shifted - era * 146097.0);
    const long year = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    const long day = rest - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;
    if (part == 'y') return (double)(year + (month > 9)) + 400.0 * era;
    return (double)(part == 'm' ? (month + 2) % 12 + 1 : day - (153 * month + 2) / 5 + 1);
}
@@ sum

static void mean(const double *given, double *sum) {
    @x@
    for (int k = 0; k < N_OUTPUTS; ++k) sum[k] = 0.0;
    for (int t = 0; t < N_TREES; ++t) {
        const int leaf = trees[t](x);
        @output@
        for (int k = 0; k < N_OUTPUTS; ++k) sum[k] += weights[t] * output[k];
    }
    for (int k = 0; k < N_OUTPUTS; ++k) sum[k] /= @divisor@;
}
@@ reached

/* The mean of all leaves, weighted by the probability of reaching them: leaves, then tests. */
static void mean(const double *given, double *sum) {
    @x@
    double passes[N_TESTS + 1], reached[2 * N_TESTS + 2];
    gates(x, passes);
    reached[N_LEAVES] = reached[0] = 1.0;
    for (int test = 0; test < N_TESTS; ++test) {
        const double here = reached[N_LEAVES + test];
        reached[children[test][0]] = here * (1.0 - passes[test]);
        reached[children[test][1]] = here * passes[test];
    }
    for (int k = 0; k < N_OUTPUTS; ++k) sum[k] = 0.0;
    for (int leaf = 0; leaf < N_LEAVES; ++leaf) {
        @output@
        for (int k = 0; k < N_OUTPUTS; ++k) sum[k] += reached[leaf] * output[k];
    }
}
@@ mean_proba

void @name@_predict_proba(const double *given, double *proba) { mean(given, proba); }
@@ sharpened_proba

void @name@_predict_proba(const double *given, double *proba) {
    double greatest = 0.0, total = 0.0;
    mean(given, proba);
    for (int k = 0; k < N_OUTPUTS; ++k) {
        proba[k] += @prior@;
        if (proba[k] > greatest) greatest = proba[k];
    }
    for (int k = 0; k < N_OUTPUTS; ++k) {
        const double least = proba[k] > 1e-300 ? proba[k] : 1e-300;
        proba[k] = pow(least / greatest, @exponent@);
        total += proba[k];
    }
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] /= total;
}
@@ softmax_proba

void @name@_predict_proba(const double *given, double *proba) {
    double greatest, total = 0.0;
    mean(given, proba);
    greatest = proba[0];
    for (int k = 1; k < N_OUTPUTS; ++k)
        if (proba[k] > greatest) greatest = proba[k];
    for (int k = 0; k < N_OUTPUTS; ++k) {
        proba[k] = exp(proba[k] - greatest);
        total += proba[k];
    }
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] /= total;
}
@@ largest

int @name@_predict(const double *given) {
    double proba[N_OUTPUTS];
    @name@_predict_proba(given, proba);
    return largest(N_OUTPUTS, proba);
}
@@ single

void @name@_predict_proba(const double *given, double *proba) {
    @x@
    const int leaf = tree_0(x);
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] = outputs[leaf][k];
}

int @name@_predict(const double *given) {
    @x@
    return winners[tree_0(x)];
}
@@ single_logit

void @name@_predict_proba(const double *given, double *proba) {
    @x@
    double total = 0.0;
    linear_leaf(tree_0(x), x, proba);
    const double greatest = proba[largest(N_OUTPUTS, proba)];
    for (int k = 0; k < N_OUTPUTS; ++k) total += proba[k] = exp(proba[k] - greatest);
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] /= total;
}
@@ votes

static void count(const double *given, double *votes, double *sum) {
    @x@
    for (int k = 0; k < N_OUTPUTS; ++k) votes[k] = sum[k] = 0.0;
    for (int t = 0; t < N_TREES; ++t) {
        const int leaf = trees[t](x);
        votes[winners[leaf]] += 1.0;
        for (int k = 0; k < N_OUTPUTS; ++k) sum[k] += outputs[leaf][k];
    }
}

void @name@_predict_proba(const double *given, double *proba) {
    double sum[N_OUTPUTS];
    count(given, proba, sum);
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] /= N_TREES;
}

int @name@_predict(const double *given) {
    double votes[N_OUTPUTS], sum[N_OUTPUTS];
    count(given, votes, sum);
    for (int k = 0; k < N_OUTPUTS; ++k) votes[k] += sum[k] / (2.0 * N_TREES + 2.0);
    return largest(N_OUTPUTS, votes);
}
@@ single_value

@type@ @name@_predict(const double *given@argument@) {
    @x@
    const int leaf = tree_0(x);
    @output@
    @result@
}
@@ mean_value

@type@ @name@_predict(const double *given@argument@) {
    double output[N_OUTPUTS];
    mean(given, output);
    @result@
}
@@ exp_value

double @name@_predict(const double *given) {
    double output[N_OUTPUTS];
    mean(given, output);
    return exp(output[0]);
}
@@ functions_interval
     void @name@_predict_interval(const double *x, double *bounds);  low and high
@@ declarations_interval
/* The bounds of the prediction: @coverage@ of the residuals of its leaf are inside. */
void @name@_predict_interval(const double *x, double *bounds);
@@ interval

void @name@_predict_interval(const double *given, double *bounds) {
    @x@
    const double prediction = @name@_predict(given), *around = intervals[tree_0(x)];
    for (int k = 0; k < 2; ++k) bounds[k] = prediction + around[k];
}
@@ functions_reasons
     int @name@_reasons(const double *x, int *reasons);         the features that contribute most to
                                                                the prediction
@@ declarations_reasons
/* The names of the features. */
extern const char *const @name@_features[];
/* Writes the features that contribute most to the prediction, at most @n_reasons@, as indices into
   @name@_features, the largest first, and returns how many there are. */
int @name@_reasons(const double *x, int *reasons);
@@ reasons

/* Adds coefficient * (value - mean) of each term to its feature, 0 if the value is missing, and
   returns the function's value. */
static double add_parts(int function, const double *x, double sign, double *parts) {
    double sum = at_mean[function];
    for (int t = first_term[function]; t < first_term[function + 1]; ++t) {
        const double value = x[terms[t].feature];
        if (value != value) continue;
        const double part = terms[t].coef *
            ((terms[t].level < 0 ? value : (value == terms[t].level ? 1.0 : 0.0)) - terms[t].mean);
        parts[terms[t].feature] += sign * part;
        sum += part;
    }
    return sum;
}

/* The function of a comparison that is largest, but for one. */
static int largest_but(int comparison, int but, const double *x) {
    double most = 0.0, unused[N_FEATURES] = {0.0};
    int best = -1;
    for (int k = first_function[comparison]; k < first_function[comparison + 1]; ++k) {
        if (k == but) continue;
        const double sum = add_parts(k, x, 1.0, unused);
        if (best < 0 || sum > most) most = sum, best = k;
    }
    return best;
}

/* A test, and a linear leaf, adds to each feature its share of what leads to the answer. */
static void contributions(const double *x, double *totals) {
    const int leaf = tree_0(x);
    for (int p = first_step[leaf]; p < first_step[leaf + 1]; ++p) {
        const int comparison = path[p][0];
        const int winner = path[p][1] < 0 ? largest_but(comparison, -1, x)
                                          : first_function[comparison] + path[p][1];
        double shares[N_FEATURES] = {0.0}, size = 0.0;
        add_parts(winner, x, 1.0, shares);
        add_parts(largest_but(comparison, winner, x), x, -1.0, shares);
        for (int j = 0; j < N_FEATURES; ++j) size += fabs(shares[j]);
        for (int j = 0; j < N_FEATURES; ++j) totals[j] += size > 0.0 ? shares[j] / size : 0.0;
    }
}

int @name@_reasons(const double *given, int *reasons) {
    @x@
    double totals[N_FEATURES] = {0.0};
    int count = 0;
    contributions(x, totals);
    /* So that rounding decides no tie. */
    for (int j = 0; j < N_FEATURES; ++j) totals[j] = floor(totals[j] * 1e9 + 0.5);
    for (; count < @n_reasons@; ++count) {
        int best = 0;
        for (int j = 1; j < N_FEATURES; ++j)
            if (totals[j] > totals[best]) best = j;
        if (!(totals[best] > 0.0)) break;
        reasons[count] = best;
        totals[best] = 0.0;
    }
    return count;
}

// Passes over a block of rows, written so that compilers turn them into vector instructions.
//
// The rows of a block lie side by side: values[j * kBlockRows + r] is column j of row r. Every sum
// has one order, so results do not depend on the processor.
#pragma once

#include <cstddef>

namespace aslant {

constexpr std::size_t kBlockRows = 16;
constexpr std::size_t kGradientLanes = 4;  // partial sums of every entry of a gradient

// score[r] = constant + sum_j coef[j] values[j][r].
void block_scores(const double* coef, double constant, const double* values, std::size_t n_columns,
                  double* score);

// partial[j][lane] += sum over rows r = lane mod kGradientLanes of slope[r] values[j][r].
void add_block_gradient(const double* slope, const double* values, std::size_t n_columns,
                        double* partial);

// gate[r] = 1 / (1 + exp(-score[r])), to within two units in the last place.
void block_gates(const double* score, double* gate);

// What goes to child 1 and to child 0 of what reaches a node; less than `least` is nothing.
void divide_reach(const double* reach, const double* gate, double least, double* reach0,
                  double* reach1);

// value[r] = gate[r] value1[r] + (1 - gate[r]) value0[r]. The value of a child that a row does not
// reach becomes 0.
void join_values(const double* gate, const double* reach0, const double* reach1, double* value0,
                 double* value1, double* value);

// of_score[r] = slope[r] reach[r] gate[r] (1 - gate[r]) (value1[r] - value0[r]); returns their sum.
double score_slopes(const double* slope, const double* reach, const double* gate,
                    const double* value0, const double* value1, double* of_score);

}  // namespace aslant

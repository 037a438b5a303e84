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

}  // namespace aslant

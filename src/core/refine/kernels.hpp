// Vectorizable passes over a block of rows: values[j * kBlockRows + r] is column j of row r. Single
// precision suffices for a fit that stops early, and doubles the rows per vector. The order of sums
// is fixed, so results do not depend on the processor.
#pragma once

#include <cstddef>
#include <cstdint>

namespace aslant {

constexpr std::size_t kBlockRows = 32;
constexpr std::size_t kGradientLanes = 8;  // partial sums per gradient entry

// The columns of a block that a node reads.
struct BlockColumns {
  const float* values;
  const std::uint32_t* column;  // which ones
  std::size_t n_columns;

  const float* of(std::size_t i) const { return values + column[i] * kBlockRows; }
};

// score[r] = constant + extra[r] + sum_i coef[i] values[column i][r].
void block_scores(const BlockColumns& x, const float* coef, float constant, const float* extra,
                  float* score);

// The gates of a node, gate[r] = 1 / (1 + exp(-score)), and the probabilities of reaching its
// children, 0 if below `least`. Returns 1 if any row reaches child 0, plus 2 if any child 1.
unsigned pass_gate(const float* score, const float* reach, float least, float* __restrict gate,
                   float* __restrict reach0, float* __restrict reach1);

// value[r] = gate[r] value1[r] + (1 - gate[r]) value0[r], with 0 for children that are not reached.
// Replaces the gate by the slope of this value along the score.
void join_values(const float* reach0, const float* reach1, const float* value0, const float* value1,
                 float* __restrict gate_to_slope, float* __restrict value);

// Returns the sum of -weight log(certain value + chance) and writes its slope along the value.
// Ignores rows of zero weight.
double block_loss(const float* value, const float* weight, bool same_weight, float certain,
                  float chance, float* __restrict slope);

// of_score[r] = slope[r] reach[r] value_slope[r]; adds its products with the columns, and itself
// last, to partial[i][lane], where lane is r mod kGradientLanes.
void add_block_gradient(const BlockColumns& x, const float* slope, const float* reach,
                        const float* value_slope, float* partial, float* of_score);

// out[r] = a[r] b[r] c[r].
void block_product(const float* a, const float* b, const float* c, float* __restrict out);

}  // namespace aslant

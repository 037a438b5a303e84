// Leaves of a soft tree: the likelihood of the target at each leaf. No other part sees targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace aslant {

class SoftLeaves {
 public:
  // A leaf that rows of a block reach: reach probabilities, outputs of its planes (one after the
  // other; none where leaves are constant), and the likelihoods of the targets, to be written.
  struct Visit {
    std::size_t leaf;  // index among the leaves
    const float* reach;
    const float* score;
    float* value;
  };

  virtual ~SoftLeaves() = default;

  // Leaf parameters besides the planes.
  virtual std::size_t n_parameters() const = 0;

  // Sets the parameters and resets all slopes.
  virtual void unfold(const double* parameters) = 0;

  virtual void write_values(std::size_t block, const std::vector<Visit>& visits) = 0;

  // Returns the loss of a block, given the values at the root, and writes its slope along them.
  virtual double loss(std::size_t block, const float* value, const float* weight, bool same_weight,
                      float* slope) = 0;

  // From slopes along a leaf's log value: adds those of its parameters, writes those of planes.
  virtual void add_slopes(std::size_t block, const Visit& visit, const float* of_log,
                          float* of_planes) = 0;

  // Writes the slopes along all leaf parameters, penalty included; returns the penalty.
  virtual double fold(const double* parameters, double* gradient) const = 0;
};

struct SoftOptions;
struct SoftRows;

// The leaves for rows stored in blocks in this order.
std::unique_ptr<SoftLeaves> class_leaves(const SoftRows& rows,
                                         const std::vector<std::uint32_t>& order,
                                         std::size_t n_leaves, const SoftOptions& options);
std::unique_ptr<SoftLeaves> logit_leaves(const SoftRows& rows,
                                         const std::vector<std::uint32_t>& order,
                                         const SoftOptions& options);
std::unique_ptr<SoftLeaves> number_leaves(const SoftRows& rows,
                                          const std::vector<std::uint32_t>& order,
                                          const SoftOptions& options);

}  // namespace aslant

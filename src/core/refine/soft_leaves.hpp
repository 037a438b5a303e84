// What the leaves of a soft tree say of the target: how well it suits every leaf that a row may
// reach. The tree knows nothing of the target but through this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace aslant {

class SoftLeaves {
 public:
  // A leaf that some rows of a block reach: the probability of it for each row, what its planes say
  // (one after the other, none where classes are predicted), and where to write how likely the
  // target of each row is there.
  struct Visit {
    std::size_t leaf;  // its number among the leaves
    const float* reach;
    const float* score;
    float* value;
  };

  virtual ~SoftLeaves() = default;

  // Parameters of the leaves besides those of their planes.
  virtual std::size_t n_parameters() const = 0;

  // Takes parameters, and forgets all slopes.
  virtual void unfold(const double* parameters) = 0;

  // Writes the values of the leaves that are reached.
  virtual void write_values(std::size_t block, const std::vector<Visit>& visits) = 0;

  // Returns the loss of the rows of a block, given the values at the root, and its slope along
  // them.
  virtual double loss(std::size_t block, const float* value, const float* weight, bool same_weight,
                      float* slope) = 0;

  // Adds the slopes along the parameters of a leaf, `of_log` being those along the logarithm of its
  // value, and writes those along its planes.
  virtual void add_slopes(std::size_t block, const Visit& visit, const float* of_log,
                          float* of_planes) = 0;

  // Writes the slopes along all parameters of the leaves; returns their penalty and adds its
  // slopes.
  virtual double fold(const double* parameters, double* gradient) const = 0;
};

struct SoftOptions;
struct SoftRows;

// The leaves of rows that lie in the blocks in the given order.
std::unique_ptr<SoftLeaves> class_leaves(const SoftRows& rows,
                                         const std::vector<std::uint32_t>& order,
                                         std::size_t n_leaves, const SoftOptions& options);
std::unique_ptr<SoftLeaves> number_leaves(const SoftRows& rows,
                                          const std::vector<std::uint32_t>& order,
                                          const SoftOptions& options);

}  // namespace aslant

// How the weights of a linear machine are learned. A machine has one weight vector per target; a
// row goes to the target of largest product with Y = (1, x). Two targets need only the difference
// of their vectors: a row goes to the first target if its product is nonnegative.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/search.hpp"

namespace aslant {

// What the machine separates: the classes present, or two groups of classes.
struct Targets {
  std::vector<int> of_class;   // target of each class; -1: absent at the node
  std::vector<int> by_weight;  // targets, heaviest first
  int count() const { return static_cast<int>(by_weight.size()); }
  int n_vectors() const { return count() == 2 ? 1 : count(); }
};

struct Learned {
  std::vector<double> weights;  // n_vectors x (1 + columns), the constant first
  std::vector<double> outputs;  // n_vectors x rows: the products with the node's rows
  std::optional<std::int64_t> corrections = std::nullopt;  // made in training, if iterative
};

// A fit session of a learner on the rows of one node.
class FitSession {
 public:
  virtual ~FitSession() = default;

  virtual Learned learn(const std::vector<int>& columns) = 0;

  // The next column sets differ from this one by one column.
  virtual void settle_on(const std::vector<int>&) {}
};

class Learner {
 public:
  virtual ~Learner() = default;
  virtual std::unique_ptr<FitSession> begin(const NodePointer& node, const Targets& targets,
                                            const SearchContext& context) const = 0;
};

}  // namespace aslant

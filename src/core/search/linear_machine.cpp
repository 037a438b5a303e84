// N. J. Nilsson, Learning Machines, 1965, as tests of a tree: P. E. Utgoff and C. E. Brodley,
// Linear Machine Decision Trees, 1991, and C. E. Brodley and P. E. Utgoff, Multivariate Decision
// Trees, Machine Learning 19:45-77, 1995, section 2.1. A machine has a branch for every class
// present at the node; between two classes it is a linear threshold unit, which is a hyperplane.

#include "search/linear_machine.hpp"

#include <algorithm>
#include <numeric>

#include "node/partition.hpp"
#include "search/directions/superclasses.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

Targets targets_of(const Node& node, bool join) {
  Targets targets;
  targets.of_class.assign(node.target().n_classes(), -1);
  const std::vector<char> group =
      join ? superclasses(node, node.columns().varying(), ClassCount::by_weight)
           : std::vector<char>();
  std::vector<double> weight;
  for (int k = 0; k < node.target().n_classes(); ++k) {
    if (!(node.target().class_weight()[k] > 0.0)) continue;
    targets.of_class[k] = join ? group[k] : static_cast<int>(weight.size());
    weight.resize(std::max<std::size_t>(weight.size(), targets.of_class[k] + 1), 0.0);
    weight[targets.of_class[k]] += node.target().class_weight()[k];
  }
  targets.by_weight.resize(weight.size());
  std::iota(targets.by_weight.begin(), targets.by_weight.end(), 0);
  std::stable_sort(targets.by_weight.begin(), targets.by_weight.end(),
                   [&weight](int a, int b) { return weight[a] > weight[b]; });
  return targets;
}

// The partition of a node's rows by the remaining vectors.
class MachinePartition {
 public:
  MachinePartition(const Node& node, const Learned& learned, int n_vectors, bool keep_empty)
      : node_(node),
        learned_(learned),
        keep_empty_(keep_empty),
        vectors_(n_vectors),
        child_of_(node.n_rows(), 0) {
    std::iota(vectors_.begin(), vectors_.end(), 0);
    for (std::size_t i = 0; i < child_of_.size(); ++i) child_of_[i] = winner(i);
    const std::size_t n_children = is_unit() ? 2 : vectors_.size();
    children_ = parts_by(node.target(), n_children, [this](std::size_t i) { return child_of_[i]; });
    // Removes branches with too few rows; their rows go to the next best.
    for (auto child = too_small(); child && vectors_.size() > 2; child = too_small())
      remove(*child);
  }

  const std::vector<int>& vectors() const { return vectors_; }
  const std::vector<Part>& children() const { return children_; }
  bool separates() const {
    const auto filled = std::count_if(children_.begin(), children_.end(),
                                      [](const Part& child) { return child.rows > 0; });
    return filled > 1 && !too_small();
  }

 private:
  bool is_unit() const { return learned_.outputs.size() == node_.n_rows(); }

  std::uint32_t winner(std::size_t row) const {
    const std::size_t n = node_.n_rows();
    if (is_unit()) return learned_.outputs[row] >= 0.0 ? 0 : 1;
    std::uint32_t best = 0;
    for (std::uint32_t v = 1; v < vectors_.size(); ++v)
      if (learned_.outputs[vectors_[v] * n + row] > learned_.outputs[vectors_[best] * n + row])
        best = v;
    return best;
  }

  // Reassigns only the rows of the removed branch.
  void remove(std::size_t child) {
    vectors_.erase(vectors_.begin() + static_cast<std::ptrdiff_t>(child));
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(child));
    for (std::size_t i = 0; i < child_of_.size(); ++i) {
      if (child_of_[i] == child) {
        child_of_[i] = winner(i);
        Part& part = children_[child_of_[i]];
        ++part.rows;
        node_.target().add(i, part.statistics.data());
      } else if (child_of_[i] > child) {
        --child_of_[i];
      }
    }
  }

  // The lightest child below its limits.
  std::optional<std::size_t> too_small() const {
    std::optional<std::size_t> lightest;
    double least = 0.0;
    for (std::size_t child = 0; child < children_.size(); ++child) {
      if (is_allowed(node_, children_[child], node_.limits())) continue;
      if (keep_empty_ && children_[child].rows == 0) continue;
      const double weight = node_.target().weight_in(children_[child].statistics.data());
      if (lightest && !(weight < least)) continue;
      lightest = child;
      least = weight;
    }
    return lightest;
  }

  const Node& node_;
  const Learned& learned_;
  bool keep_empty_;
  std::vector<int> vectors_;
  std::vector<std::uint32_t> child_of_;
  std::vector<Part> children_;
};

// W.Y >= 0 goes to child 0: one vector is the hyperplane -w . x <= w_0, two are the hyperplane of
// their difference, more stay a machine.
Split split_of(const Learned& learned, const std::vector<int>& vectors,
               const std::vector<int>& columns) {
  const auto weights = [&](std::size_t v) {
    return &learned.weights[vectors[v] * (columns.size() + 1)];
  };
  Split split;
  if (vectors.size() == 2) {
    const double *first = weights(0), *second = weights(1);
    for (std::size_t c = 0; c < columns.size(); ++c)
      split.add(columns[c], second[c + 1] - first[c + 1]);
    split.end_vector(first[0] - second[0]);
    return split;
  }
  const double sign = vectors.size() == 1 ? -1.0 : 1.0;
  for (std::size_t v = 0; v < vectors.size(); ++v) {
    const double* w = weights(v);
    for (std::size_t c = 0; c < columns.size(); ++c) split.add(columns[c], sign * w[c + 1]);
    split.end_vector(w[0]);
  }
  return split;
}

class MachineOnSubsets : public SubsetSearch {
 public:
  MachineOnSubsets(const Learner& learner, NodePointer node, bool join, bool keep_empty,
                   const SearchContext& context)
      : node_(std::move(node)),
        context_(context),
        keep_empty_(keep_empty),
        targets_(targets_of(*node_, join)),
        session_(learner.begin(node_, targets_, context)) {}

  std::optional<Candidate> find(const std::vector<int>& columns) override {
    if (targets_.count() < 2 || columns.empty()) return std::nullopt;
    context_.supervisor.check();
    const Learned learned = session_->learn(columns);
    context_.hyperplanes += learned.corrections.value_or(targets_.n_vectors());
    const MachinePartition partition(*node_, learned, targets_.n_vectors(), keep_empty_);
    Candidate candidate;
    candidate.split = split_of(learned, partition.vectors(), columns);
    candidate.split.keeps_empty = keep_empty_ && partition.vectors().size() != 2;
    if (!candidate.split.finite()) return std::nullopt;
    candidate.accuracy = node_->target().accuracy(partition.children());
    candidate.separates = partition.separates();
    if (candidate.separates) candidate.split.score = score_of(*node_, partition.children());
    return candidate;
  }

  void settle_on(const std::vector<int>& columns) override { session_->settle_on(columns); }

 private:
  NodePointer node_;
  SearchContext context_;
  bool keep_empty_;
  Targets targets_;
  std::unique_ptr<FitSession> session_;
};

}  // namespace

std::optional<Split> LinearMachine::find(const NodePointer& node,
                                         const SearchContext& context) const {
  auto candidate = on_subsets(node, context)->find(node->columns().varying());
  if (!candidate || !candidate->separates) return std::nullopt;
  return std::move(candidate->split);
}

std::unique_ptr<SubsetSearch> LinearMachine::on_subsets(const NodePointer& node,
                                                        const SearchContext& context) const {
  return std::make_unique<MachineOnSubsets>(*learner_, node, superclasses_, keep_empty_, context);
}

namespace {

const RegisteredSearch linear_machine_registered("LinearMachine", [](Options& options) {
  return std::make_shared<LinearMachine>(options.learner("learner"), options.flag("superclasses"),
                                         options.flag("keep_empty"));
});

}  // namespace

}  // namespace aslant

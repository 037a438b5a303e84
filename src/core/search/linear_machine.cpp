// N. J. Nilsson, Learning Machines, 1965, as tests of a tree: P. E. Utgoff and C. E. Brodley,
// Linear Machine Decision Trees, 1991, and C. E. Brodley and P. E. Utgoff, Multivariate Decision
// Trees, Machine Learning 19:45-77, 1995, section 2.1. A machine has a branch for every class
// present at the node; between two classes it is a linear threshold unit, which is a hyperplane.

#include "search/linear_machine.hpp"

#include <algorithm>
#include <numeric>

#include "superclasses.hpp"

namespace aslant {

namespace {

Targets targets_of(const Node& node, bool join) {
  Targets targets;
  targets.of_class.assign(node.n_classes(), -1);
  const std::vector<char> group =
      join ? superclasses(node, node.varying_columns(), ClassCount::by_weight)
           : std::vector<char>();
  std::vector<double> weight;
  for (int k = 0; k < node.n_classes(); ++k) {
    if (!(node.class_weight()[k] > 0.0)) continue;
    targets.of_class[k] = join ? group[k] : static_cast<int>(weight.size());
    weight.resize(std::max<std::size_t>(weight.size(), targets.of_class[k] + 1), 0.0);
    weight[targets.of_class[k]] += node.class_weight()[k];
  }
  targets.by_weight.resize(weight.size());
  std::iota(targets.by_weight.begin(), targets.by_weight.end(), 0);
  std::stable_sort(targets.by_weight.begin(), targets.by_weight.end(),
                   [&weight](int a, int b) { return weight[a] > weight[b]; });
  return targets;
}

// What the vectors that are left do with the rows of a node.
class Partition {
 public:
  Partition(const Node& node, const Learned& learned, int n_vectors)
      : node_(node), learned_(learned), vectors_(n_vectors) {
    std::iota(vectors_.begin(), vectors_.end(), 0);
    divide();
    // A branch that no row, or too few, would take is no branch: its rows go to the next best.
    while (vectors_.size() > 2 && !separates()) {
      vectors_.erase(vectors_.begin() + *too_small());
      divide();
    }
  }

  const std::vector<int>& vectors() const { return vectors_; }
  const std::vector<std::vector<double>>& children() const { return class_weight_; }
  bool separates() const { return !too_small(); }

 private:
  void divide() {
    const std::size_t n = node_.n_rows();
    const std::size_t n_children = learned_.outputs.size() == n ? 2 : vectors_.size();
    rows_.assign(n_children, 0);
    weight_.assign(n_children, 0.0);
    class_weight_.assign(n_children, std::vector<double>(node_.n_classes(), 0.0));
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t child = child_of(i);
      ++rows_[child];
      weight_[child] += node_.weight_of(i);
      class_weight_[child][node_.label()[i]] += node_.weight_of(i);
    }
  }

  std::size_t child_of(std::size_t row) const {
    const std::size_t n = node_.n_rows();
    if (learned_.outputs.size() == n) return learned_.outputs[row] >= 0.0 ? 0 : 1;
    std::size_t best = 0;
    for (std::size_t v = 1; v < vectors_.size(); ++v)
      if (learned_.outputs[vectors_[v] * n + row] > learned_.outputs[vectors_[best] * n + row])
        best = v;
    return best;
  }

  // The lightest of the children that hold less than they must.
  std::optional<std::size_t> too_small() const {
    std::optional<std::size_t> lightest;
    for (std::size_t child = 0; child < rows_.size(); ++child) {
      if (rows_[child] >= node_.limits().rows && weight_[child] >= node_.limits().weight) continue;
      if (!lightest || weight_[child] < weight_[*lightest]) lightest = child;
    }
    return lightest;
  }

  const Node& node_;
  const Learned& learned_;
  std::vector<int> vectors_;
  std::vector<std::int64_t> rows_;
  std::vector<double> weight_;
  std::vector<std::vector<double>> class_weight_;
};

// W.Y >= 0 goes to child 0, so the hyperplane is -w . x <= w_0. A machine keeps its vectors.
Split split_of(const Learned& learned, const std::vector<int>& vectors,
               const std::vector<int>& columns) {
  Split split;
  split.columns.assign(columns.begin(), columns.end());
  const double sign = vectors.size() == 1 ? -1.0 : 1.0;
  for (int v : vectors) {
    const double* w = &learned.weights[v * (columns.size() + 1)];
    split.offsets.push_back(w[0]);
    for (std::size_t c = 0; c < columns.size(); ++c) split.coefs.push_back(sign * w[c + 1]);
  }
  return split;
}

// Of two vectors only the difference matters: a hyperplane again.
Split as_hyperplane(const Split& machine) {
  Split split;
  split.columns = machine.columns;
  const std::size_t width = machine.columns.size();
  for (std::size_t c = 0; c < width; ++c)
    split.coefs.push_back(machine.coefs[width + c] - machine.coefs[c]);
  split.offsets = {machine.offsets[0] - machine.offsets[1]};
  return split;
}

class MachineOnSubsets : public SubsetSearch {
 public:
  MachineOnSubsets(const Learner& learner, std::shared_ptr<const Node> node, bool join,
                   const SearchContext& context)
      : node_(std::move(node)),
        context_(context),
        targets_(targets_of(*node_, join)),
        lessons_(learner.begin(node_, targets_, context)) {}

  std::optional<Candidate> find(const std::vector<int>& columns) override {
    if (targets_.count() < 2 || columns.empty()) return std::nullopt;
    context_.supervisor.check();
    context_.hyperplanes += targets_.n_vectors();
    const Learned learned = lessons_->learn(columns);
    const Partition partition(*node_, learned, targets_.n_vectors());
    Candidate candidate;
    candidate.split = split_of(learned, partition.vectors(), columns);
    if (!candidate.split.finite()) return std::nullopt;
    if (candidate.split.n_vectors() == 2) candidate.split = as_hyperplane(candidate.split);
    candidate.accuracy = node_->accuracy(partition.children());
    candidate.separates = partition.separates();
    if (candidate.separates) candidate.split.score = node_->score(partition.children());
    return candidate;
  }

  void settle_on(const std::vector<int>& columns) override { lessons_->settle_on(columns); }

 private:
  std::shared_ptr<const Node> node_;
  SearchContext context_;
  Targets targets_;
  std::unique_ptr<Lessons> lessons_;
};

}  // namespace

std::optional<Split> LinearMachine::find(const std::shared_ptr<const Node>& node,
                                         const SearchContext& context) const {
  auto candidate = on_subsets(node, context)->find(node->varying_columns());
  if (!candidate || !candidate->separates) return std::nullopt;
  return std::move(candidate->split);
}

std::unique_ptr<SubsetSearch> LinearMachine::on_subsets(const std::shared_ptr<const Node>& node,
                                                        const SearchContext& context) const {
  return std::make_unique<MachineOnSubsets>(*learner_, node, superclasses_, context);
}

}  // namespace aslant

#include "boosting/boosting.hpp"

#include <utility>

#include "support/rng.hpp"

namespace aslant {

Boosting::Boosting(std::shared_ptr<BinnedFeatures> binned, std::shared_ptr<const Loss> loss,
                   LossRows rows, std::vector<double> raw, BoostingSettings settings)
    : binned_(std::move(binned)),
      loss_(std::move(loss)),
      rows_(std::move(rows)),
      raw_(std::move(raw)),
      settings_(std::move(settings)),
      derivatives_(raw_.size()) {}

std::vector<BoostedTree> Boosting::grow(std::uint64_t key, int n_threads,
                                        std::function<void()> look_outside) {
  Supervisor supervisor(std::move(look_outside));
  ThreadPool pool(n_threads, supervisor);
  loss_->derive(rows_, raw_.data(), derivatives_.data(), pool);
  BoostingGrower grower(*binned_, settings_, pool, supervisor, memory_);
  const std::size_t n = rows_.size();
  std::vector<BoostedTree> trees;
  updated_ = raw_;  // an interrupted round changes nothing
  for (int k = 0; k < loss_->n_outputs(); ++k) {
    BoostedTree tree = grower.grow(&derivatives_[k * n], rows_.weight, subkey(key, k));
    if (!loss_->has_newton_leaves()) set_leaf_values(tree, grower.rows(), &raw_[k * n]);
    for (std::size_t node = 0; node < tree.value.size(); ++node) {
      if (!tree.is_leaf(node)) continue;
      for (std::size_t i = tree.leaf_begin[node]; i < tree.leaf_end[node]; ++i)
        updated_[k * n + grower.rows()[i]] += tree.value[node];
    }
    trees.push_back(std::move(tree));
  }
  raw_.swap(updated_);
  n_directions_ += grower.n_directions();
  return trees;
}

void Boosting::set_leaf_values(BoostedTree& tree, const std::vector<std::uint32_t>& rows,
                               const double* raw) const {
  for (std::size_t node = 0; node < tree.value.size(); ++node) {
    std::vector<double> rest, weight;
    for (std::size_t i = tree.leaf_begin[node]; i < tree.leaf_end[node]; ++i) {
      rest.push_back(rows_.y[rows[i]] - raw[rows[i]]);
      if (!rows_.weight.empty()) weight.push_back(rows_.weight[rows[i]]);
    }
    tree.value[node] = settings_.learning_rate * loss_->leaf_value(std::move(rest), weight);
  }
}

}  // namespace aslant

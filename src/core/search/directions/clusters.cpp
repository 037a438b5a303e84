// Bisecting k-means: M. Steinbach, G. Karypis and V. Kumar, A comparison of document clustering
// techniques, KDD workshop on text mining, 2000. A part is first cut at its mean across its
// direction of greatest spread (D. Boley, Principal direction divisive partitioning, Data Mining
// and Knowledge Discovery 2, 1998), then refined by 2-means, without random starts.
//
// Two halves are separate clusters if they explain more than three quarters of the variance along
// the line through their means: halves of a uniform distribution explain that much, halves of other
// symmetric unimodal distributions less.

#include "search/directions/clusters.hpp"

#include <algorithm>
#include <numeric>

#include "node/moments.hpp"
#include "support/lapack.hpp"

namespace aslant {

namespace {

using Vector = std::vector<double>;
using Rows = std::vector<std::uint32_t>;

constexpr double kExplainedByUniform = 0.75;
constexpr int kMostSteps = 50;  // 2-means converges in a few

struct Cluster {
  Rows rows;
  Moments moments;

  double scatter() const {
    double trace = 0.0;
    const std::size_t width = moments.mean.size();
    for (std::size_t j = 0; j < width; ++j) trace += moments.scatter[j * width + j];
    return trace;
  }
};

class Halving {
 public:
  Halving(const Node& node, const std::vector<int>& columns, const Cluster& whole)
      : node_(node), columns_(columns), whole_(whole) {
    Vector scatter = whole.moments.scatter;
    cut(dominant_eigenvector(scatter, static_cast<int>(columns.size())), whole.moments.mean);
    for (int step = 0; step < kMostSteps && !one_is_empty(); ++step) {
      const Rows before = halves_[1];
      const Vector mean0 = means_of(node_, columns_, halves_[0]),
                   mean1 = means_of(node_, columns_, halves_[1]);
      Vector across(mean0.size()), middle(mean0.size());
      for (std::size_t j = 0; j < mean0.size(); ++j) {
        across[j] = mean1[j] - mean0[j];
        middle[j] = (mean0[j] + mean1[j]) / 2.0;
      }
      cut(across, middle);
      if (halves_[1] == before) break;
    }
  }

  bool one_is_empty() const { return halves_[0].empty() || halves_[1].empty(); }

  // Share of the variance along the line through the means that is between the halves.
  double explained() const {
    const Vector mean0 = means_of(node_, columns_, halves_[0]),
                 mean1 = means_of(node_, columns_, halves_[1]);
    const std::size_t width = mean0.size();
    double squared_distance = 0.0, along = 0.0;
    for (std::size_t i = 0; i < width; ++i) {
      const double gap = mean1[i] - mean0[i];
      squared_distance += gap * gap;
      for (std::size_t j = 0; j < width; ++j)
        along += gap * (mean1[j] - mean0[j]) * whole_.moments.scatter[i * width + j];
    }
    const double weight0 = weight_of(halves_[0]), weight1 = weight_of(halves_[1]);
    const double between =
        weight0 * weight1 / (weight0 + weight1) * squared_distance * squared_distance;
    return along > 0.0 ? between / along : 0.0;
  }

  Cluster half(int which) const {
    return {halves_[which], moments(node_, columns_, halves_[which])};
  }

 private:
  // Half 1: the rows beyond `place` in this direction.
  void cut(const Vector& direction, const Vector& place) {
    const Rows& rows = whole_.rows;
    Vector beyond(rows.size(), 0.0);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const double* x = node_.column(columns_[j]);
      for (std::size_t r = 0; r < rows.size(); ++r)
        beyond[r] += direction[j] * (x[rows[r]] - place[j]);
    }
    halves_[0].clear();
    halves_[1].clear();
    for (std::size_t r = 0; r < rows.size(); ++r) halves_[beyond[r] > 0.0].push_back(rows[r]);
  }

  double weight_of(const Rows& rows) const {
    double sum = 0.0;
    for (std::uint32_t row : rows) sum += node_.weight_of(row);
    return sum;
  }

  const Node& node_;
  const std::vector<int>& columns_;
  const Cluster& whole_;
  Rows halves_[2];
};

}  // namespace

std::vector<Rows> clusters(const Node& node, const std::vector<int>& columns, const Rows& rows,
                           int n_clusters) {
  const bool as_many_as_there_are = n_clusters == kAsManyAsThereAre;
  const std::size_t most = as_many_as_there_are ? kMostClusters : n_clusters;
  std::vector<Cluster> open = {{rows, moments(node, columns, rows)}};
  std::vector<Rows> whole;  // parts that are not divided further
  while (!open.empty() && open.size() + whole.size() < most) {
    const auto widest = std::max_element(
        open.begin(), open.end(),
        [](const Cluster& a, const Cluster& b) { return a.scatter() < b.scatter(); });
    const Cluster part = std::move(*widest);
    open.erase(widest);
    const Halving halving(node, columns, part);
    const bool divides = !halving.one_is_empty() &&
                         (!as_many_as_there_are || halving.explained() > kExplainedByUniform);
    if (divides) {
      open.push_back(halving.half(0));
      open.push_back(halving.half(1));
    } else {
      whole.push_back(part.rows);
    }
  }
  for (Cluster& part : open) whole.push_back(std::move(part.rows));
  return whole;
}

}  // namespace aslant

// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 3.1, with regression targets: ridge regression gives the direction, the exact line search
// the threshold. Several outputs are reduced to the first principal axis of their predictions.

#include "search/least_squares_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "learn/least_squares.hpp"
#include "node/partition.hpp"
#include "search/directions/principal_axis.hpp"
#include "support/multiversion.hpp"
#include "support/registry.hpp"
#include "support/workspace.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

class RegressionOnSubsets : public SubsetSearch {
 public:
  RegressionOnSubsets(NodePointer node, double ridge, const SearchContext& context)
      : node_(std::move(node)),
        context_(context),
        line_(node_->line_search()),
        session_(regression_session(node_, ridge * node_->target().total_weight())) {}

  std::optional<Candidate> find(const std::vector<int>& columns) override {
    if (columns.empty()) return std::nullopt;
    context_.supervisor.check();
    ++context_.hyperplanes;
    const Learned learned = session_->learn(columns);
    const int k = node_->target().n_outputs();
    const std::vector<double> axis = principal_axis(learned.outputs, k, node_->target());
    std::vector<double> weights(columns.size() + 1, 0.0), projections(node_->n_rows(), 0.0);
    for (int q = 0; q < k; ++q) {
      for (std::size_t c = 0; c < weights.size(); ++c)
        weights[c] += axis[q] * learned.weights[q * weights.size() + c];
      for (std::size_t i = 0; i < projections.size(); ++i)
        projections[i] += axis[q] * learned.outputs[q * projections.size() + i];
    }
    return candidate(columns, weights, projections);
  }

  void settle_on(const std::vector<int>& columns) override { session_->settle_on(columns); }

 private:
  // Projections include the constant, the first weight.
  std::optional<Candidate> candidate(const std::vector<int>& columns,
                                     const std::vector<double>& weights,
                                     const std::vector<double>& projections) const {
    Candidate candidate;
    for (std::size_t c = 0; c < columns.size(); ++c)
      candidate.split.add(columns[c], weights[c + 1]);
    const auto best = line_.threshold(projections.data(), rounding(projections));
    candidate.split.end_vector(best ? best->alpha - weights[0] : -weights[0]);
    if (best) {
      candidate.split.score = best->score;
      candidate.separates = true;
      candidate.accuracy =
          node_->target().accuracy(parts_by(node_->target(), 2, [&](std::size_t i) {
            return projections[i] <= best->alpha ? 0 : 1;
          }));
    }
    if (!candidate.split.finite()) return std::nullopt;
    return candidate;
  }

  NodePointer node_;
  SearchContext context_;
  LineSearch line_;
  std::unique_ptr<FitSession> session_;
};

}  // namespace

std::optional<Split> LeastSquaresSplit::find(const NodePointer& node,
                                             const SearchContext& context) const {
  auto candidate = on_subsets(node, context)->find(node->columns().varying());
  if (!candidate || !candidate->separates) return std::nullopt;
  return std::move(candidate->split);
}

std::unique_ptr<SubsetSearch> LeastSquaresSplit::on_subsets(const NodePointer& node,
                                                            const SearchContext& context) const {
  node->target().regression();  // rejects classes
  return std::make_unique<RegressionOnSubsets>(node, ridge_, context);
}

namespace {

// Upper triangle of the products of vectors `length` apart, a multiple of kLanes; four at a time.
ASLANT_MULTIVERSION
void multiply_all(const double* vectors, int count, std::size_t length, double* products) {
  for (int p = 0; p < count; ++p) {
    const double* x = vectors + p * length;
    for (int q = p; q < count; q += 4) {
      const double* y[4];
      for (int k = 0; k < 4; ++k) y[k] = vectors + std::min(q + k, count - 1) * length;
      Lanes sum[4] = {};
      for (std::size_t i = 0; i < length; i += kLanes)
        for (int k = 0; k < 4; ++k) add_products(x + i, y[k] + i, sum[k]);
      for (int k = 0; k < std::min(4, count - q); ++k)
        products[static_cast<std::size_t>(p) * count + q + k] = total(sum[k]);
    }
  }
}

// Ridge regression with reused memory. Solves the smaller of two systems: with standardized rows Z,
// each times the root of its weight, W = (Z'Z + ridge I)^-1 Z'y = Z' (Z Z' + ridge I)^-1 y. The
// constant is the mean target, as the columns have mean 0.
class SmallRegression {
 public:
  // Returns the projections of the rows.
  const std::vector<double>& fit(const NodeView& node, double ridge) {
    n_ = node.n_rows();
    d_ = static_cast<std::size_t>(node.n_features());
    outputs_ = node.rows().width - 1;
    standardise(node);
    weights_.assign(outputs_ * d_, 0.0);
    if (n_ <= d_)
      solve_by_rows(node.rows(), ridge * node.rows().total[0]);
    else
      solve_by_columns(node.rows(), ridge * node.rows().total[0]);
    project(node.rows());
    return projections_;
  }

  // Writes projection <= threshold in the units of the columns.
  void write(const NodeView& node, double threshold, Split& split) const {
    split.clear();
    for (std::size_t j = 0; j < d_; ++j) {
      if (!(deviation_[j] > 0.0)) continue;
      const double coef = direction_[j] / deviation_[j];
      split.add(node.first_column(static_cast<int>(j)), coef);
      threshold += coef * mean_[j];
    }
    split.end_vector(threshold);
  }

 private:
  // Subtracts the first row first, so constant columns become exactly zero.
  void standardise(const NodeView& node) {
    const SweepRows& rows = node.rows();
    all_.resize(d_);
    std::iota(all_.begin(), all_.end(), 0);
    values_.resize(n_ * d_);
    node.read(all_.data(), static_cast<int>(d_), values_.data());
    mean_.resize(d_);
    deviation_.resize(d_);
    root_.resize(n_);
    for (std::size_t i = 0; i < n_; ++i) root_[i] = std::sqrt(rows.weight_of(i));
    for (std::size_t j = 0; j < d_; ++j) {
      double* x = &values_[j * n_];
      const double first = x[0];
      double sum = 0.0, squares = 0.0;
      for (std::size_t i = 0; i < n_; ++i) sum += rows.weight_of(i) * (x[i] -= first);
      const double mean = sum / rows.total[0];
      for (std::size_t i = 0; i < n_; ++i) {
        x[i] -= mean;
        squares += rows.weight_of(i) * (x[i] * x[i]);
      }
      mean_[j] = first + mean;
      deviation_[j] = std::sqrt(squares / rows.total[0]);
      const double scale = deviation_[j] > 0.0 ? 1.0 / deviation_[j] : 0.0;
      for (std::size_t i = 0; i < n_; ++i) x[i] *= scale * root_[i];
    }
  }

  double centred(const SweepRows& rows, std::size_t i, int q) const {
    return rows.target[i * outputs_ + q] - rows.total[q + 1] / rows.total[0];
  }

  static std::size_t whole_lanes(std::size_t length) {
    return (length + kLanes - 1) / kLanes * kLanes;
  }

  // The products of the vectors, with the ridge on the diagonal.
  void multiply(std::size_t count, std::size_t length, double ridge) {
    left_.resize(count * count);
    multiply_all(vectors_.data(), static_cast<int>(count), length, left_.data());
    for (std::size_t p = 0; p < count; ++p) left_[p * count + p] += ridge;
  }

  void solve_by_rows(const SweepRows& rows, double ridge) {
    const std::size_t length = whole_lanes(d_);
    vectors_.assign(n_ * length, 0.0);
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t i = 0; i < n_; ++i) vectors_[i * length + j] = values_[j * n_ + i];
    multiply(n_, length, ridge);
    right_.resize(outputs_ * n_);
    for (int q = 0; q < outputs_; ++q)
      for (std::size_t i = 0; i < n_; ++i) right_[q * n_ + i] = root_[i] * centred(rows, i, q);
    solve_ridge(left_, right_, static_cast<int>(n_), ridge);
    for (int q = 0; q < outputs_; ++q)
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < d_; ++j)
          weights_[q * d_ + j] += right_[q * n_ + i] * vectors_[i * length + j];
  }

  void solve_by_columns(const SweepRows& rows, double ridge) {
    const std::size_t length = whole_lanes(n_);
    vectors_.assign(d_ * length, 0.0);
    for (std::size_t j = 0; j < d_; ++j) std::copy_n(&values_[j * n_], n_, &vectors_[j * length]);
    multiply(d_, length, ridge);
    for (int q = 0; q < outputs_; ++q)
      for (std::size_t i = 0; i < n_; ++i) {
        const double y = root_[i] * centred(rows, i, q);
        for (std::size_t j = 0; j < d_; ++j) weights_[q * d_ + j] += y * vectors_[j * length + i];
      }
    solve_ridge(left_, weights_, static_cast<int>(d_), ridge);
  }

  void project(const SweepRows& rows) {
    fitted_.assign(outputs_ * n_, 0.0);
    for (int q = 0; q < outputs_; ++q)
      for (std::size_t j = 0; j < d_; ++j)
        for (std::size_t i = 0; i < n_; ++i)
          fitted_[q * n_ + i] += weights_[q * d_ + j] * values_[j * n_ + i];
    for (std::size_t i = 0; i < fitted_.size(); ++i) fitted_[i] /= root_[i % n_];
    const std::vector<double> axis = principal_axis(fitted_, outputs_, rows);
    projections_.assign(n_, 0.0);
    direction_.assign(d_, 0.0);
    for (int q = 0; q < outputs_; ++q) {
      for (std::size_t i = 0; i < n_; ++i) projections_[i] += axis[q] * fitted_[q * n_ + i];
      for (std::size_t j = 0; j < d_; ++j) direction_[j] += axis[q] * weights_[q * d_ + j];
    }
  }

  std::size_t n_ = 0, d_ = 0;
  int outputs_ = 1;
  std::vector<int> all_;
  std::vector<double> values_;   // column-major: standardized, times root weights
  std::vector<double> vectors_;  // the same by rows or by columns, zero-padded
  std::vector<double> mean_, deviation_, root_, left_, right_, weights_;
  std::vector<double> fitted_, projections_, direction_;
};

}  // namespace

bool LeastSquaresOfFewRows::find_in(const NodeView& node, const SearchContext& context,
                                    Split& split) const {
  SmallRegression& regression = Workspace::get<SmallRegression>();
  context.hyperplanes += 1;
  const std::vector<double>& projections = regression.fit(node, ridge_);
  const bool finite = std::all_of(projections.begin(), projections.end(),
                                  [](double place) { return std::isfinite(place); });
  if (!finite) return false;
  const LineSearch search(node.rows(), node.criterion(), node.limits());
  const auto best = search.threshold(projections.data(), rounding(projections));
  if (!best) return false;
  regression.write(node, best->alpha, split);
  split.score = best->score;
  return true;
}

namespace {

const RegisteredSearch least_squares_split_registered("LeastSquaresSplit", [](Options& options) {
  return std::make_shared<LeastSquaresSplit>(options.number("ridge"));
});

}  // namespace

}  // namespace aslant

// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 3.1, after P. Young, Recursive Estimation and Time-Series Analysis, 1984.
//
// Cycling k times through the rows with the recursion P <- P - P x x'P / (1 + x'P x),
// W <- W - P x (x'W - y), from W = 0 and P = v I, ends exactly at W = (X'X + I / (k v))^-1 X'y,
// whatever the order of the rows. With M the inverse, a column j is dropped by
//   W <- W - (W_j / M_jj) M_j,   M <- M - M_j M_j' / M_jj,
// and XM, if it is kept as well, gives the outputs without column j in one pass over the rows:
//   XW <- XW - (W_j / M_jj) (XM)_j.
// So elimination never refits. The systems are too small for LAPACK, whose threads cost more.

#include "learn/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/levels.hpp"
#include "node/moments.hpp"
#include "search/directions/shrinkage.hpp"
#include "support/multiversion.hpp"
#include "support/registry.hpp"
#include "tree/lanes.hpp"

namespace aslant {

namespace {

using Vector = std::vector<double>;

// The normal equations over the constant and the varying columns.
struct NormalEquations {
  std::vector<int> columns;  // place p > 0 is columns[p - 1], place 0 the constant
  std::size_t size = 0, n_vectors = 0;
  double ridge = 0.0;
  Vector gram;   // X'X + ridge, size x size
  Vector right;  // X'y, one vector of `size` after the other
};

// Weighted sum of x (null: 1) per target. A vector's desired output is +1 for its target, else -1.
std::vector<double> sums_by_target(const Node& node, const Targets& targets, const double* x) {
  std::vector<double> sums(targets.count(), 0.0);
  const std::vector<std::int32_t>& label = node.target().label();
  for (std::size_t i = 0; i < label.size(); ++i)
    sums[targets.of_class[label[i]]] += node.weight_of(i) * (x ? x[i] : 1.0);
  return sums;
}

// The ridge that is equivalent to shrinking the covariance, without the constant:
// ((1 - s) S + s m I)^-1 is (S + m s / (1 - s) I)^-1 up to a factor.
double ridge_of_shrinkage(const Moments& moments) {
  constexpr double kMost = 1.0 - 1e-6;
  const std::size_t d = moments.mean.size();
  double trace = 0.0;
  for (std::size_t j = 0; j < d; ++j) trace += moments.scatter[j * d + j];
  const double squares = std::inner_product(moments.scatter.begin(), moments.scatter.end(),
                                            moments.scatter.begin(), 0.0);
  const double share =
      std::min(kMost, oas_shrinkage(trace, squares, static_cast<double>(d), moments.weight));
  return share / (1.0 - share) * trace / static_cast<double>(d);
}

NormalEquations normal_equations(const Node& node, const Targets& targets, double ridge,
                                 bool shrinks) {
  NormalEquations equations;
  equations.columns = node.columns().varying();
  const std::size_t size = equations.size = equations.columns.size() + 1;
  equations.n_vectors = targets.n_vectors();
  equations.ridge = ridge;
  Moments about_mean = moments(node, equations.columns, all_rows(node));
  Vector mean = {1.0};
  mean.insert(mean.end(), about_mean.mean.begin(), about_mean.mean.end());
  equations.gram.assign(size * size, 0.0);
  for (std::size_t p = 0; p < size; ++p)
    for (std::size_t q = 0; q < size; ++q)
      equations.gram[p * size + q] =
          about_mean.weight * mean[p] * mean[q] +
          (p > 0 && q > 0 ? about_mean.scatter[(p - 1) * (size - 1) + q - 1] : 0.0) +
          (p == q ? ridge : 0.0);
  if (shrinks && are_cases_few(node, size - 1, Enough::for_discriminants)) {
    const double more = ridge_of_shrinkage(about_mean);
    for (std::size_t p = 1; p < size; ++p) equations.gram[p * size + p] += more;
  }
  equations.right.assign(equations.n_vectors * size, 0.0);
  for (std::size_t p = 0; p < size; ++p) {
    const double* x = p > 0 ? node.column(equations.columns[p - 1]) : nullptr;
    const std::vector<double> of_target = sums_by_target(node, targets, x);
    double all = 0.0;  // by rows: independent of class numbering
    for (std::size_t i = 0; i < node.n_rows(); ++i) all += node.weight_of(i) * (x ? x[i] : 1.0);
    // Swapping two targets negates the result exactly.
    for (std::size_t v = 0; v < equations.n_vectors; ++v)
      equations.right[v * size + p] =
          of_target[v] - (targets.count() == 2 ? of_target[1 - v] : all - of_target[v]);
  }
  return equations;
}

ASLANT_MULTIVERSION
double dot(const double* a, const double* b, std::size_t n) {
  Lanes sum = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) add_products(a + i, b + i, sum);
  double all = total(sum);
  for (; i < n; ++i) all += a[i] * b[i];
  return all;
}

// Standardized columns have means near zero, so products need no centering.
NormalEquations normal_equations_of_numbers(const Node& node, double ridge) {
  const NodeTarget& target = node.target();
  const std::size_t n = node.n_rows();
  NormalEquations equations;
  equations.columns = node.columns().varying();
  const std::size_t width = equations.columns.size(), size = equations.size = width + 1;
  equations.n_vectors = target.n_outputs();
  equations.ridge = ridge;
  Vector weight(n);
  for (std::size_t i = 0; i < n; ++i) weight[i] = node.weight_of(i);
  const Vector products =
      scatter_about(node, equations.columns, all_rows(node), Vector(width, 0.0), weight);
  equations.gram.assign(size * size, 0.0);
  equations.gram[0] = target.total_weight() + ridge;
  for (std::size_t p = 1; p < size; ++p) {
    std::copy_n(&products[(p - 1) * width], width, &equations.gram[p * size + 1]);
    equations.gram[p * size + p] += ridge;
    equations.gram[p] = equations.gram[p * size] =
        dot(weight.data(), node.column(equations.columns[p - 1]), n);
  }
  equations.right.assign(equations.n_vectors * size, 0.0);
  Vector weighted(n);
  for (int q = 0; q < target.n_outputs(); ++q) {
    double* right = &equations.right[q * size];
    for (std::size_t i = 0; i < n; ++i)
      right[0] += weighted[i] = weight[i] * (target.value(i, q) - target.mean(q));
    for (std::size_t p = 1; p < size; ++p)
      right[p] = dot(weighted.data(), node.column(equations.columns[p - 1]), n);
  }
  return equations;
}

// row <- row - factor * other
ASLANT_MULTIVERSION
void subtract_multiple(const double* other, double factor, int n, double* row) {
  for (int r = 0; r < n; ++r) row[r] -= factor * other[r];
}

}  // namespace

void solve_ridge(Vector& left, Vector& right, int size, double ridge) {
  const int n_vectors = static_cast<int>(right.size()) / size;
  const auto row = [&left, size](int p) { return &left[static_cast<std::size_t>(p) * size]; };
  for (int p = 0; p < size; ++p) {
    double& pivot = row(p)[p];
    pivot = std::max(pivot, ridge);  // as in the sweeps below
    for (int q = p + 1; q < size; ++q) {
      const double factor = row(p)[q] / pivot;
      subtract_multiple(row(p) + q, factor, size - q, row(q) + q);  // above the diagonal
      for (int v = 0; v < n_vectors; ++v) right[v * size + q] -= factor * right[v * size + p];
    }
  }
  for (int v = 0; v < n_vectors; ++v)
    for (int p = size; p-- > 0;) {
      double& weight = right[v * size + p];
      for (int q = p + 1; q < size; ++q) weight -= row(p)[q] * right[v * size + q];
      weight /= row(p)[p];
    }
}

namespace {

Learned with_outputs(const Node& node, const std::vector<int>& columns, Vector weights) {
  Vector outputs = outputs_of(node, columns, weights);
  return {std::move(weights), std::move(outputs)};
}

// Solves for all places at once if none is dropped or added: a sixth of the work of sweeping.
Learned solved(const Node& node, const NormalEquations& equations) {
  Vector left = equations.gram, weights = equations.right;
  solve_ridge(left, weights, static_cast<int>(equations.size), equations.ridge);
  return with_outputs(node, equations.columns, std::move(weights));
}

// The same from a rows-by-rows matrix, if rows are fewer than columns:
// W = X' (X X' + ridge I)^-1 y, each row times the root of its weight.
Learned solved_by_rows(const Node& node, const std::vector<int>& columns, double ridge) {
  const std::size_t n = node.n_rows(), size = columns.size() + 1;
  const NodeTarget& target = node.target();
  const auto outputs = static_cast<std::size_t>(target.n_outputs());
  Vector root(n), scaled(n), left(n * n, 0.0), right(outputs * n), weights(outputs * size);
  for (std::size_t i = 0; i < n; ++i) root[i] = std::sqrt(node.weight_of(i));
  const auto scale = [&](std::size_t place) {
    const double* x = place > 0 ? node.column(columns[place - 1]) : nullptr;
    for (std::size_t i = 0; i < n; ++i) scaled[i] = x ? root[i] * x[i] : root[i];
  };
  for (std::size_t place = 0; place < size; ++place) {
    scale(place);
    for (std::size_t i = 0; i < n; ++i)
      subtract_multiple(scaled.data(), -scaled[i], static_cast<int>(n), &left[i * n]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    left[i * n + i] += ridge;
    for (std::size_t q = 0; q < outputs; ++q)
      right[q * n + i] =
          root[i] * (target.value(i, static_cast<int>(q)) - target.mean(static_cast<int>(q)));
  }
  solve_ridge(left, right, static_cast<int>(n), ridge);
  for (std::size_t place = 0; place < size; ++place) {
    scale(place);
    for (std::size_t q = 0; q < outputs; ++q)
      for (std::size_t i = 0; i < n; ++i) weights[q * size + place] += scaled[i] * right[q * n + i];
  }
  return with_outputs(node, columns, std::move(weights));
}

// The solution over some of the places, to which one can be added and from which one can be
// dropped. The matrix is swept on the places in use (J. H. Goodnight, A tutorial on the SWEEP
// operator, 1979): among these it holds minus the inverse M, between them and another place j the
// coefficients of column j on theirs, and among the others the residual products. The right-hand
// sides become the weights of the places in use. One sweep adds or drops a place.
class Solution {
 public:
  Solution(const Node& node, const NormalEquations& equations, const std::vector<int>& places)
      : node_(node), equations_(equations), swept_(equations.gram), right_(equations.right) {
    for (int place : places) sweep(place, 1.0);
    places_ = places;
    outputs_.assign(equations.n_vectors * node.n_rows(), 0.0);
    for (std::size_t v = 0; v < equations.n_vectors; ++v)
      for (int place : places_) add_column(place, right(v, place), outputs_of(v, outputs_));
  }

  const std::vector<int>& places() const { return places_; }

  Learned learned() const {
    Learned learned{{}, outputs_};
    for (std::size_t v = 0; v < equations_.n_vectors; ++v)
      for (int place : places_) learned.weights.push_back(right(v, place));
    return learned;
  }

  // W <- W - (W_j / M_jj) M_j.
  Learned without(int dropped) {
    if (++asked_ == 2 && product_.empty()) multiply();  // a single query is faster without
    Learned learned{{}, outputs_};
    for (std::size_t v = 0; v < equations_.n_vectors; ++v) {
      const double factor = right(v, dropped) / swept(dropped, dropped);
      for (int place : places_)
        if (place != dropped)
          learned.weights.push_back(right(v, place) - factor * swept(place, dropped));
      add_inverse_column(dropped, factor, outputs_of(v, learned.outputs));
    }
    return learned;
  }

  // The new weight is the residual right-hand side over the residual of the column; the other
  // weights decrease by what they explain of it.
  Learned with(int added) const {
    Learned learned{{}, outputs_};
    for (std::size_t v = 0; v < equations_.n_vectors; ++v) {
      const double weight = right(v, added) / pivot(added);
      double* out = outputs_of(v, learned.outputs);
      for (int place : places_) add_column(place, -weight * swept(place, added), out);
      add_column(added, weight, out);
      for (int place : enlarged(added))
        learned.weights.push_back(place == added ? weight
                                                 : right(v, place) - weight * swept(place, added));
    }
    return learned;
  }

  void drop(int dropped) {
    outputs_ = rest_of_outputs(dropped);
    if (!product_.empty()) drop_from_product(dropped);
    sweep(dropped, -1.0);
    places_.erase(std::find(places_.begin(), places_.end(), dropped));
    asked_ = 0;
  }

  void add(int added) {
    outputs_ = with(added).outputs;
    places_ = enlarged(added);
    sweep(added, 1.0);
    product_.clear();
    asked_ = 0;
  }

 private:
  double swept(int p, int q) const { return swept_[p * equations_.size + q]; }
  double right(std::size_t v, int p) const { return right_[v * equations_.size + p]; }
  double* outputs_of(std::size_t v, Vector& outputs) const { return &outputs[v * node_.n_rows()]; }

  // At least the ridge, despite rounding.
  double pivot(int p) const { return std::max(swept(p, p), equations_.ridge); }

  std::vector<int> enlarged(int added) const {
    std::vector<int> more = places_;
    more.insert(std::upper_bound(more.begin(), more.end(), added), added);
    return more;
  }

  // direction 1 adds a place, -1 drops it.
  void sweep(int p, double direction) {
    const auto size = static_cast<int>(equations_.size);
    const double d = direction > 0.0 ? pivot(p) : swept(p, p);
    Vector column(size);
    for (int q = 0; q < size; ++q) column[q] = swept(q, p);
    for (int q = 0; q < size; ++q) {
      if (q == p) continue;
      const double factor = column[q] / d;
      subtract_multiple(column.data(), factor, size, &swept_[q * size]);  // column p is set below
      for (std::size_t v = 0; v < equations_.n_vectors; ++v)
        right_[v * size + q] -= factor * right(v, p);
      swept_[q * size + p] = swept_[p * size + q] = direction * factor;
    }
    for (std::size_t v = 0; v < equations_.n_vectors; ++v) right_[v * size + p] *= direction / d;
    swept_[p * size + p] = -1.0 / d;
  }

  void add_column(int place, double factor, double* out) const {
    if (place == 0) {
      for (std::size_t i = 0; i < node_.n_rows(); ++i) out[i] += factor;
      return;
    }
    const double* x = node_.column(equations_.columns[place - 1]);
    for (std::size_t i = 0; i < node_.n_rows(); ++i) out[i] += factor * x[i];
  }

  // Adds a multiple of (XM)_j, where the swept matrix holds -M.
  void add_inverse_column(int place, double factor, double* out) const {
    const std::size_t n = node_.n_rows();
    if (product_.empty()) {
      for (int other : places_) add_column(other, -factor * swept(other, place), out);
      return;
    }
    const double* column = &product_[index_of(place) * n];
    for (std::size_t i = 0; i < n; ++i) out[i] += factor * column[i];
  }

  std::size_t index_of(int place) const {
    return std::lower_bound(places_.begin(), places_.end(), place) - places_.begin();
  }

  void multiply() {
    Vector product(places_.size() * node_.n_rows(), 0.0);
    for (std::size_t a = 0; a < places_.size(); ++a)
      add_inverse_column(places_[a], 1.0, &product[a * node_.n_rows()]);
    product_ = std::move(product);
  }

  Vector rest_of_outputs(int dropped) const {
    Vector outputs = outputs_;
    for (std::size_t v = 0; v < equations_.n_vectors; ++v)
      add_inverse_column(dropped, right(v, dropped) / swept(dropped, dropped),
                         outputs_of(v, outputs));
    return outputs;
  }

  // (XM)_b <- (XM)_b - (M_bj / M_jj) (XM)_j.
  void drop_from_product(int dropped) {
    const std::size_t n = node_.n_rows();
    const Vector column(&product_[index_of(dropped) * n], &product_[index_of(dropped) * n] + n);
    for (std::size_t b = 0; b < places_.size(); ++b) {
      const double factor = swept(places_[b], dropped) / swept(dropped, dropped);
      if (places_[b] == dropped) continue;
      for (std::size_t i = 0; i < n; ++i) product_[b * n + i] -= factor * column[i];
    }
    const auto begin = product_.begin() + index_of(dropped) * n;
    product_.erase(begin, begin + n);
  }

  const Node& node_;
  const NormalEquations& equations_;
  std::vector<int> places_;  // in use, ascending, the constant first
  Vector swept_, right_;     // the matrix and its right-hand sides
  Vector outputs_;           // XW
  Vector product_;           // XM, column-major, once several columns compete to be dropped
  int asked_ = 0;
};

class LeastSquaresSession : public FitSession {
 public:
  LeastSquaresSession(NodePointer node, NormalEquations equations)
      : node_(std::move(node)), equations_(std::move(equations)) {}

  Learned learn(const std::vector<int>& columns) override {
    const std::vector<int> places = places_of(columns);
    if (settled_) {
      if (places == settled_->places()) return settled_->learned();
      if (const int dropped = only_in(settled_->places(), places))
        return settled_->without(dropped);
      if (const int added = only_in(places, settled_->places())) return settled_->with(added);
    }
    if (places.size() == equations_.size) return solved(*node_, equations_);
    return Solution(*node_, equations_, places).learned();
  }

  void settle_on(const std::vector<int>& columns) override {
    const std::vector<int> places = places_of(columns);
    if (!settled_)
      settled_ = std::make_unique<Solution>(*node_, equations_, places);
    else if (const int dropped = only_in(settled_->places(), places))
      settled_->drop(dropped);
    else if (const int added = only_in(places, settled_->places()))
      settled_->add(added);
    else if (places != settled_->places())
      settled_ = std::make_unique<Solution>(*node_, equations_, places);
  }

 private:
  std::vector<int> places_of(const std::vector<int>& columns) const {
    std::vector<int> places = {0};
    for (int column : columns)
      places.push_back(1 + static_cast<int>(std::lower_bound(equations_.columns.begin(),
                                                             equations_.columns.end(), column) -
                                            equations_.columns.begin()));
    return places;
  }

  // The one place in `more` but not in `fewer`; 0, the constant, if they differ otherwise.
  static int only_in(const std::vector<int>& more, const std::vector<int>& fewer) {
    if (more.size() != fewer.size() + 1) return 0;
    const auto differs = std::mismatch(fewer.begin(), fewer.end(), more.begin());
    return std::equal(differs.first, fewer.end(), differs.second + 1) ? *differs.second : 0;
  }

  NodePointer node_;
  NormalEquations equations_;
  std::unique_ptr<Solution> settled_;
};

}  // namespace

std::unique_ptr<FitSession> LeastSquares::begin(const NodePointer& node, const Targets& targets,
                                                const SearchContext&) const {
  const double ridge = 1.0 / (options_.variance * options_.passes);
  return std::make_unique<LeastSquaresSession>(
      node, normal_equations(*node, targets, ridge, options_.shrinks));
}

namespace {

// Most nodes have few rows and are fitted once: builds the normal equations on demand.
class RegressionSession : public FitSession {
 public:
  RegressionSession(NodePointer node, double ridge) : node_(std::move(node)), ridge_(ridge) {}

  Learned learn(const std::vector<int>& columns) override {
    if (!session_ && node_->n_rows() <= columns.size())
      return solved_by_rows(*node_, columns, ridge_);
    return by_columns().learn(columns);
  }
  void settle_on(const std::vector<int>& columns) override { by_columns().settle_on(columns); }

 private:
  FitSession& by_columns() {
    if (!session_)
      session_ =
          std::make_unique<LeastSquaresSession>(node_, normal_equations_of_numbers(*node_, ridge_));
    return *session_;
  }

  NodePointer node_;
  double ridge_;
  std::unique_ptr<FitSession> session_;
};

}  // namespace

std::unique_ptr<FitSession> regression_session(const NodePointer& node, double ridge) {
  return std::make_unique<RegressionSession>(node, ridge);
}

namespace {

const RegisteredLearner least_squares_registered("LeastSquares", [](Options& options) {
  return std::make_shared<LeastSquares>(LeastSquaresOptions{
      options.number("variance"), options.number("passes"), options.flag("shrinks")});
});

}  // namespace

}  // namespace aslant

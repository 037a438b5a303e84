#include "search/on_sample.hpp"

#include "breakpoints.hpp"

namespace aslant {

namespace {

// Every set of `wanted` rows is equally likely (Knuth's algorithm S); they come in order.
std::vector<std::uint32_t> sample_of(std::size_t n, std::size_t wanted, Rng rng) {
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; rows.size() < wanted; ++i)
    if (rng.uniform() * static_cast<double>(n - i) < static_cast<double>(wanted - rows.size()))
      rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

// A hyperplane on its way from the optimum of the sample to one of all rows: the threshold first,
// then one coefficient after the other, as long as the score rises. Columns that the sample gave no
// coefficient stay out.
class Finish {
 public:
  Finish(const Node& node, const SearchContext& context) : node_(node), context_(context) {}

  std::optional<Split> run(const Split& found) {
    coef_.assign(node_.n_columns(), 0.0);
    for (std::size_t c = 0; c < found.columns.size(); ++c) coef_[found.columns[c]] = found.coefs[c];
    Split best;
    if (!node_.best_along(coef_, best)) return std::nullopt;
    if (found.columns.size() > 1) {
      climb(found.columns, best);
      Split climbed;
      if (node_.best_along(coef_, climbed) && climbed.score > best.score) best = climbed;
    }
    best.legacy = found.legacy;
    return best;
  }

 private:
  static constexpr int kCycles = 3;
  static constexpr double kWorthwhile =
      1e-3;  // relative gain of a cycle that is followed by another

  void climb(const std::vector<std::int32_t>& columns, const Split& start) {
    V_ = node_.projection(coef_);
    for (double& value : V_) value -= start.offsets[0];
    R_.resize(V_.size());
    tolerance_ = Node::rounding(V_);
    score_ = start.score;
    for (int cycle = 0; cycle < kCycles; ++cycle) {
      const double before = score_;
      for (std::int32_t column : columns) improve(column);
      if (!(score_ > before * (1.0 + kWorthwhile))) return;
    }
  }

  // The plane turns about the middle of the rows, as in OC1.
  void improve(int column) {
    context_.supervisor.check();
    ++context_.hyperplanes;
    const double* x = node_.column(column);
    const double middle = node_.quantile(column, 0.5);
    for (std::size_t i = 0; i < R_.size(); ++i) R_[i] = x[i] - middle;
    const auto found = node_.line_search().along(V_.data(), R_.data(), tolerance_, score_);
    if (!found || !(found->score > score_)) return;
    coef_[column] += found->alpha;
    score_ = found->score;
    tolerance_ = Node::rounding(add_multiple(V_.size(), found->alpha, R_.data(), V_.data()));
  }

  const Node& node_;
  const SearchContext& context_;
  std::vector<double> coef_, V_, R_;
  double score_ = 0.0, tolerance_ = 0.0;
};

}  // namespace

std::optional<Split> OnSample::find(const std::shared_ptr<const Node>& node,
                                    const SearchContext& context) const {
  if (node->n_rows() <= rows_) return search_->find(node, context);
  const auto sample = std::make_shared<const Node>(
      *node, sample_of(node->n_rows(), rows_, Rng(subkey(context.key, 0))));
  const std::optional<Split> split = search_->find(sample, context.below(1));
  std::optional<Split> finished;
  if (split && split->n_vectors() > 1) {  // a machine stays what the sample taught it
    finished = split;
    finished->score = node->score(node->children_of(*split));
  } else if (split && !split->columns.empty()) {
    finished = Finish(*node, context).run(*split);
  }
  // What a sample does not show, such as a rare class, all rows may.
  return finished ? finished : search_->find(node, context.below(2));
}

}  // namespace aslant

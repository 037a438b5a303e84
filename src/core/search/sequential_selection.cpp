// C. E. Brodley and P. E. Utgoff, Multivariate Decision Trees, Machine Learning 19:45-77, 1995,
// section 4: sequential backward elimination (SBE, table 2), sequential forward selection (SFS,
// table 3), dispersion-guided elimination (DSBE, 4.3), the choice between them (HSS, 4.4) and
// CART's elimination (4.5). The caller standardizes the columns.

#include "search/sequential_selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "node/moments.hpp"
#include "search/capabilities.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

using ColumnSet = std::vector<int>;
using Method = SelectionOptions::Method;

ColumnSet without(const ColumnSet& columns, int dropped) {
  ColumnSet rest;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(rest),
               [dropped](int column) { return column != dropped; });
  return rest;
}

ColumnSet with(const ColumnSet& columns, int added) {
  ColumnSet more = columns;
  more.insert(std::upper_bound(more.begin(), more.end(), added), added);
  return more;
}

// Section 4.3: how well each column separates the branches. For a hyperplane, |coefficient|; for a
// machine, the mean squared distance between the vectors' coefficients, over all pairs:
// 2 (R sum w^2 - (sum w)^2) / (R (R - 1)).
std::vector<double> dispersion(const Split& split, const ColumnSet& columns) {
  const double n_vectors = split.n_vectors();
  std::vector<double> sum(columns.size(), 0.0), squares(columns.size(), 0.0);
  for (std::size_t e = 0; e < split.columns.size(); ++e) {
    const auto place =
        std::lower_bound(columns.begin(), columns.end(), split.columns[e]) - columns.begin();
    sum[place] += split.coefs[e];
    squares[place] += split.coefs[e] * split.coefs[e];
  }
  std::vector<double> result;
  for (std::size_t c = 0; c < columns.size(); ++c)
    result.push_back(split.n_vectors() == 1 ? std::abs(sum[c])
                                            : 2.0 * (n_vectors * squares[c] - sum[c] * sum[c]) /
                                                  (n_vectors * (n_vectors - 1.0)));
  return result;
}

class Selection {
 public:
  Selection(NodePointer node, const Search& search, const SelectionOptions& options,
            const SearchContext& context)
      : node_(std::move(node)),
        options_(options),
        context_(context),
        columns_(node_->columns().varying()),
        distinct_rows_(distinct_rows(
            *node_, static_cast<std::size_t>(std::ceil(rows_needed(columns_.size()))))),
        subsets_(on_subsets(search, node_, context)) {}

  std::optional<Split> run() {
    if (columns_.empty()) return std::nullopt;
    switch (options_.method) {
      case Method::sfs:
        select_forward(best_single());
        break;
      case Method::hss:
        choose_direction();
        break;
      case Method::cart:
        eliminate_as_cart();
        break;
      default:
        eliminate(subsets_->find(columns_));
    }
    if (!best_) return std::nullopt;
    return std::move(best_->split);
  }

 private:
  struct Test {
    ColumnSet columns;
    Candidate found;
  };

  // Section 2.5: fewer distinct rows leave the orientation undetermined.
  double rows_needed(std::size_t n_columns) const {
    return options_.rows_per_feature * static_cast<double>(n_columns);
  }
  bool underfits(std::size_t n_columns) const {
    return static_cast<double>(distinct_rows_) < rows_needed(n_columns);
  }

  // Keeps the best test, of equals the smallest. The discrimination criterion: it divides the rows.
  void consider(const Candidate& candidate, std::size_t n_columns) {
    most_accurate_ = std::max(most_accurate_, candidate.accuracy);
    if (!candidate.separates || underfits(n_columns)) return;
    const bool better = !best_ || candidate.split.score > best_->split.score ||
                        (candidate.split.score == best_->split.score && n_columns < best_size_);
    if (!better) return;
    best_ = candidate;
    best_size_ = n_columns;
  }

  bool too_inaccurate(const Candidate& candidate) const {
    return candidate.accuracy < most_accurate_ - options_.accuracy_drop - 1e-12;
  }

  // SBE and DSBE: drop one column at a time.
  void eliminate(std::optional<Candidate> all) {
    if (!all) return;
    Test current{columns_, std::move(*all)};
    consider(current.found, current.columns.size());
    while (current.columns.size() > 1) {
      std::optional<Test> next = one_less(current);
      if (!next) return;
      consider(next->found, next->columns.size());
      if (too_inaccurate(next->found)) return;
      current = std::move(*next);
    }
  }

  // The best test with one column less, among the columns tried.
  std::optional<Test> one_less(const Test& current) {
    subsets_->settle_on(current.columns);
    std::optional<Test> best;
    for (int column : expendable(current)) {
      context_.supervisor.check();
      ColumnSet rest = without(current.columns, column);
      std::optional<Candidate> found = subsets_->find(rest);
      if (found && (!best || found->split.score > best->found.split.score))
        best = Test{std::move(rest), std::move(*found)};
    }
    return best;
  }

  // Columns by dispersion, least first; as many as the method tries.
  ColumnSet expendable(const Test& current) const {
    std::size_t tried = current.columns.size();
    if (options_.method == Method::dsbe)
      tried = 1;
    else if (options_.shortlist > 0)
      tried = std::min(tried, static_cast<std::size_t>(options_.shortlist));
    const std::vector<double> told = dispersion(current.found.split, current.columns);
    std::vector<std::size_t> order(told.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&told](std::size_t a, std::size_t b) { return told[a] < told[b]; });
    ColumnSet columns;
    for (std::size_t i = 0; i < tried; ++i) columns.push_back(current.columns[order[i]]);
    return columns;
  }

  std::optional<Test> best_single() { return one_more(ColumnSet{}); }

  // SFS: adds one column at a time.
  void select_forward(std::optional<Test> current) {
    while (current) {
      consider(current->found, current->columns.size());
      if (too_inaccurate(current->found) || current->columns.size() == columns_.size() ||
          underfits(current->columns.size() + 1))
        return;
      current = one_more(current->columns);
    }
  }

  std::optional<Test> one_more(const ColumnSet& columns) {
    subsets_->settle_on(columns);
    std::optional<Test> best;
    for (int column : columns_) {
      if (std::binary_search(columns.begin(), columns.end(), column)) continue;
      context_.supervisor.check();
      ColumnSet more = with(columns, column);
      std::optional<Candidate> found = subsets_->find(more);
      if (found && (!best || found->split.score > best->found.split.score))
        best = Test{std::move(more), std::move(*found)};
    }
    return best;
  }

  // HSS: forward if one column scores better than all.
  void choose_direction() {
    std::optional<Candidate> all = subsets_->find(columns_);
    std::optional<Test> single = best_single();
    if (single && (!all || single->found.split.score > all->split.score))
      select_forward(std::move(single));
    else
      eliminate(std::move(all));
  }

  // CART: drops a column if that costs less than beta times the largest loss, keeps the other
  // coefficients and searches the threshold again; refits the remaining coefficients at the end.
  void eliminate_as_cart() {
    std::optional<Candidate> all = subsets_->find(columns_);
    if (!all || !all->separates) return;
    if (all->split.n_vectors() != 1)
      throw std::invalid_argument(
          "CART's elimination needs tests with two branches, got a linear machine with " +
          std::to_string(all->split.n_vectors()));
    Split split = std::move(all->split);
    while (split.columns.size() > 1) {
      std::vector<Split> smaller;
      for (std::size_t c = 0; c < split.columns.size(); ++c)
        smaller.push_back(without_column(split, c));
      const auto [worst, best] =
          std::minmax_element(smaller.begin(), smaller.end(),
                              [](const Split& a, const Split& b) { return a.score < b.score; });
      if (!(split.score - best->score < options_.beta * (split.score - worst->score))) break;
      split = std::move(*best);
    }
    const ColumnSet left(split.columns.begin(), split.columns.end());
    if (left.size() < columns_.size()) {
      std::optional<Candidate> again = subsets_->find(left);
      if (again && again->separates && again->split.score > split.score)
        split = std::move(again->split);
    }
    if (!underfits(left.size())) best_ = Candidate{std::move(split), 0.0, true};
  }

  Split without_column(const Split& split, std::size_t dropped) const {
    context_.supervisor.check();
    context_.hyperplanes += 1;
    std::vector<double> coef = direction_of(*node_, split);
    coef[split.columns[dropped]] = 0.0;
    return node_->best_along(coef).value_or(hyperplane(coef, 0.0, 0.0));
  }

  NodePointer node_;
  const SelectionOptions& options_;
  const SearchContext& context_;
  ColumnSet columns_;
  std::size_t distinct_rows_;  // counted up to rows_needed
  std::unique_ptr<SubsetSearch> subsets_;
  std::optional<Candidate> best_;
  std::size_t best_size_ = 0;
  double most_accurate_ = 0.0;
};

}  // namespace

std::optional<Split> SequentialSelection::find(const NodePointer& node,
                                               const SearchContext& context) const {
  return Selection(node, *search_, options_, context).run();
}

namespace {

const RegisteredSearch sequential_selection_registered("SequentialSelection", [](Options& options) {
  return std::make_shared<SequentialSelection>(
      options.search("search"),
      SelectionOptions{options.choice<Method>("method", {{"sbe", Method::sbe},
                                                         {"sfs", Method::sfs},
                                                         {"dsbe", Method::dsbe},
                                                         {"hss", Method::hss},
                                                         {"cart", Method::cart}}),
                       options.number("accuracy_drop"), options.number("rows_per_feature"),
                       options.count("shortlist"), options.number("beta")});
});

}  // namespace

}  // namespace aslant

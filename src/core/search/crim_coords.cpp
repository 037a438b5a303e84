// W.-Y. Loh and Y.-S. Shih, Split Selection Methods for Classification Trees, Statistica Sinica 7,
// 1997: the levels of a category are scored by the first discriminant coordinate of their
// indicators, which is the first axis of the correspondence analysis of levels against classes.
//
// The score is a linear function of the indicators, so a test w s(x) + ... <= t on scores is the
// test sum_m (w s_m) [x = m] + ... <= t of the node's own columns.

#include "search/crim_coords.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "node/contingency.hpp"
#include "node/moments.hpp"
#include "support/registry.hpp"

namespace aslant {

namespace {

// Class means below this, in deviations, have no sign.
constexpr double kNoSign = 1e-9;

// Standardizes over the rows whose level is known.
void standardise(const Contingency& table, std::vector<double>& score) {
  double weight = 0.0, mean = 0.0, square = 0.0;
  for (std::size_t i = 0; i < score.size(); ++i) {
    weight += table.total(table.present[i]);
    mean += table.total(table.present[i]) * score[i];
  }
  for (double& value : score) value -= mean / weight;
  for (std::size_t i = 0; i < score.size(); ++i)
    square += table.total(table.present[i]) * score[i] * score[i];
  if (!(square > 0.0)) return;
  for (double& value : score) value /= std::sqrt(square / weight);
}

// Whether to flip the signs: the most frequent class gets the smaller mean; without a unique one,
// or at mean 0, the first level gets the smaller score.
bool should_flip(const Node& node, const Contingency& table, const std::vector<double>& score) {
  const std::vector<double>& weight = node.target().class_weight();
  const auto heaviest = std::max_element(weight.begin(), weight.end());
  if (std::count(weight.begin(), weight.end(), *heaviest) == 1) {
    const auto k = static_cast<int>(heaviest - weight.begin());
    double sum = 0.0;
    for (std::size_t i = 0; i < score.size(); ++i) sum += table.at(table.present[i], k) * score[i];
    if (std::abs(sum) > kNoSign * *heaviest) return sum > 0.0;
  }
  const auto first = std::find_if(score.begin(), score.end(),
                                  [](double value) { return std::abs(value) > kNoSign; });
  return first != score.end() && *first > 0.0;
}

// Scores of all levels; 0, the mean, for absent ones.
std::vector<double> level_scores(const Node& node, const Contingency& table, double deviation) {
  std::vector<double> score = first_axis(table);
  std::vector<double> of_level(table.missing, 0.0);
  if (score.empty()) return of_level;
  standardise(table, score);
  const double unit = should_flip(node, table, score) ? -deviation : deviation;
  for (std::size_t i = 0; i < score.size(); ++i) of_level[table.present[i]] = unit * score[i];
  return of_level;
}

double missing_score(const CategoryGroup& group, const std::vector<double>& score) {
  return std::inner_product(group.fill.begin(), group.fill.end(), score.begin(), 0.0);
}

// Moments over unit-weight rows, in time proportional to the levels.
KnownMoments moments_of_scores(const Contingency& table, const std::vector<double>& score,
                               double missing) {
  const auto mean = [&](const auto& value) {
    AccurateSum sum;
    double rows = table.total(table.missing);
    sum.add(value(missing), rows);
    for (int level : table.present) {
      const double times = table.total(level);
      sum.add(value(score[level]), times);
      rows += times;
    }
    return sum.over(rows);
  };
  const double centre = mean([](double x) { return x; });
  const double square = mean([centre](double x) { return (x - centre) * (x - centre); });
  KnownMoments moments{{centre, std::sqrt(square)}, std::vector<double>(table.width, 0.0)};
  for (int k : table.classes) {
    double& sum = moments.class_sum[k];
    sum = table.at(table.missing, k) * (missing - centre);
    for (int level : table.present) sum += table.at(level, k) * (score[level] - centre);
  }
  return moments;
}

// Median deviation of the varying numeric columns, 1 if none. Scores get it too, so searches that
// depend on scale weigh a category like a typical numeric column.
double typical_deviation(std::vector<double> deviations) {
  if (deviations.empty()) return 1.0;
  std::sort(deviations.begin(), deviations.end());
  const std::size_t half = deviations.size() / 2;
  return deviations.size() % 2 == 1 ? deviations[half]
                                    : 0.5 * (deviations[half - 1] + deviations[half]);
}

}  // namespace

ScoredCategories::ScoredCategories(const NodePointer& node) {
  const std::vector<CategoryGroup>& groups = node->columns().groups();
  std::vector<double> deviations;
  for (int j : node->columns().numeric()) {
    columns_.push_back({j, nullptr, {}, std::nullopt});
    if (groups.empty()) continue;
    const double* x = node->column(j);
    if (std::all_of(x, x + node->n_rows(), [x](double value) { return value == x[0]; })) continue;
    columns_.back().known = KnownMoments{spread(*node, j), {}};
    deviations.push_back(columns_.back().known->spread.deviation);
  }
  const double deviation = typical_deviation(std::move(deviations));
  for (const CategoryGroup& group : groups) {
    const Contingency table(*node, group);
    std::vector<double> score = level_scores(*node, table, deviation);
    std::optional<KnownMoments> known;
    if (node->target().has_classes() && node->target().weight().empty())
      known = moments_of_scores(table, score, missing_score(group, score));
    columns_.push_back({group.first_column, &group, std::move(score), std::move(known)});
  }
  make_scored(node);
}

ScoredCategories::ScoredCategories(const NodePointer& node,
                                   const std::vector<std::vector<double>>& scores) {
  const std::vector<CategoryGroup>& groups = node->columns().groups();
  for (int j : node->columns().numeric()) columns_.push_back({j, nullptr, {}, std::nullopt});
  for (std::size_t g = 0; g < groups.size(); ++g)
    columns_.push_back({groups[g].first_column, &groups[g], scores[g], std::nullopt});
  make_scored(node);
}

std::vector<std::vector<double>> ScoredCategories::scores() const {
  std::vector<std::vector<double>> scores;
  for (const Column& column : columns_)
    if (column.category != nullptr) scores.push_back(column.score);
  return scores;
}

void ScoredCategories::make_scored(const NodePointer& node) {
  const std::vector<CategoryGroup>& groups = node->columns().groups();
  std::sort(columns_.begin(), columns_.end(),
            [](const Column& a, const Column& b) { return a.first < b.first; });
  if (groups.empty() && columns_.size() == static_cast<std::size_t>(node->n_columns())) {
    scored_ = node;  // numeric columns stay as they are
    return;
  }
  std::vector<double> values(node->n_rows() * groups.size());
  double* out = values.data();
  std::vector<OwnedColumn> derived;
  for (const Column& column : columns_) {
    derived.push_back({column.category ? out : node->column(column.first), column.known});
    if (column.category == nullptr) continue;
    const double missing = missing_score(*column.category, column.score);
    for (std::int32_t code : column.category->code)
      *out++ = code < 0 ? missing : column.score[code];
  }
  scored_ = node->with_columns(std::move(values), derived);
}

Split ScoredCategories::mapped_back(const Split& split) const {
  Split mapped;
  mapped.score = split.score;
  for (int v = 0; v < split.n_vectors(); ++v) {
    for (std::int64_t e = split.start[v]; e < split.start[v + 1]; ++e) {
      const Column& column = columns_[split.columns[e]];
      if (column.category == nullptr) mapped.add(column.first, split.coefs[e]);
      for (std::size_t level = 0; level < column.score.size(); ++level)
        mapped.add(column.first + static_cast<int>(level), split.coefs[e] * column.score[level]);
    }
    mapped.end_vector(split.offsets[v]);
  }
  return mapped;
}

namespace {

// The inner legacy refers to the scores of its node, so descendants keep them.
struct Scores : Legacy {
  Scores(const Search* owner, std::vector<std::vector<double>> scores,
         std::shared_ptr<const Legacy> left)
      : Legacy(owner), of_categories(std::move(scores)), inner(std::move(left)) {}
  std::vector<std::vector<double>> of_categories;
  std::shared_ptr<const Legacy> inner;
};

}  // namespace

std::optional<Split> CrimCoords::find(const NodePointer& node, const SearchContext& context) const {
  if (node->columns().groups().empty()) return search_->find(node, context);
  const auto* inherited = context.legacy_of<Scores>(*this);
  const ScoredCategories categories =
      inherited ? ScoredCategories(node, inherited->of_categories) : ScoredCategories(node);
  const std::optional<Split> found = search_->find(
      categories.scored(), context.with_legacy(inherited ? inherited->inner : nullptr));
  if (!found) return found;
  Split split = categories.mapped_back(*found);
  if (found->legacy)
    split.legacy = std::make_shared<Scores>(this, categories.scores(), found->legacy);
  return split;
}

namespace {

const RegisteredSearch crim_coords_registered("CrimCoords", [](Options& options) {
  return std::make_shared<CrimCoords>(options.search("search"));
});

}  // namespace

}  // namespace aslant

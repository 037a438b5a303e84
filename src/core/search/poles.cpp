#include "search/poles.hpp"

#include <algorithm>

namespace aslant {

namespace {

bool equal(const Node& node, const Space& space, std::uint32_t a, std::uint32_t b) {
  return std::all_of(space.columns.begin(), space.columns.end(),
                     [&](int j) { return node.column(j)[a] == node.column(j)[b]; });
}

// By values, the first column first; equal rows by class.
void sort_by_value(const Node& node, const Space& space, std::vector<std::uint32_t>& rows) {
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (int j : space.columns) {
      const double* x = node.column(j);
      if (x[a] != x[b]) return x[a] < x[b];
    }
    return node.target().label()[a] < node.target().label()[b];
  });
}

}  // namespace

RowSampler::RowSampler(const Node& node, const Space& space, std::uint64_t key)
    : key_(node.n_rows(), key) {
  for (int j : space.columns) {
    const double* x = node.column(j);
    for (std::size_t i = 0; i < key_.size(); ++i) key_[i] = content_key(key_[i], x[i]);
  }
  distinct_ = key_;
  std::sort(distinct_.begin(), distinct_.end());
  distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());
}

std::vector<std::uint32_t> RowSampler::sample(std::size_t n_distinct) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < key_.size(); ++row)
    if (key_[row] <= distinct_[n_distinct - 1]) rows.push_back(row);
  return rows;
}

std::vector<Pole> distinct_poles(const Node& node, const Space& space,
                                 std::vector<std::uint32_t> rows) {
  sort_by_value(node, space, rows);
  std::vector<Pole> poles;
  for (std::uint32_t row : rows) {
    if (poles.empty() || !equal(node, space, poles.back().row, row))
      poles.push_back({row, node.target().label()[row]});
    else if (node.target().label()[row] != poles.back().only_class)
      poles.back().only_class = -1;
  }
  return poles;
}

std::vector<Voter> voters_among(const Node& node, const Space& space,
                                std::vector<std::uint32_t> rows, bool merge) {
  sort_by_value(node, space, rows);
  std::vector<Voter> voters;
  for (std::uint32_t row : rows) {
    if (merge && !voters.empty() && voters.back().label == node.target().label()[row] &&
        equal(node, space, voters.back().row, row)) {
      voters.back().weight += node.weight_of(row);
      voters.back().n_rows += 1;
    } else {
      voters.push_back({row, node.target().label()[row], node.weight_of(row), 1});
    }
  }
  std::stable_sort(voters.begin(), voters.end(),
                   [](const Voter& a, const Voter& b) { return a.label < b.label; });
  return voters;
}

Nearness::Nearness(const Node& node, const Space& space, const std::vector<Pole>& poles)
    : node_(node),
      space_(space),
      coordinate_(space.columns.size() * poles.size()),
      half_square_(poles.size(), 0.0) {
  for (std::size_t j = 0; j < space.columns.size(); ++j)
    for (std::size_t p = 0; p < poles.size(); ++p) {
      const double z = space.at(node, j, poles[p].row);
      coordinate_[j * poles.size() + p] = z;
      half_square_[p] += z * z / 2.0;
    }
}

void Nearness::of(std::uint32_t row, std::vector<double>& to_pole) const {
  const std::size_t n = half_square_.size();
  for (std::size_t p = 0; p < n; ++p) to_pole[p] = -half_square_[p];
  for (std::size_t j = 0; j < space_.columns.size(); ++j) {
    const double z = space_.at(node_, j, row);
    const double* pole = &coordinate_[j * n];
    for (std::size_t p = 0; p < n; ++p) to_pole[p] += z * pole[p];
  }
}

}  // namespace aslant

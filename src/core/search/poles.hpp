// Poles, voting rows (voters) and their distances. Orders depend on row values only, equal rows are
// one pole, and equal rows of one class one vote. Results do not depend on the order of rows, on
// class names, or on whether copies are weighted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "node/node.hpp"
#include "search/search.hpp"

namespace aslant {

// The columns that define distances, with the unit and origin of each.
struct Space {
  std::vector<int> columns;
  std::vector<double> unit, origin;
  // Smaller differences of squared distances are rounding, here or in prediction.
  double rounding = 0.0;

  double at(const Node& node, std::size_t j, std::uint32_t row) const {
    return (node.column(columns[j])[row] - origin[j]) / unit[j];
  }
};

struct Pole {
  std::uint32_t row;
  std::int32_t only_class;  // of the rows equal to it, -1 if several
};

struct Voter {
  std::uint32_t row;
  std::int32_t label;
  double weight;
  std::int64_t n_rows;  // rows of the node that it represents
};

// Nested random samples, a function of row values and a key; equal rows are drawn together.
class RowSampler {
 public:
  RowSampler(const Node& node, const Space& space, std::uint64_t key);

  std::size_t n_distinct() const { return distinct_.size(); }
  // All copies of `n_distinct` distinct rows; at least as many must exist.
  std::vector<std::uint32_t> sample(std::size_t n_distinct) const;

 private:
  std::vector<std::uint64_t> key_;       // of each row
  std::vector<std::uint64_t> distinct_;  // distinct keys, ascending
};

std::vector<Pole> distinct_poles(const Node& node, const Space& space,
                                 std::vector<std::uint32_t> rows);

// Ordered by class, then by value. Without `merge`, equal rows of one class stay apart.
std::vector<Voter> voters_among(const Node& node, const Space& space,
                                std::vector<std::uint32_t> rows, bool merge);

// Nearness of row C to pole P: C.P - |P|^2 / 2 = (|C|^2 - |C - P|^2) / 2. Its difference between B
// and A is the signed distance to their bisector times |B - A|.
class Nearness {
 public:
  Nearness(const Node& node, const Space& space, const std::vector<Pole>& poles);

  std::size_t n_poles() const { return half_square_.size(); }
  void of(std::uint32_t row, std::vector<double>& to_pole) const;  // to all poles

 private:
  const Node& node_;
  const Space& space_;
  std::vector<double> coordinate_;  // column-major
  std::vector<double> half_square_;
};

// Padding in place of a voting row; its values stay zero.
constexpr std::uint32_t kNobody = ~std::uint32_t{0};

// Nearness, or a function of it, as one array per pole over all voting rows.
template <class Value>
class VotersOfPoles {
 public:
  // `convert(nearness, out)` maps one row's nearness to its values for all poles.
  template <class Convert>
  VotersOfPoles(const Nearness& nearness, const std::vector<std::uint32_t>& voter_rows,
                const SearchContext& context, const Convert& convert)
      : width_(voter_rows.size()), values_(width_ * nearness.n_poles(), Value{}) {
    const std::size_t n_poles = nearness.n_poles();
    const auto fill = [&](int block) {
      context.supervisor.check();
      const std::size_t begin = block * kBlock, n = std::min(kBlock, width_ - begin);
      std::vector<double> to_pole(n_poles);
      std::vector<Value> values(kBlock * n_poles, Value{});
      for (std::size_t i = 0; i < n; ++i) {
        if (voter_rows[begin + i] == kNobody) continue;
        nearness.of(voter_rows[begin + i], to_pole);
        convert(to_pole, &values[i * n_poles]);
      }
      for (std::size_t pole = 0; pole < n_poles; ++pole)
        for (std::size_t i = 0; i < n; ++i)
          values_[pole * width_ + begin + i] = values[i * n_poles + pole];
    };
    context.share(static_cast<int>((width_ + kBlock - 1) / kBlock), values_.size(), fill);
  }

  const Value* of(std::size_t pole) const { return &values_[pole * width_]; }

 private:
  static constexpr std::size_t kBlock = 32;  // rows: a cache line of every pole is written once

  std::size_t width_;
  std::vector<Value> values_;
};

}  // namespace aslant

// Examples, and the weight vectors that are corrected by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aslant {

// Rows with categories. Let B be the row that has the constant, and in each indicator column what
// rows of other levels have. A row Y is B, its numbers x, and for each category the difference D_p
// from B that its level makes, or its lack of one: its pattern p there. Weights that begin at zero
// and to which multiples of rows are added are W = w_0 B + w_x + U, where U is made of such
// differences, so that
//   W.Y = W.B + w_x.x + w_0 sum B.D_p + sum U.D_p.
// W.B and U.D_p of all patterns are kept in place of the weights of indicators. Adding c Y adds
// c Y.B to the one, and c D_p.D_q to those of the patterns q of the same category: differences of
// two levels have no column in common, so that few of them change. A product and a correction cost
// a row about one step for each category, whatever the number of its levels.
struct Patterns {
  struct Effect {
    std::uint32_t pattern;
    double product;  // D_p.D_q
  };
  struct Column {  // what its weight is made of
    std::size_t place;
    std::uint32_t pattern;
    double off, step;
  };

  std::size_t n_categories = 0;
  double squared_base = 1.0;            // B.B
  std::vector<double> along_base;       // B.D_p
  std::vector<double> squared;          // D_p.D_p
  std::vector<std::size_t> effects_of;  // where those of each pattern begin, and where the last end
  std::vector<Effect> effects;
  std::vector<Column> columns;

  std::size_t size() const { return along_base.size(); }
};

// The distinct rows of a node as Y = (1, x), one after the other in a random order. The order is a
// function of the seed and of their values (of a hash: rows that collide count as copies, one time
// in 2^64), so what is learned depends neither on the order of the node's rows, nor on whether
// copies are weighted, nor on how the classes are numbered.
struct Examples {
  int n_targets = 0;
  std::vector<std::size_t> numbers;    // places of the columns that are read one by one
  Patterns patterns;                   // the others
  std::size_t n_columns = 0;           // all of them
  std::size_t width = 0;               // 1, the numbers and, with categories, sum B.D_p
  std::vector<double> rows;            // size() x width
  std::vector<const double*> columns;  // the same, column after column, but for the constant
  std::vector<double> along_base;      // the last of these, with categories
  std::vector<std::uint32_t> levels;   // categories x size(): patterns
  std::vector<int> target;             // 0 wins ties
  std::vector<double> side;            // -1 for target 0, 1 for others
  std::vector<double> weight;          // how often a pass presents the row, on average
  std::vector<double> squared;         // Y . Y

  std::size_t size() const { return target.size(); }
  const double* row(std::size_t i) const { return &rows[i * width]; }
  std::uint32_t level(std::size_t category, std::size_t i) const {
    return levels[category * size() + i];
  }
};

// Weight vectors while they are trained; ties go to the first target. Of two targets the second has
// always the negative of the first one's vector, which alone is kept.
class Machine {
 public:
  explicit Machine(const Examples& examples)
      : examples_(examples),
        n_targets_(examples.n_targets),
        n_vectors_(n_targets_ == 2 ? 1 : n_targets_),
        weights_(n_vectors_ * examples.width, 0.0),
        of_pattern_(n_vectors_ * examples.patterns.size(), 0.0),
        outputs_(kAhead * examples.n_targets, 0.0) {}

  // Finds the products with some rows, as long as the weights stay as they are: the sums of one row
  // wait for each other, those of several do not.
  static constexpr int kAhead = 4;
  void foresee(const std::uint32_t* examples, int n);

  // How many of these rows, from the first on, are right or need a correction of epsilon + reach or
  // more, as far as that is quickly told: some that do may be left, and of more than two targets
  // all are. It is told sooner of rows that are stored in this order.
  std::size_t out_of_reach(const std::uint32_t* examples, std::size_t n, bool as_stored,
                           double reach) const;

  // The target that wins one of these rows; its products are kept for what follows.
  int winner_of(int row) {
    row_ = row;
    int best = 0;
    for (int k = 1; k < n_targets_; ++k)
      if (output(k) > output(best)) best = k;
    return best;
  }
  int winner(std::uint32_t example) {
    foresee(&example, 1);
    return winner_of(0);
  }

  // Where a row is won only by more than any other target has: another than `winner` if there is
  // one as good.
  int strict_winner(int winner) const {
    for (int k = 0; k < n_targets_; ++k)
      if (k != winner && output(k) == output(winner)) return k;
    return winner;
  }

  // (W_j - W_i) . Y / 2 Y . Y + epsilon, for the row that winner_of() saw last: what must be moved
  // from j to i for i to win.
  double correction(int i, int j, double squared, double epsilon) const {
    return (output(j) - output(i)) / (2.0 * squared) + epsilon;
  }

  // W_i += c Y, W_j -= c Y.
  void correct(int i, int j, double c, std::uint32_t example);

  double output(int i) const { return outputs_[i * kAhead + row_]; }

  // A vector per target, over the constant and the columns.
  std::vector<double> weights() const;

 private:
  void add(int vector, double c, std::uint32_t example);

  const Examples& examples_;
  int n_targets_, n_vectors_;
  std::vector<double> weights_;     // of each vector: W.B, those of the numbers, w_0
  std::vector<double> of_pattern_;  // of each vector: U.D_p
  std::vector<double> outputs_;     // of all rows that were foreseen, by target
  int row_ = 0;                     // of these, the one in question
};

}  // namespace aslant

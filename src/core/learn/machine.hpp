// Training examples, and the weight vectors that they correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aslant {

// Rows with categories. B is the row of the constant and, per indicator column, the value of the
// other levels. A row is Y = B + x + sum D_p: numeric values x, and per category the difference D_p
// of its pattern p, a level or a missing value. Weights that start at zero and gain multiples of
// rows are W = w_0 B + w_x + U, where U consists of such differences, so
//   W.Y = W.B + w_x.x + w_0 sum B.D_p + sum U.D_p.
// Stores W.B and U.D_p of all patterns instead of indicator weights. Adding c Y adds c Y.B to W.B,
// and c D_p.D_q to the patterns q of the same category, few of which share a column with p.
// Products and corrections cost about one step per category, whatever the number of levels.
struct Patterns {
  struct Effect {
    std::uint32_t pattern;
    double product;  // D_p.D_q
  };
  struct Column {  // terms of its weight
    std::size_t place;
    std::uint32_t pattern;
    double off, step;
  };

  std::size_t n_categories = 0;
  double squared_base = 1.0;            // B.B
  std::vector<double> along_base;       // B.D_p
  std::vector<double> squared;          // D_p.D_p
  std::vector<std::size_t> effects_of;  // start of each pattern's effects, and the end
  std::vector<Effect> effects;
  std::vector<Column> columns;

  std::size_t size() const { return along_base.size(); }
};

// The distinct rows of a node as Y = (1, x), in a random order that depends on the seed and a hash
// of their values (colliding rows count as copies, one in 2^64). Training depends neither on the
// order of the rows, nor on whether copies are weighted, nor on class numbering.
struct Examples {
  int n_targets = 0;
  std::vector<std::size_t> numbers;    // places of the numeric columns
  Patterns patterns;                   // of the categories
  std::size_t n_columns = 0;           // in total
  std::size_t width = 0;               // 1, the numeric columns and, with categories, sum B.D_p
  std::vector<double> rows;            // size() x width
  std::vector<const double*> columns;  // the same, column-major, without the constant
  std::vector<double> along_base;      // the last column, with categories
  std::vector<std::uint32_t> levels;   // categories x size(): patterns
  std::vector<int> target;             // 0 wins ties
  std::vector<double> side;            // -1 for target 0, 1 for others
  std::vector<double> weight;          // mean presentations per pass
  std::vector<double> squared;         // Y . Y

  std::size_t size() const { return target.size(); }
  const double* row(std::size_t i) const { return &rows[i * width]; }
  std::uint32_t level(std::size_t category, std::size_t i) const {
    return levels[category * size() + i];
  }
};

// Weight vectors in training; ties go to the first target. Of two targets only the first vector is
// stored; the second is its negative.
class Machine {
 public:
  explicit Machine(const Examples& examples)
      : examples_(examples),
        n_targets_(examples.n_targets),
        n_vectors_(n_targets_ == 2 ? 1 : n_targets_),
        weights_(n_vectors_ * examples.width, 0.0),
        of_pattern_(n_vectors_ * examples.patterns.size(), 0.0),
        outputs_(kAhead * examples.n_targets, 0.0) {}

  // Computes the products with several rows at once, valid until a correction: the sums of one row
  // are serial, those of several run in parallel.
  static constexpr int kAhead = 4;
  void foresee(const std::uint32_t* examples, int n);

  // Length of a conservative prefix of rows that are correct or need a correction of epsilon +
  // reach or more; 0 for more than two targets. Faster for rows in stored order.
  std::size_t out_of_reach(const std::uint32_t* examples, std::size_t n, bool as_stored,
                           double reach) const;

  // The winner of a precomputed row; selects its products for the calls below.
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

  // If ties are errors: a target tied with `winner`, if any.
  int strict_winner(int winner) const {
    for (int k = 0; k < n_targets_; ++k)
      if (k != winner && output(k) == output(winner)) return k;
    return winner;
  }

  // (W_j - W_i) . Y / 2 Y . Y + epsilon, for the last winner_of(): the step that makes i win.
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
  std::vector<double> weights_;     // per vector: W.B, numeric weights, w_0
  std::vector<double> of_pattern_;  // per vector: U.D_p
  std::vector<double> outputs_;     // of the precomputed rows, by target
  int row_ = 0;                     // the selected one
};

}  // namespace aslant

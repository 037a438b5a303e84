// Tests that make the message shortest: Tan and Dowe's evolution strategy, and a search that tries
// every cut along each direction.
#pragma once

#include "message.hpp"
#include "search.hpp"

namespace aslant {

struct MmlOptions {
  enum class Strategy { sweep, evolution };

  Strategy strategy = Strategy::sweep;
  int max_features = 3;    // most features in a test that the message allows
  int features_tried = 3;  // most features in a test that is tried
  int restarts = 32;       // sets of features tried
  int rounds = 4;          // directions tried for each of them
  double alpha = 1.0;      // prior count of every class in a leaf
  DirectionCode direction = DirectionCode::cap;
  PositionCode position = PositionCode::gap;
  double min_saving = 0.0;  // bits a split must save
};

class Mml : public Search {
 public:
  explicit Mml(const MmlOptions& options) : options_(options) {}
  std::optional<Split> find(const std::shared_ptr<const Node>& node,
                            const SearchContext& context) const override;
  bool decides() const override { return true; }

 private:
  MmlOptions options_;
};

}  // namespace aslant

// Tests that make the message shortest: Tan and Dowe's evolution strategy, and a search that tries
// every cut along each direction.
#pragma once

#include "search.hpp"
#include "search/mml_message.hpp"

namespace aslant {

struct MmlOptions {
  enum class Strategy { sweep, evolution };
  Strategy strategy;
  int min_features;  // fewest and most features in a test that the message allows
  int max_features;
  int features_tried;  // most features in a test that is tried
  int restarts;        // sets of features tried
  int rounds;          // directions tried for each of them
  double alpha;        // prior count of every class in a leaf
  DirectionCode direction;
  PositionCode position;
  bool charges_attributes;  // whether the message says which features a test reads
  double min_saving;        // bits a split must save
};

struct CandidateTest;
class MessageNode;

class Mml : public Search {
 public:
  explicit Mml(const MmlOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::optional<Split> find_on_sample(const NodePointer& node, const NodePointer& sample,
                                      const SearchContext& context) const override;
  bool finishes_on_lines() const override { return false; }
  bool decides() const override { return true; }

 private:
  CandidateTest best_test(const MessageNode& message, const SearchContext& context) const;

  MmlOptions options_;
};

}  // namespace aslant

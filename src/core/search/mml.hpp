// Tests of minimum message length: Tan and Dowe's evolution strategy, or a sweep of all cuts.
#pragma once

#include "search/capabilities.hpp"
#include "search/mml_message.hpp"

namespace aslant {

struct MmlOptions {
  enum class Strategy { sweep, evolution };
  Strategy strategy;
  int min_features;  // feature counts that the message allows
  int max_features;
  int features_tried;  // maximum features of a tried test
  int restarts;        // feature sets tried
  int rounds;          // directions tried per set
  double alpha;        // prior count of each class in a leaf
  DirectionCode direction;
  PositionCode position;
  bool charges_attributes;  // whether the message encodes the features of a test
  double min_saving;        // bits that a split must save
};

struct CandidateTest;
class MessageNode;

// Traits: classes only; no sparse tables; decides; random; FindsOnSample.
// Reads: varying columns scaled to [0, 1], levels, class weights, limits, depth.
// Writes: hyperplanes or level subsets; score = gain, choice by message length; no legacy.
class Mml : public Search, public FindsOnSample {
 public:
  explicit Mml(const MmlOptions& options) : options_(options) {}
  std::optional<Split> find(const NodePointer& node, const SearchContext& context) const override;
  std::optional<Split> find_on_sample(const NodePointer& node, const NodePointer& sample,
                                      const SearchContext& context) const override;
  SearchTraits traits() const override { return {true, false}; }  // decides

 private:
  CandidateTest best_test(const MessageNode& message, const SearchContext& context) const;

  MmlOptions options_;
};

}  // namespace aslant

#include "search.hpp"

namespace aslant {

namespace {

class RestrictedSearch : public SubsetSearch {
 public:
  RestrictedSearch(const Search& search, std::shared_ptr<const Node> node,
                   const SearchContext& context)
      : search_(search), node_(std::move(node)), context_(context) {}

  std::optional<Candidate> find(const std::vector<int>& columns) override {
    std::optional<Split> split =
        search_.find(node_->restricted_to(columns), context_.below(question_++));
    if (!split || split->columns.empty()) return std::nullopt;
    const double accuracy = node_->accuracy(node_->children_of(*split));
    return Candidate{std::move(*split), accuracy, true};
  }

 private:
  const Search& search_;
  std::shared_ptr<const Node> node_;
  SearchContext context_;
  std::uint64_t question_ = 0;
};

}  // namespace

std::unique_ptr<SubsetSearch> Search::on_subsets(const std::shared_ptr<const Node>& node,
                                                 const SearchContext& context) const {
  return std::make_unique<RestrictedSearch>(*this, node, context);
}

}  // namespace aslant

// The options of searches and learners, by name. Python declares names, defaults and explanations;
// each search reads its options here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace aslant {

class Search;
class Learner;

using OptionValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<double>,
                 std::shared_ptr<const Search>, std::vector<std::shared_ptr<const Search>>,
                 std::shared_ptr<const Learner>>;

class Options {
 public:
  explicit Options(std::map<std::string, OptionValue> values) : values_(std::move(values)) {}

  bool flag(const std::string& name) { return get<bool>(name, "True or False"); }
  std::int64_t whole(const std::string& name, std::int64_t least = 0) {
    const auto value = get<std::int64_t>(name, "a whole number");
    if (value < least) refuse(name, "at least " + std::to_string(least));
    return value;
  }
  int count(const std::string& name, int least = 0) {
    const std::int64_t value = whole(name, least);
    if (value > (1 << 30)) refuse(name, "at most 2^30");
    return static_cast<int>(value);
  }
  double number(const std::string& name) {
    const OptionValue& value = find(name);
    if (const auto* integer = std::get_if<std::int64_t>(&value))
      return static_cast<double>(*integer);
    return get<double>(name, "a number");
  }
  std::string word(const std::string& name) { return get<std::string>(name, "a word"); }
  std::vector<double> numbers(const std::string& name) {
    return get<std::vector<double>>(name, "a list of numbers");
  }
  std::shared_ptr<const Search> search(const std::string& name) {
    return get<std::shared_ptr<const Search>>(name, "a search");
  }
  std::vector<std::shared_ptr<const Search>> searches(const std::string& name) {
    const auto* empty = std::get_if<std::vector<double>>(&find(name));  // a list of nothing
    if (empty && empty->empty()) return {};
    return get<std::vector<std::shared_ptr<const Search>>>(name, "a list of searches");
  }
  std::shared_ptr<const Learner> learner(const std::string& name) {
    return get<std::shared_ptr<const Learner>>(name, "a learner");
  }
  // One of several words.
  template <class Choice>
  Choice choice(const std::string& name, const std::map<std::string, Choice>& choices) {
    const auto found = choices.find(get<std::string>(name, "a word"));
    if (found == choices.end()) refuse(name, "one of its words");
    return found->second;
  }

  // Validates that every given option was read.
  void check_all_read() const {
    for (const auto& [name, value] : values_)
      if (!read_.count(name)) throw std::invalid_argument("unknown option '" + name + "'");
  }

 private:
  const OptionValue& find(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end()) throw std::invalid_argument("option '" + name + "' is missing");
    read_.insert(name);
    return found->second;
  }
  template <class T>
  const T& get(const std::string& name, const char* what) {
    const T* value = std::get_if<T>(&find(name));
    if (value == nullptr) refuse(name, what);
    return *value;
  }
  [[noreturn]] static void refuse(const std::string& name, const std::string& what) {
    throw std::invalid_argument("option '" + name + "' must be " + what);
  }

  std::map<std::string, OptionValue> values_;
  std::set<std::string> read_;
};

}  // namespace aslant

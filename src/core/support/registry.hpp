// Searches and learners by name. Each registers itself in its own file.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "support/options.hpp"

namespace aslant {

template <class Kind>
class Registry {
 public:
  using Make = std::function<std::shared_ptr<Kind>(Options&)>;

  // A constant of this type registers the search or learner of its file.
  Registry(const std::string& name, Make make) { all()[name] = std::move(make); }

  static std::shared_ptr<Kind> make(const std::string& name, Options options) {
    const auto found = all().find(name);
    if (found == all().end()) throw std::invalid_argument("there is no '" + name + "'");
    std::shared_ptr<Kind> made = found->second(options);
    options.check_all_read();
    return made;
  }

 private:
  static std::map<std::string, Make>& all() {
    static std::map<std::string, Make> entries;
    return entries;
  }
};

using RegisteredSearch = Registry<Search>;
using RegisteredLearner = Registry<Learner>;

}  // namespace aslant

#include "drivers/config/argument_keys.hpp"

#include <array>
#include <regex>
#include <stdexcept>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

struct Words {
  const char* argument;  ///< a regular expression; its first group is the text before the argument
  const char* key;
};

/// The arguments that error messages of the library name, and the corresponding keys of a
/// configuration.
constexpr std::array<Words, 4> known{{
    {R"((^|[^.\w])(backend|transport|precision) = )", "$1run.$2 = "},
    {R"((^|[^.\w])min_valid = )", "$1missing.min_valid = "},
    {R"((^|[^.\w])compute without min_valid\b)", "$1use missing.policy = propagate or fill"},
    {R"((^|[^.\w])min_valid\b)", "$1missing.policy = renormalize"},
}};

}  // namespace

std::string with_keys(const std::string& message) {
  std::string words = message;
  for (const auto& [argument, key] : known)
    words = std::regex_replace(words, std::regex(argument), key);
  return words;
}

void naming_keys(const std::function<void()>& work) {
  try {
    work();
  } catch (Error& error) {
    // The error that is rethrown has the same type and another message.
    static_cast<std::runtime_error&>(error) = std::runtime_error(with_keys(error.what()));
    throw;
  }
}

}  // namespace stencil

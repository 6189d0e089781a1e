#include "drivers/config/keys.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using test::files;
using test::parse;

TEST(KeyTable, DefaultsAreValuesThatTheirKeyTakes) {
  for (const Key& key : all_keys()) {
    const bool names_another_key = key.standard.find("input.") == 0;
    if (key.standard.empty() || names_another_key) continue;
    const std::string section = key.section == "stencil" ? "stencil" : std::string(key.section);
    std::string lines = "mask = 1 2 1\n";
    if (const auto families = families_of(key); !families.empty())
      lines = test::lines_of(*find_family(families[0]));
    std::vector<std::string> arguments{"--" + section + "." + std::string(key.name) + "=" +
                                       std::string(key.standard)};
    if (key.name == "checkpoint_every") arguments.push_back("--run.checkpoint=state.h5");
    if (key.name == "boundary_value") arguments.push_back("--stencil.boundary=constant");
    if (key.name == "min_valid" || key.name == "fill_value") {
      arguments.push_back("--missing.value=nan");
      arguments.push_back(key.name == "min_valid" ? "--missing.policy=renormalize"
                                                  : "--missing.policy=fill");
    }
    EXPECT_NO_THROW(parse(files + "[stencil]\n" + lines, arguments)) << arguments[0];
  }
}

TEST(KeyTable, EveryParameterOfAFamilyIsAKeyOfOne) {
  for (const Family& family : all_families())
    for (const std::string& key : split_words(family.keys))
      EXPECT_NE(find_parameter(key), nullptr) << family.name << ": " << key;
  for (const Parameter& parameter : all_parameters()) {
    const Key* key = find_key("stencil", parameter.key);
    ASSERT_NE(key, nullptr) << parameter.key;
    EXPECT_FALSE(families_of(*key).empty()) << parameter.key;
  }
}

}  // namespace
}  // namespace stencil

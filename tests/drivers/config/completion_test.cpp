#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "drivers/config/help.hpp"
#include "drivers/config/keys.hpp"
#include "drivers/survey/first_stage.hpp"

namespace stencil {
namespace {

/// The keywords that a key accepts as values; empty for numbers, paths and free text.
std::string words_of_key(const Key& key) {
  if (key.name == "mask" && key.section == "stencil") {
    std::string families;
    for (const std::string& name : family_names()) families += " " + name;
    return families.substr(1);
  }
  if (key.values == "false, true") return "false true";
  std::string words;
  for (const std::string_view choice : key.choices)
    words += (words.empty() ? "" : " ") + std::string(choice);
  return words;
}

std::string lists() {
  std::string keys, words, filters;
  for (const Key& key : all_keys()) {
    const std::string name = std::string(key.section) + "." + std::string(key.name);
    keys += " --" + name;
    if (const std::string choices = words_of_key(key); !choices.empty())
      words += "  [" + name + "]=\"" + choices + "\"\n";
  }
  for (const std::string& filter : first_filters()) filters += " " + filter;
  return "_stencil_run_filters=\"" + filters.substr(1) + "\"\n_stencil_run_keys=\"" +
         keys.substr(1) + "\"\ndeclare -gA _stencil_run_words=(\n" + words + ")\n";
}

TEST(Completion, HasTheKeysWordsAndFiltersOfTheProgram) {
  std::ifstream file(STENCIL_SOURCE_DIR "/drivers/stencil_run/completion.bash");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("# begin of the lists\n" + lists() + "# end of the lists\n"),
            std::string::npos)
      << "write these lines between the two comments:\n"
      << lists();
}

TEST(Completion, HelpNamesTheFiltersOfInit) {
  for (const std::string& filter : first_filters())
    EXPECT_NE(help_text().find(filter), std::string::npos) << filter;
}

}  // namespace
}  // namespace stencil

#include "drivers/config/word_store.hpp"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>

#include "drivers/config/keys.hpp"

namespace stencil {

namespace po = boost::program_options;

/// Called by Boost where a Word is stored: value and place travel as the two tokens of an option.
void validate(boost::any& out, const std::vector<std::string>& tokens, Word*, int) {
  out = Word{tokens.at(0), tokens.at(1)};
}

namespace {

po::options_description describe(const std::vector<std::string>& sections) {
  po::options_description keys;
  for (const std::string& section : sections)
    for (const std::string& key : key_names(table_section(section)))
      keys.add_options()((section + "." + key).c_str(), po::value<Word>());
  return keys;
}

void store(const std::vector<NamedWord>& words, const po::options_description& keys,
           po::variables_map& map) {
  po::parsed_options parsed(&keys);
  for (const NamedWord& word : words)
    parsed.options.emplace_back(word.name,
                                std::vector<std::string>{word.word.text, word.word.where});
  po::store(parsed, map);
}

}  // namespace

WordStore::WordStore(const std::vector<std::string>& sections,
                     const std::vector<NamedWord>& command_line,
                     const std::vector<NamedWord>& file) {
  const po::options_description keys = describe(sections);
  store(command_line, keys, words_);
  store(file, keys, words_);
}

const Word* WordStore::find(const std::string& section, std::string_view key) const {
  const auto found = words_.find(section + "." + std::string(key));
  return found == words_.end() ? nullptr : &found->second.as<Word>();
}

std::string table_section(const std::string& section) {
  return section.substr(0, section.find('.'));
}

}  // namespace stencil

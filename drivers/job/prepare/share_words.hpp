#pragma once

#include <string>

#include "drivers/config/config.hpp"
#include "drivers/config/words.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Broadcasts the command line and the text of the configuration from rank 0, so every rank parses
/// the same text without opening the file. Collective.
void share(const Communicator& communicator, ConfigWords& words);

/// The following two functions convert the words to bytes, for a broadcast between the ranks of one
/// job, and back.
std::string serialize(const ConfigWords& words);
ConfigWords config_words_from(const std::string& bytes);

}  // namespace stencil

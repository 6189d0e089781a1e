#pragma once

#include <hdf5.h>

#include <string>
#include <utility>
#include <vector>

#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The names of the links of a group by kind, sorted.
struct LinkNames {
  std::vector<std::string> hard, soft, external, other;
  bool are_all = true;  ///< false if part of the group is damaged, or a name is not UTF-8
};
/// Lists the links of a group. @throws StorageError  the file cannot be read
LinkNames links_of(hid_t group);

/// The links of the input that have to be copied as links: further hard links to an object, soft
/// links, and links to other files.
class CopiedLinks {
 public:
  /// @param input   root of the input
  /// @param output  file of the output
  CopiedLinks(hid_t input, hid_t output, const OutputSpec& spec, Skipped& skipped)
      : input_(input), output_(output), spec_(spec), skipped_(skipped) {}

  /// Adds a further hard link to an object of the input.
  void add_hard(haddr_t address, const std::string& to) { hard_.emplace_back(address, to); }
  /// Adds the soft and external links of a group. @param path  path of the group in the input; `to`
  /// is its path in the output
  void add(const LinkNames& names, const std::string& path, const std::string& to);

  /// Creates all links whose targets are in the output. Call it when all objects exist. Relative
  /// names of other files are rewritten relative to the output's folder.
  void make(const CopiedPaths& copies);

 private:
  using Pair = std::pair<std::string, std::string>;  ///< paths of a link in input and output

  void tell(const std::string& path, const char* why);
  void make_soft(const Pair& link);
  void make_external(const Pair& link);
  void drop_broken(const Pair& link);
  bool is_free(const std::string& path) const;

  hid_t input_, output_;
  const OutputSpec& spec_;
  Skipped& skipped_;
  std::vector<std::pair<haddr_t, std::string>> hard_;
  std::vector<Pair> soft_, external_;
};

}  // namespace stencil::storage

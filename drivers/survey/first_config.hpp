#pragma once

#include <string>

namespace stencil {

/// A configuration for a file, and the name under which it is written.
struct FirstConfig {
  std::string name;  ///< `strain_bandpass.ini`, in the current folder
  std::string text;
};

/// The configuration that --init makes: a filter for a dataset of this file, with comments on its
/// axis, rate, missing values and packing, whose output has a name that no file has.
///
/// @param filter   one of first_filters()
/// @param dataset  empty: the largest one that is read and is not a dimension scale
/// @throws WordsError    no such filter; no such dataset, or none that is read; a name that no
///                       configuration can hold
/// @throws StorageError  as list_datasets
FirstConfig make_first_config(const std::string& filter, const std::string& file,
                              const std::string& dataset);

/// Writes it. @throws StorageError  a file of that name exists, or it cannot be written
void write_first_config(const FirstConfig& config);

}  // namespace stencil

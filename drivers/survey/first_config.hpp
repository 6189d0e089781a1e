#pragma once

#include <string>

namespace stencil {

/// A configuration for a file, and the file name of the configuration.
struct FirstConfig {
  std::string name;  ///< `strain_bandpass.ini`, in the current folder
  std::string text;
};

/// Makes the configuration for --init: a filter for a dataset of this file, with comments on its
/// axis, rate, missing values and packing. The output has a name that no existing file has.
///
/// @param filter   one of first_filters()
/// @param dataset  if empty, the largest supported dataset that is not a dimension scale
/// @throws WordsError    the filter or the dataset does not exist, no dataset is supported, or a
///                       name cannot be written in a configuration
/// @throws StorageError  see list_datasets()
FirstConfig make_first_config(const std::string& filter, const std::string& file,
                              const std::string& dataset);

/// Writes a configuration. @throws StorageError  the file exists or cannot be written
void write_first_config(const FirstConfig& config);

}  // namespace stencil

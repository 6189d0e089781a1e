/// Parallel reading and writing of HDF5 files: every rank transfers its own part of an array.
#pragma once

#include "framework/grid/normal_form.hpp"
#include "include/stencil/version.hpp"
#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "io/write/output/output_file.hpp"

/// Reading and writing of HDF5, by every rank its own part.
#pragma once

#include "io/probe.hpp"
#include "io/read/input_dataset.hpp"
#include "io/write/output/output_file.hpp"

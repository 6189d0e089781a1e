#include "io/metadata/conventions.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "io/metadata/time_scale.hpp"
#include "io/metadata/unit.hpp"

namespace stencil::storage {
namespace {

/// Returns whether reading and writing support a unit of the table.
bool is_understood(std::string_view unit) {
  if (unit.starts_with("GPS ")) unit.remove_prefix(4);
  if (unit.empty() || unit == "date" || unit == "date d/m/y" || unit == "date m/d/y" ||
      unit.starts_with('@'))
    return true;
  const std::string text(unit);
  return unit.find(" since ") == unit.npos ? Unit::parse(text).has_value()
                                           : time_scale_of(text).has_value();
}

TEST(Conventions, have_a_row_each_with_units_that_are_understood) {
  std::set<std::string_view> names;
  for (const Convention& row : conventions()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " twice";
    EXPECT_FALSE(row.fields.empty()) << row.name;
    for (const Field& field : row.fields) {
      EXPECT_TRUE(is_understood(field.unit)) << row.name << ": " << field.where;
      EXPECT_FALSE(field.axis.empty()) << row.name << ": " << field.where;
    }
  }
  for (const char* name :
       {"CF",       "netCDF",   "ProdML",  "OptoDAS", "Silixa",        "Neubrex DAS",
        "Febus",    "DASDAE",   "GWOSC",   "gwpy",    "PyCBC",         "NWB",
        "SNIRF",    "ASDF",     "plux",    "NeXus",   "ODIM_H5 polar", "ODIM_H5 grid",
        "CfRadial", "HDF-EOS5", "openPMD", "Imaris",  "BigDataViewer"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Conventions, state_a_rate_in_hertz_and_name_the_spacing_of_edges) {
  const Unit hertz = Unit::parse("Hz").value();
  for (const Convention& row : conventions())
    for (const Field& field : row.fields) {
      if (field.meaning == Meaning::rate && !field.unit.starts_with('@')) {
        EXPECT_TRUE(Unit::parse(std::string(field.unit)).value().in(hertz)) << field.where;
      }
      if (field.meaning == Meaning::low_edge || field.meaning == Meaning::high_edge) {
        EXPECT_FALSE(field.spacing.empty()) << field.where;
      }
    }
}

}  // namespace
}  // namespace stencil::storage

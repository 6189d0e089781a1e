// dates_of: reads lines `CALENDAR;UNITS;NUMBER;DATE`, and writes for each `DATE;NUMBER`: the date
// of the given number and the number of the given date, or `none` for either. calendars.py compares
// them with cftime.
#include <fmt/format.h>

#include <iostream>
#include <sstream>
#include <string>

#include "io/metadata/date.hpp"
#include "io/metadata/time_scale.hpp"

using namespace stencil;

int main() {
  std::string line, calendar, units, number, date;
  while (std::getline(std::cin, line)) {
    std::istringstream items(line);
    for (std::string* const item : {&calendar, &units, &number, &date})
      std::getline(items, *item, ';');
    const auto scale = storage::time_scale_of(units, calendar);
    const auto time = scale ? scale->at(parse_element_value(number)) : std::nullopt;
    const auto parsed = storage::Date::parse(date);
    const auto begin = scale && parsed ? begin_of(*parsed, scale->calendar) : std::nullopt;
    fmt::print("{};{}\n", time ? date_text(*time, scale->calendar) : "none",
               begin ? std::to_string(scale->first_from(*begin)) : "none");
  }
}

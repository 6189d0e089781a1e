#include "update.hpp"

using namespace stencil;

void update_on_host(Executor&, const Field<double>& u, const Field<double>& v,
                    Field<double>& next_u, Field<double>& next_v) {
  const FieldView<const double> from_u = u.owned(), from_v = v.owned();
  const FieldView<double> to_u = next_u.owned(), to_v = next_v.owned();
#pragma omp parallel for schedule(static)
  for (Index y = 0; y < to_u.extent[1]; ++y)
    for (Index x = 0; x < to_u.extent[2]; ++x)
      react(&from_u.at(0, y, x), &from_v.at(0, y, x), from_u.row_pitch, &to_u.at(0, y, x),
            &to_v.at(0, y, x));
}

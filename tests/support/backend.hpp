#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "framework/device/make_executor.hpp"
#include "framework/parallel/transport_request.hpp"

namespace stencil::testing {

/// The backend of the test program: the environment variable STENCIL_TEST_BACKEND, or cpu by
/// default.
inline Backend backend_under_test() {
  const char* word = std::getenv("STENCIL_TEST_BACKEND");
  return word != nullptr && word == to_string(Backend::cuda) ? Backend::cuda : Backend::cpu;
}

/// The transport of halos: the environment variable STENCIL_TEST_TRANSPORT, or auto by default.
inline TransportRequest transport_under_test() {
  const char* word = std::getenv("STENCIL_TEST_TRANSPORT");
  for (const TransportRequest request : {TransportRequest::host, TransportRequest::mpi,
                                         TransportRequest::nccl, TransportRequest::peer})
    if (word != nullptr && word == to_string(request)) return request;
  return TransportRequest::automatic;
}

/// Returns the executor of the whole program. There is only one, because creating an executor of a
/// GPU takes long.
inline Executor& executor_under_test(int rank = 0) {
  static const std::unique_ptr<Executor> executor = make_executor(backend_under_test(), rank);
  return *executor;
}

/// A copy in host memory of all points of a field, including ghosts.
template <class T>
class HostMirror {
 public:
  HostMirror(Executor& executor, Field<T>& field)
      : executor_(executor), field_(field), host_(cpu_, field.subdomain()) {}

  FieldView<T> ghosted() { return host_.ghosted(); }
  FieldView<T> owned() { return host_.owned(); }
  void upload() { executor_.upload(of(host_), of(field_), sizeof(T)); }
  void download() { executor_.download(of(field_), of(host_), sizeof(T)); }

 private:
  static Rectangle of(Field<T>& field) { return rectangle_of(field.ghosted()); }

  CpuExecutor cpu_;
  Executor& executor_;
  Field<T>& field_;
  Field<T> host_;
};

}  // namespace stencil::testing

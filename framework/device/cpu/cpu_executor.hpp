#pragma once

#include "framework/device/executor.hpp"

namespace stencil {

/// Host memory and the OpenMP threads of the calling process. Every call is complete when it
/// returns.
class CpuExecutor : public Executor {
 public:
  std::string name() const override { return "cpu"; }
  std::string facts() const override;
  bool is_host() const override { return true; }
  std::unique_ptr<Executor> sibling() const override { return std::make_unique<CpuExecutor>(); }
  /// Does not access the pages of the memory, so that the system allocates each page on the NUMA
  /// node of the thread that first writes to the page.
  Memory allocate(std::size_t bytes) override;
  /// Every OpenMP thread writes to a separate part of the memory.
  void touch(std::byte* memory, std::size_t bytes) override;
  Memory allocate_shared(std::size_t bytes) override { return allocate(bytes); }
  void copy(const ConstRectangle& from, const Rectangle& to, std::size_t element_size,
            Lane lane = Lane::work) override;
  void fill(const Rectangle& to, const void* value, std::size_t element_size,
            Lane lane = Lane::work) override;
  void upload(const ConstRectangle& host, const Rectangle& to, std::size_t element_size) override {
    copy(host, to, element_size);
  }
  void download(const ConstRectangle& from, const Rectangle& host,
                std::size_t element_size) override {
    copy(from, host, element_size);
  }
  void order(Lane, Lane) override {}
  void synchronize(Lane) override {}
  void synchronize() override {}
};

}  // namespace stencil

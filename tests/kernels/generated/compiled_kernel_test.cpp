#include "kernels/generated/compiled_kernel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "kernels/generated/nvrtc.hpp"
#include "kernels/generated/strip_source.hpp"

namespace stencil::generated {
namespace {

namespace fs = std::filesystem;

class Compiled : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Nvrtc::find() == nullptr) GTEST_SKIP() << "libnvrtc cannot be loaded here";
    std::string pattern = (fs::temp_directory_path() / "stencil_compiled_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    if (!folder.empty()) fs::remove_all(folder);
  }
  static std::string source() {
    Stencil<float> stencil;
    stencil.height = 1, stencil.width = 3;
    stencil.taps = {1, 2, 3};
    return strip_source(make_strip_spec(stencil, 1));
  }

  fs::path folder;
};

TEST_F(Compiled, ComesFromTheCacheTheSecondTime) {
  const KernelCache cache(folder);
  const CompiledKernel first = compiled_kernel(source(), strip_walk_kernel, "sm_90", cache);
  ASSERT_FALSE(first.code.empty()) << first.trouble;
  EXPECT_FALSE(first.from_cache);
  const CompiledKernel second = compiled_kernel(source(), strip_walk_kernel, "sm_90", cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.code, first.code);
  EXPECT_FALSE(compiled_kernel(source() + "\n", strip_walk_kernel, "sm_90", cache).from_cache)
      << "another source";
  EXPECT_FALSE(compiled_kernel(source(), strip_walk_kernel, "sm_80", cache).from_cache)
      << "another architecture";
}

TEST_F(Compiled, IsCompiledAnewWhereTheCacheIsDamagedOrAbsent) {
  const KernelCache cache(folder);
  const std::string cubin = compiled_kernel(source(), strip_walk_kernel, "sm_90", cache).code;
  for (const auto& entry : fs::directory_iterator(folder)) fs::resize_file(entry.path(), 300);
  const CompiledKernel again = compiled_kernel(source(), strip_walk_kernel, "sm_90", cache);
  EXPECT_FALSE(again.from_cache);
  EXPECT_EQ(again.code, cubin);
  EXPECT_TRUE(compiled_kernel(source(), strip_walk_kernel, "sm_90", cache).from_cache)
      << "and kept again";
  EXPECT_EQ(
      compiled_kernel(source(), strip_walk_kernel, "sm_90", KernelCache("/proc/no/such")).code,
      cubin);
}

TEST_F(Compiled, SaysWhySourcesDoNotCompile) {
  const KernelCache cache(folder);
  const CompiledKernel wrong =
      compiled_kernel("this is not C++", strip_walk_kernel, "sm_90", cache);
  EXPECT_TRUE(wrong.code.empty());
  EXPECT_NE(wrong.trouble.find("does not compile for sm_90"), std::string::npos) << wrong.trouble;
  EXPECT_EQ(wrong.trouble.find('\n'), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder));
  const CompiledKernel unknown = compiled_kernel(source(), strip_walk_kernel, "sm_1", cache);
  EXPECT_TRUE(unknown.code.empty());
  EXPECT_FALSE(unknown.trouble.empty());
}

}  // namespace
}  // namespace stencil::generated

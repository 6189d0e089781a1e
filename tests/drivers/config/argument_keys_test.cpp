// Messages of errors of the library, in which names of arguments are replaced by the keys of a
// configuration.
#include "drivers/config/argument_keys.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "framework/device/make_executor.hpp"
#include "framework/grid/error.hpp"
#include "kernels/stencil.hpp"

namespace stencil {
namespace {

TEST(ArgumentKeys, AreNamedInsteadOfArguments) {
  EXPECT_EQ(with_keys("backend = cuda: no GPU: use backend = auto or cpu"),
            "run.backend = cuda: no GPU: use run.backend = auto or cpu");
  EXPECT_EQ(with_keys("use transport = auto (precision = float64)"),
            "use run.transport = auto (run.precision = float64)");
  EXPECT_EQ(with_keys("min_valid = 2 must be 0 to 1"), "missing.min_valid = 2 must be 0 to 1");
  EXPECT_EQ(with_keys("min_valid needs weights: compute without min_valid"),
            "missing.policy = renormalize needs weights: use missing.policy = propagate or fill");
}

TEST(ArgumentKeys, KeysAndOtherWordsStay) {
  for (const char* words : {"run.backend = cuda", "missing.min_valid = 2", "subtransport = 3",
                            "the kernel of the mask", "my_precision = 4", ""})
    EXPECT_EQ(with_keys(words), words);
}

/// naming_keys() changes the message of an error of the library, but not its type.
TEST(ArgumentKeys, ErrorsOfTheLibraryKeepTheirTypes) {
  const std::vector<double> slope{-1, 0, 1};
  try {
    naming_keys([&] { make_stencil<float>(Mask::line(slope), Method::direct, {1, 1}, 0.5); });
    ADD_FAILURE() << "a derivative has no weight to rescale";
  } catch (const ShapeError& error) {
    EXPECT_EQ(std::string(error.what()).find("missing.policy = renormalize needs"), 0u)
        << error.what();
    EXPECT_EQ(std::string(error.what()).find("min_valid"), std::string::npos) << error.what();
  }
  EXPECT_THROW(naming_keys([] { throw StorageError("x"); }), StorageError);
}

}  // namespace
}  // namespace stencil

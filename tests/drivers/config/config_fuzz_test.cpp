// Damaged configurations: any contents of a file and a command line are either accepted or refused
// with one printable line.
#include <algorithm>
#include <random>

#include "drivers/config/parse_config.hpp"
#include "tests/drivers/config/config_words.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

/// One random edit of a text: changes, removes or repeats bytes, or moves a part.
class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  void edit(std::string& text) {
    static constexpr std::string_view odd =
        "[]=;#\"'\n\r\t -+.,:x0123456789eENaninf\\/\x1b\x7f\xff\xc3\xe2";
    if (text.empty()) text = "=";
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(20, text.size() - at));
    switch (below(6)) {
      case 0:
        text[at] = odd[below(odd.size())];
        break;
      case 1:
        text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, 1, odd[below(odd.size())]);
        break;
      case 4:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default: {
        const std::string piece = text.substr(at, length);
        text.erase(at, length);
        text.insert(below(text.size() + 1), piece);
      }
    }
  }

 private:
  std::mt19937 random_;
};

/// Returns whether the configuration is accepted. If it is refused, the error must be a WordsError
/// of one printable line.
bool understood(const std::string& text, const std::vector<std::string>& arguments) {
  try {
    const Config config = parse_config({read_command_line(arguments), text});
    EXPECT_FALSE(config.stages.empty());
    EXPECT_FALSE(config.input.file.empty());
    EXPECT_FALSE(config.output.file.empty());
    return true;
  } catch (const WordsError& error) {
    EXPECT_TRUE(test::printable_line(error.what())) << error.what();
    EXPECT_LT(std::string(error.what()).size(), 700u) << error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what() << "\nfrom\n"
                  << ::testing::PrintToString(text) << "\nand "
                  << ::testing::PrintToString(arguments);
  }
  return false;
}

TEST(ConfigFuzz, DamagedFiles) {
  int good = 0;
  const int rounds = testing::cases(6000, 1500);
  for (int seed = 0; seed < rounds && !HasFailure(); ++seed) {
    Damage damage(seed);
    std::string text = test::rich;
    for (std::size_t edits = 1 + damage.below(4); edits > 0; --edits) damage.edit(text);
    good += understood(text, {"config.ini"});
  }
  EXPECT_GT(good, rounds / 50) << "the damage is too great to tell anything";
  EXPECT_LT(good, rounds) << "nothing was ever refused";
}

TEST(ConfigFuzz, FilesCutOffAnywhere) {
  for (std::size_t length = 0; length <= test::rich.size(); ++length) {
    const bool good = understood(test::rich.substr(0, length), {"config.ini"});
    const bool no_mask = length < test::rich.find("mask");
    EXPECT_FALSE(good && no_mask) << length;
    EXPECT_TRUE(good || length < test::rich.size());
  }
}

TEST(ConfigFuzz, DamagedCommandLines) {
  const std::vector<std::string> arguments = {"config.ini",
                                              "--stencil.smooth.sigma=3",
                                              "--input.axis",
                                              "-1",
                                              "--report",
                                              "report.json",
                                              "--progress=lines",
                                              "--run.memory",
                                              "1GiB",
                                              "--stencil.edge-2.mask=1 2 1"};
  int good = 0;
  const int rounds = testing::cases(6000, 1500);
  for (int seed = 0; seed < rounds && !HasFailure(); ++seed) {
    Damage damage(seed);
    std::vector<std::string> damaged = arguments;
    for (std::size_t edits = 1 + damage.below(3); edits > 0; --edits) {
      std::string& argument = damaged[damage.below(damaged.size())];
      damage.edit(argument);
      if (damage.below(8) == 0) damaged.erase(damaged.begin() + long(damage.below(damaged.size())));
    }
    // An argument of a real command line ends at its first NUL.
    for (std::string& argument : damaged) argument = argument.c_str();
    good += understood(test::rich, damaged);
  }
  EXPECT_GT(good, rounds / 50);
  EXPECT_LT(good, rounds);
}

TEST(ConfigFuzz, NoiseIsNeverAConfiguration) {
  for (int seed = 0; seed < 500; ++seed) {
    Damage damage(seed);
    std::string noise;
    for (std::size_t i = damage.below(300); i > 0; --i)
      noise += static_cast<char>(damage.below(256));
    EXPECT_FALSE(understood(noise, {"config.ini"}));
    EXPECT_FALSE(understood(noise, {noise, noise.c_str()}));
  }
}

}  // namespace
}  // namespace stencil

#include "drivers/config/choices.hpp"

#include "drivers/config/kind_words.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

/// Every keyword has a value, and every value is written as a keyword that has this value.
template <class T>
void expect_words_and_values_to_agree() {
  for (const Choice<T>& choice : choices_of<T>) {
    EXPECT_EQ(meaning_of<T>(choice.word), choice.value) << choice.word;
    const std::string_view written = word_of(choice.value);
    EXPECT_EQ(meaning_of<T>(written), choice.value) << choice.word;
    EXPECT_EQ(written != choice.word, choice.is_synonym) << choice.word << " and " << written;
  }
  EXPECT_THROW(meaning_of<T>("Auto"), BadValue);
}

TEST(Choices, WordsAndValuesAgree) {
  expect_words_and_values_to_agree<Operation>();
  expect_words_and_values_to_agree<BoundaryRule>();
  expect_words_and_values_to_agree<Extent>();
  expect_words_and_values_to_agree<MethodRequest>();
  expect_words_and_values_to_agree<MissingPolicy>();
  expect_words_and_values_to_agree<std::optional<ElementType>>();
  expect_words_and_values_to_agree<PrecisionRequest>();
  expect_words_and_values_to_agree<Backend>();
  expect_words_and_values_to_agree<TransportRequest>();
  expect_words_and_values_to_agree<ProgressStyle>();
  for (const auto& choice : choices_of<std::optional<ElementType>>)
    EXPECT_EQ(choice.value ? to_string(*choice.value) : "auto", choice.word);
}

}  // namespace
}  // namespace stencil

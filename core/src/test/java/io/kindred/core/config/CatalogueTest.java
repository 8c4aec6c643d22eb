package io.kindred.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogueTest {
  private interface Fruit {}

  @Named(value = "apple", summary = "keeps the doctor away")
  private record Apple() implements Fruit {}

  @Named("pear")
  private record Pear(int ripeness) implements Fruit {}

  @Named("pear")
  private record OtherPear() implements Fruit {}

  @Named("plum")
  private static final class Plum implements Fruit {}

  private record Nameless() implements Fruit {}

  @Test
  void findsChoicesByNameInTheirOrder() {
    Catalogue<Fruit> fruits =
        new Catalogue<>(Fruit.class, "fruit", List.of(Pear.class, Apple.class));
    assertThat(fruits.names()).containsExactly("pear", "apple");
    assertThat(fruits.find("apple")).contains(Apple.class);
    assertThat(fruits.find("Apple")).isEmpty();
    assertThat(fruits.kind()).isEqualTo(Fruit.class);
    assertThat(fruits.noun()).isEqualTo("fruit");
    assertThat(Catalogue.summaryOf(Apple.class)).isEqualTo("keeps the doctor away");
    assertThat(Catalogue.summaryOf(Pear.class)).isEmpty();
  }

  @Test
  void refusesWhatIsNoRecord() {
    assertThatThrownBy(() -> new Catalogue<Fruit>(Fruit.class, "fruit", List.of(Plum.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be a record to be a choice of fruit");
  }

  @Test
  void refusesTheSameNameTwice() {
    assertThatThrownBy(
            () -> new Catalogue<Fruit>(Fruit.class, "fruit", List.of(Pear.class, OtherPear.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("two choices of fruit are named pear");
  }

  @Test
  void refusesAChoiceWithoutAName() {
    assertThatThrownBy(() -> new Catalogue<Fruit>(Fruit.class, "fruit", List.of(Nameless.class)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lacks @Named");
  }

  @Test
  void aComplaintSaysWhereWhatAndTheRemedy() {
    SettingException invalid = new SettingException("fruit.ripeness", "too green", "wait a week");
    assertThat(invalid.path()).isEqualTo("fruit.ripeness");
    assertThat(invalid.problem()).isEqualTo("too green");
    assertThat(invalid.remedy()).isEqualTo("wait a week");
  }
}

package io.kindred.learning.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.InputColumn;
import io.kindred.learning.data.Samples;
import io.kindred.learning.data.TableColumn;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.Users;
import io.kindred.learning.data.format.TableFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableSourceTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);
  private static final String TABLE =
      """
      height,weight,who,kind
      1,10,ann,cat
      2,10,ben,"dog, big"

      3,10,ann,cat
      6,10,cyd,"dog, big"
      """;

  /** As the UCI census table: no header, blanks after commas, words, and question marks. */
  private static final String CENSUS =
      """
      39, State-gov, 13, Male, <=50K
      50, Self-emp, 13, Male, <=50K
      38, Private, 9, Male, >50K
      53, ?, 7, Male, >50K
      28, Private, ?, Male, <=50K
      37, Private, 14, Male, >50K
      """;

  private static TableSourceBuilder source() {
    return TableSourceBuilder.from(TableSource.in("mine")).label("kind").testShare(0.5);
  }

  private static TableSourceBuilder withUsers(String test, boolean scale) {
    return source().user("who").test(test).train("train.csv").scale(scale);
  }

  private static TableSourceBuilder census(TableSource.Missing missing) {
    return source().label("column5").header(false).missing(missing);
  }

  private static InMemoryDataFiles table(String text) {
    return new InMemoryDataFiles().with("mine/train.csv", text);
  }

  private static Dataset load(TableSourceBuilder source, InMemoryDataFiles files) {
    return source.build().load(STREAMS, files);
  }

  private static float[] values(Samples samples) {
    float[] values = new float[samples.count() * samples.features().width()];
    for (int i = 0; i < samples.count(); i++) {
      samples.features().copy(i, values, i * samples.features().width());
    }
    return values;
  }

  @Test
  void aTableIsReadByTheNamesOfItsColumns() {
    InMemoryDataFiles files =
        table(TABLE).with("mine/test.csv", "height,weight,who,kind\n5,12,dan,cat\n");
    Dataset plain = load(withUsers("test.csv", false), files);
    assertThat(plain.classes()).isEqualTo(2);
    assertThat(plain.className(1)).isEqualTo("dog, big");
    assertThat(plain.train().labels().copy()).containsExactly(0, 1, 0, 1);
    assertThat(InMemoryDataFiles.sample(plain.train(), 3)).containsExactly(6, 10);
    Users users = plain.test().users().orElseThrow();
    assertThat(users.names()).containsExactly("ann", "ben", "cyd", "dan");
    assertThat(users.bySample().copy()).containsExactly(3);
    // Heights 1, 2, 3, 6 have mean 3 and deviation sqrt(3.5); all training weights are 10.
    Dataset scaled = load(withUsers("test.csv", true), files);
    assertThat(InMemoryDataFiles.sample(scaled.test(), 0)[0])
        .isCloseTo((float) (2 / Math.sqrt(3.5)), offset(1e-6f));
    assertThat(InMemoryDataFiles.sample(scaled.test(), 0)[1]).isEqualTo(2);
  }

  @Test
  void theDrawnTestTakesTheSameShareOfEveryClassAndFollowsTheSeed() {
    StringBuilder text = new StringBuilder("x,kind\n");
    for (int i = 0; i < 100; i++) {
      text.append(i).append(i < 80 ? ",a\n" : ",b\n");
    }
    TableSource source = source().testShare(0.25).scale(false).build();
    InMemoryDataFiles files = table(text.toString());
    Dataset dataset = source.load(STREAMS, files);
    assertThat(Arrays.stream(dataset.test().labels().copy()).filter(each -> each == 0)).hasSize(20);
    assertThat(Arrays.stream(dataset.test().labels().copy()).filter(each -> each == 1)).hasSize(5);
    assertThat(dataset.train().count()).isEqualTo(75);
    assertThat(dataset.train().users()).isEmpty();
    float[] chosen = values(dataset.test());
    assertThat(values(source.load(STREAMS, files).test())).isEqualTo(chosen);
    assertThat(values(source.load(new RandomStreams(2), files).test())).isNotEqualTo(chosen);
    float[] rest = values(dataset.train());
    for (float value : chosen) {
      assertThat(rest).doesNotContain(value);
    }
  }

  @Test
  void wordsBecomeOneInputForEachCategoryAndConstantColumnsAreLeftOut() {
    Dataset dataset =
        load(census(TableSource.Missing.IMPUTE).part("").testShare(0.34), table(CENSUS));
    assertThat(dataset.reading().task().classes()).containsExactly("<=50K", ">50K");
    assertThat(dataset.reading().columns())
        .extracting(TableColumn::name, TableColumn::kind, TableColumn::use, TableColumn::missing)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "column1", TableColumn.Kind.NUMBER, TableColumn.Use.INPUT, 0),
            org.assertj.core.groups.Tuple.tuple(
                "column2", TableColumn.Kind.CATEGORY, TableColumn.Use.INPUT, 1),
            org.assertj.core.groups.Tuple.tuple(
                "column3", TableColumn.Kind.NUMBER, TableColumn.Use.INPUT, 1),
            org.assertj.core.groups.Tuple.tuple(
                "column4", TableColumn.Kind.CATEGORY, TableColumn.Use.UNUSED, 0),
            org.assertj.core.groups.Tuple.tuple(
                "column5", TableColumn.Kind.CATEGORY, TableColumn.Use.LABEL, 0));
    assertThat(dataset.reading().unusedColumnsLine())
        .contains("1 of 5 columns are not used: column4 (constant: every row has Male)");
  }

  @Test
  void gapsAreFilledWithTheMeanOrTheMostFrequentWordOfTheTrainingRows() {
    String rows = "part,x,colour,kind\n";
    rows += "train,1,red,a\ntrain,?,red,b\ntrain,5,NA,a\ntrain,3,blue,b\n";
    rows += "test,,green,a\ntest,9,,b\n";
    Dataset dataset =
        load(source().part("part").missing(TableSource.Missing.IMPUTE).scale(false), table(rows));
    assertThat(dataset.reading().task().columns())
        .containsExactly(
            new InputColumn("x", List.of(), "3.0"),
            new InputColumn("colour", List.of("blue", "red"), "red"));
    assertThat(values(dataset.train())).containsExactly(1, 0, 1, 3, 0, 1, 5, 0, 1, 3, 1, 0);
    // Green is no category of the training rows.
    assertThat(values(dataset.test())).containsExactly(3, 0, 0, 9, 0, 1);
    assertThat(dataset.reading().remarks())
        .contains(
            "4 gaps were filled: 2 in the column 'x' became 3.00000, 2 in the column 'colour'"
                + " became red",
            "words of the column 'colour' that no training row has, and that belong to no input:"
                + " green");
  }

  @Test
  void rowsWithGapsAreRefusedOrDroppedAndNamed() {
    assertThatThrownBy(() -> load(census(TableSource.Missing.REFUSE), table(CENSUS)))
        .hasMessage(
            "mine/train.csv is damaged at line 4: the column 'column2' has no value ('?'); 2 of 6"
                + " rows have such gaps; choose dataset.missing: drop or impute, or fill them in");
    Dataset dataset = load(census(TableSource.Missing.DROP), table(CENSUS));
    assertThat(dataset.train().count() + dataset.test().count()).isEqualTo(4);
    assertThat(dataset.reading().unused())
        .containsExactly(
            new UnusedFile("line 4", "the column 'column2' has no value"),
            new UnusedFile("line 5", "the column 'column3' has no value"));
    assertThat(dataset.reading().unusedLine())
        .contains(
            "2 of 6 rows are not used: 1 the column 'column2' has no value (line 4); 1 the column"
                + " 'column3' has no value (line 5)");
  }

  @Test
  void aRegressionScalesItsTargetsByTheTrainingRows() {
    String rows = "part,x,y\ntrain,1,10\ntrain,2,20\ntrain,3,60\ntest,4,90\n";
    Dataset dataset = load(source().part("part").targets(List.of("y")), table(rows));
    // Targets 10, 20, 60 have mean 30 and deviation sqrt((400 + 100 + 900) / 3).
    double deviation = Math.sqrt(1400 / 3.0);
    assertThat(dataset.outputs()).isEqualTo(1);
    assertThat(dataset.reading().task().targets()).containsExactly("y");
    assertThat(dataset.reading().task().targetScales().getFirst().deviation())
        .isCloseTo(deviation, offset(1e-9));
    float[] target = new float[1];
    dataset.test().targets().orElseThrow().copy(0, target, 0);
    assertThat(target[0]).isCloseTo((float) (60 / deviation), offset(1e-6f));
    assertThat(dataset.className(0)).isEqualTo("to 10");
    assertThat(dataset.className(dataset.classes() - 1)).isEqualTo("above 60");
  }

  @Test
  void newRowsAreTheSameTask() {
    Dataset first =
        load(
            source().missing(TableSource.Missing.IMPUTE).testShare(0.3),
            table("x,colour,kind\n1,red,a\n2,blue,b\n3,red,a\n7,?,b\n8,red,a\n9,blue,b\n"));
    // Other columns, other values, one class only in part, an unknown class refused.
    InMemoryDataFiles later =
        table("kind,extra,colour,x\nb,1,blue,100\nb,2,red,200\na,3,red,300\na,4,?,400\n");
    Dataset second =
        source()
            .missing(TableSource.Missing.IMPUTE)
            .build()
            .load(STREAMS, later, Optional.of(first.reading().task()));
    assertThat(second.reading().task()).isEqualTo(first.reading().task());
    assertThat(second.width()).isEqualTo(3);
    assertThat(second.reading().unusedColumnsLine())
        .contains("1 of 4 columns are not used: extra (not in the task)");
    assertThatThrownBy(
            () ->
                source()
                    .build()
                    .load(
                        STREAMS,
                        table("x,colour,kind\n1,red,a\n2,blue,fox\n"),
                        Optional.of(first.reading().task())))
        .hasMessageContaining("the class 'fox' is not one of the task's: a, b");
    assertThatThrownBy(
            () ->
                source()
                    .build()
                    .load(
                        STREAMS, table("x,kind\n1,a\n2,b\n"), Optional.of(first.reading().task())))
        .hasMessageContaining("the column 'colour' of the task is missing");
  }

  @Test
  void decimalCommasAreReadWhereTheyAreNamed() {
    String rows = "x;kind\n1,5;a\n2,5;b\n3,5;a\n4,5;b\n";
    assertThatThrownBy(() -> load(source(), table(rows)))
        .isInstanceOfSatisfying(
            SettingException.class,
            wrong -> {
              assertThat(wrong).hasMessageContaining("has numbers with a comma, such as 1,5");
              assertThat(wrong.remedy()).startsWith("choose comma");
            });
    Dataset dataset = load(source().decimal(TableFormat.Decimal.COMMA).scale(false), table(rows));
    float[] sorted = values(dataset.train());
    Arrays.sort(sorted);
    assertThat(sorted.length + values(dataset.test()).length).isEqualTo(4);
    assertThat(sorted[0]).isBetween(1.5f, 2.5f);
  }

  @Test
  void codesAreCategoriesWhereTheyAreNamed() {
    String rows = "zip,kind\n10115,a\n20095,b\n10115,a\n20095,b\n";
    assertThat(load(source(), table(rows)).width()).isEqualTo(1);
    assertThat(load(source().categories(List.of("zip")), table(rows)).width()).isEqualTo(2);
  }

  @Test
  void wrongTablesAreNamedWithTheirLine() {
    assertThatThrownBy(() -> load(withUsers("", true), table(TABLE + "x,1,ann,cat\n")))
        .hasMessage(
            "mine/train.csv is damaged at line 7: the column 'height' is a number in 4 of 5 rows,"
                + " but here it is 'x'; correct it, or name the word in dataset.gaps or the column"
                + " in dataset.categories or dataset.ignore");
    assertThatThrownBy(() -> load(withUsers("", true), table(TABLE + "1,2,ann\n")))
        .hasMessage("mine/train.csv is damaged at line 7: 3 values, but the first line has 4");
    assertThatThrownBy(() -> load(withUsers("", true), table(TABLE + "1,2,ann,\n")))
        .hasMessageContaining("line 7: the column 'kind' has no value ('')");
    assertThatThrownBy(() -> load(withUsers("", true), table(TABLE + "1,2,ann,\"cat\n")))
        .hasMessageContaining("line 7: a quotation mark is not closed");
    assertThatThrownBy(() -> load(withUsers("", true), table("")))
        .hasMessage("mine/train.csv is damaged at line 1: the file is empty");
    assertThatThrownBy(() -> load(withUsers("", true), table("height,who,kind\n")))
        .hasMessageEndingWith("there is no row with data");
    assertThatThrownBy(() -> load(withUsers("", true), table("a,b\n1,2\n")))
        .isInstanceOf(SettingException.class)
        .hasMessage("there is no column 'kind' in mine/train.csv");
    assertThatThrownBy(() -> load(withUsers("", true), table("who,kind,x\na,b,1\nb,b,2\n")))
        .hasMessageEndingWith("all rows have the label 'b'");
    assertThatThrownBy(() -> load(source(), table("x,x,kind\n1,2,a\n")))
        .hasMessageContaining("two columns have the name 'x'");
    assertThatThrownBy(() -> load(source(), table("5.1,3.5,iris\n4.9,3.0,lily\n")))
        .hasMessage(
            "mine/train.csv is damaged at line 1: the first line should name the columns, but it"
                + " holds the number '5.1'; choose dataset.header: false if it is data already");
    InMemoryDataFiles unknown =
        table(TABLE).with("mine/test.csv", "height,weight,who,kind\n5,1,dan,fox\n");
    assertThatThrownBy(() -> load(withUsers("test.csv", true), unknown))
        .hasMessageEndingWith("at test.csv line 2: no training row has the label 'fox'");
    InMemoryDataFiles other = table(TABLE).with("mine/test.csv", "height,who,kind\n5,dan,cat\n");
    assertThatThrownBy(() -> load(withUsers("test.csv", true), other))
        .hasMessageContaining("mine/test.csv is damaged at its header: its columns are [height");
    InMemoryDataFiles two = table(TABLE).with("mine/other.csv", TABLE);
    assertThatThrownBy(() -> load(source(), two))
        .isInstanceOf(SettingException.class)
        .hasMessage("mine has 2 tables: other.csv, train.csv");
    assertThatThrownBy(() -> load(source().part("x"), table("x,y,kind\ntrain,1,a\nvalid,2,b\n")))
        .hasMessageContaining("line 3: the column 'x' says 'valid', not train or test");
  }

  @Test
  void aColumnOfManyWordsIsRefusedAndNotDropped() {
    StringBuilder text = new StringBuilder("name,x,kind\n");
    for (int i = 0; i < 60; i++) {
      text.append("person ").append(i).append(',').append(i).append(i % 2 == 0 ? ",a\n" : ",b\n");
    }
    assertThatThrownBy(() -> load(source(), table(text.toString())))
        .isInstanceOf(SettingException.class)
        .hasMessage(
            "the column 'name' of mine/train.csv has 60 different words, such as person 0, person"
                + " 1, person 2");
    assertThat(load(source().ignore(List.of("name")), table(text.toString())).width()).isEqualTo(1);
  }

  @Test
  void otherEncodingsAreReadWhereTheyAreNamed() {
    byte[] latin =
        "x,kind\n1,caf\u00e9\n2,tea\n3,caf\u00e9\n4,tea\n".getBytes(StandardCharsets.ISO_8859_1);
    InMemoryDataFiles files = new InMemoryDataFiles().with("mine/train.csv", latin);
    assertThatThrownBy(() -> load(source(), files))
        .hasMessageContaining("line 2: a character is not UTF-8")
        .hasMessageContaining("dataset.encoding: latin1");
    assertThat(load(source().encoding(TableFormat.Encoding.LATIN1), files).className(0))
        .isEqualTo("caf\u00e9");
    InMemoryDataFiles wide =
        new InMemoryDataFiles()
            .with(
                "mine/train.csv", "x,kind\n1,a\n2,b\n3,a\n4,b\n".getBytes(StandardCharsets.UTF_16));
    assertThat(load(source(), wide).classes()).isEqualTo(2);
  }
}

package io.kindred.learning.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableReaderTest {
  private static final TableFormat NO_HEADER =
      TableFormatBuilder.from(TableFormat.USUAL).header(false).build();

  private static TableReader.Read read(String text, TableFormat format) {
    return TableReader.text("made", text.getBytes(StandardCharsets.UTF_8), format);
  }

  private static String lines(String text) {
    return read(text, NO_HEADER).table().rows().stream()
        .map(row -> row.place() + " " + String.join("|", row.values()))
        .collect(Collectors.joining(" / "));
  }

  @Test
  void separatedValuesAreReadAsProgramsWriteThem() {
    assertThat(lines("\uFEFFa;b\r\n\r\n 1 ;\" x;\"\"y\"\"\r\nz\"\r\n2;\r\n"))
        .isEqualTo("line 1 a|b / line 3 1| x;\"y\"\r\nz / line 5 2|");
    assertThat(lines("a\tb\n  \n1\t\"2\"")).isEqualTo("line 1 a|b / line 3 1|2");
    assertThatThrownBy(() -> lines("a,b\n1,\"x\ny\"\n2,\"3\"4\n"))
        .hasMessage(
            "made is damaged at line 4: a quotation mark is not closed, or text follows a"
                + " closing one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "1,2/3,4 # ,",
        "1,5;2,5/3,5;4,5 # ;",
        "a|b/c|d # |",
        "'\"a,b\",c/\"d;e\",f' # ,",
        "0.00632  18.00   2.310/0.02731   0.00  7.070 # blank",
        "single/column # ,"
      })
  void theSeparatorIsTheOneThatFitsAllLines(String text, String separator) {
    assertThat(read(text.replace("/", "\n"), NO_HEADER).separator()).isEqualTo(separator);
  }

  @Test
  void columnsWithoutNamesAreCounted() {
    assertThat(read("5.1,iris\n", NO_HEADER).table().columns())
        .containsExactly("column1", "column2");
    assertThat(read(",x\n0,2\n", TableFormat.USUAL).table().columns())
        .containsExactly("column1", "x");
    assertThat(read("0,1,y\n7,8,a\n", TableFormat.USUAL).table().columns())
        .containsExactly("0", "1", "y");
    TableFormat named = TableFormatBuilder.from(NO_HEADER).names(List.of("a", "b")).build();
    assertThat(read("1,2\n", named).table().columns()).containsExactly("a", "b");
    assertThatThrownBy(() -> read("1,2,3\n", named))
        .hasMessage("2 names for the 3 columns of made");
  }

  @ParameterizedTest
  @CsvSource({
    "1, true",
    "-0.5, true",
    "+3e-7, true",
    ".5, true",
    "5., true",
    "1e, false",
    "1f, false",
    "NaN, false",
    "0x1, false",
    "., false",
    "'', false",
    "1 000, false",
    "'1,5', false"
  })
  void onlyDecimalNotationIsANumber(String text, boolean number) {
    assertThat(TableFormat.isNumber(text)).isEqualTo(number);
  }

  @Test
  void commasAreDecimalSignsOnlyWhereThatIsSaid() {
    TableFormat comma =
        TableFormatBuilder.from(TableFormat.USUAL).decimal(TableFormat.Decimal.COMMA).build();
    assertThat(comma.number("-1,25")).isEqualTo(-1.25);
    assertThat(comma.number("7")).isEqualTo(7);
    assertThat(comma.number("1.234,5")).isNaN();
    assertThat(TableFormat.USUAL.number("1,25")).isNaN();
  }
}

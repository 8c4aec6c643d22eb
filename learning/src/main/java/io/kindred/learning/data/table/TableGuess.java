package io.kindred.learning.data.table;

import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.RawTable;
import io.kindred.learning.data.format.TableFormat;
import io.kindred.learning.data.format.TableFormatBuilder;
import io.kindred.learning.data.format.TableReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Settings that would read a table, and why each was chosen. A guess is for a person to look at; no
 * run depends on one.
 */
public record TableGuess(TableSource source, List<String> reasons) {
  private static final List<String> LABELS =
      List.of("label", "class", "species", "diagnosis", "outcome", "income");
  private static final List<String> TARGETS = List.of("target", "y", "price", "value");
  private static final List<String> USERS =
      List.of(
          "user",
          "person",
          "subject",
          "patient",
          "client",
          "speaker",
          "writer",
          "site",
          "hospital",
          "garden",
          "device",
          "customer");
  private static final List<String> PARTS = List.of("part", "split", "set", "subset");
  private static final int MOST_CATEGORIES = 50;
  private static final int MOST_SHOWN = 5;
  private static final int MOST_NUMBERED_CLASSES = 20;

  /** What the cells of a column are. */
  private record Profile(int present, int numbers, int commas, Set<String> distinct) {
    boolean isNumber() {
      return present > 0 && numbers == present;
    }

    boolean hasDecimals() {
      return distinct.stream().anyMatch(each -> each.indexOf('.') >= 0 || each.indexOf(',') >= 0);
    }

    /** Whether the column can be a class. */
    boolean isClass() {
      int most = isNumber() ? MOST_NUMBERED_CLASSES : MOST_CATEGORIES;
      return distinct.size() >= 2 && distinct.size() <= most && !(isNumber() && hasDecimals());
    }
  }

  public TableGuess {
    reasons = List.copyOf(reasons);
  }

  /**
   * Looks at a table.
   *
   * @param test the file of the test rows; empty for none
   */
  public static TableGuess of(DataFiles files, String folder, String train, String test) {
    List<String> reasons = new ArrayList<>();
    TableFormat bare = TableFormatBuilder.from(TableFormat.USUAL).header(false).build();
    boolean parquet = train.toLowerCase(Locale.ROOT).endsWith(".parquet");
    RawTable lines = TableReader.read(files, folder, train, bare).table();
    boolean header = parquet || namesColumns(lines);
    if (!header) {
      reasons.add(
          "header: false, because line 1 looks like data: "
              + some(lines.rows().getFirst().values()));
    }
    RawTable table =
        header ? TableReader.read(files, folder, train, TableFormat.USUAL).table() : lines;
    List<Profile> profiles = profiles(table, TableFormat.USUAL);
    TableSourceBuilder source =
        TableSourceBuilder.from(TableSource.in(folder)).train(train).test(test).header(header);
    if (profiles.stream()
        .anyMatch(each -> each.commas > 0 && each.numbers + each.commas == each.present)) {
      source.decimal(TableFormat.Decimal.COMMA);
      TableFormat comma =
          TableFormatBuilder.from(TableFormat.USUAL).decimal(TableFormat.Decimal.COMMA).build();
      profiles = profiles(table, comma);
      reasons.add("decimal: comma, because a column has numbers such as 1,5 and no others");
    }
    roles(table, profiles, source, reasons);
    return new TableGuess(source.build(), reasons);
  }

  private static String some(List<String> cells) {
    return String.join(", ", cells.stream().limit(MOST_SHOWN).toList())
        + (cells.size() > MOST_SHOWN ? ", ..." : "");
  }

  /** Whether the first line can be a header: no number, and no word that is a cell further down. */
  private static boolean namesColumns(RawTable lines) {
    List<String> first = lines.rows().getFirst().values();
    if (lines.rows().size() < 2 || !TableReader.isHeader(first)) {
      return false;
    }
    for (int at = 0; at < first.size(); at++) {
      int column = at;
      boolean again =
          lines.rows().stream()
              .skip(1)
              .anyMatch(row -> row.values().get(column).equals(first.get(column)));
      if (again && !first.get(column).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private static List<Profile> profiles(RawTable table, TableFormat format) {
    List<Profile> profiles = new ArrayList<>();
    for (int at = 0; at < table.columns().size(); at++) {
      int present = 0;
      int numbers = 0;
      int commas = 0;
      Set<String> distinct = new LinkedHashSet<>();
      for (RawTable.Row row : table.rows()) {
        String cell = row.values().get(at);
        if (!format.isGap(cell)) {
          present++;
          numbers += Double.isFinite(format.number(cell)) ? 1 : 0;
          commas += TableFormat.isNumberWithComma(cell) ? 1 : 0;
          distinct.add(cell);
        }
      }
      profiles.add(new Profile(present, numbers, commas, distinct));
    }
    return profiles;
  }

  private static void roles(
      RawTable table, List<Profile> profiles, TableSourceBuilder source, List<String> reasons) {
    List<String> columns = table.columns();
    int user = named(columns, USERS).orElse(-1);
    int part =
        named(columns, PARTS)
            .filter(at -> TableTask.areParts(profiles.get(at).distinct))
            .orElse(-1);
    int label =
        named(columns, LABELS)
            .or(() -> named(columns, TARGETS))
            .orElseGet(() -> last(columns.size(), user, part));
    target(columns.get(label), profiles.get(label), source, reasons);
    if (user >= 0) {
      source.user(columns.get(user));
      reasons.add("user: " + columns.get(user) + ", by its name");
    }
    if (part >= 0) {
      source.part(columns.get(part));
      reasons.add("part: " + columns.get(part) + ", whose cells say train or test");
    }
    List<String> ignored = new ArrayList<>();
    boolean gaps = false;
    for (int at = 0; at < columns.size(); at++) {
      Profile profile = profiles.get(at);
      gaps |= profile.present > 0 && profile.present < table.rows().size();
      if (at == label || at == user || at == part) {
        continue;
      }
      if (counts(table, at)) {
        ignored.add(columns.get(at));
        reasons.add("ignore: " + columns.get(at) + " only counts the rows");
      } else if (2 * profile.numbers < profile.present
          && profile.distinct.size() > MOST_CATEGORIES) {
        ignored.add(columns.get(at));
        reasons.add(
            "ignore: "
                + columns.get(at)
                + " has "
                + profile.distinct.size()
                + " different words, too many for categories");
      }
    }
    source.ignore(ignored);
    if (gaps) {
      source.missing(TableSource.Missing.IMPUTE);
      reasons.add("missing: impute, because cells have no value; drop leaves such rows out");
    }
  }

  private static void target(
      String column, Profile profile, TableSourceBuilder source, List<String> reasons) {
    if (profile.isNumber() && !profile.isClass()) {
      source.targets(List.of(column));
      reasons.add(
          "targets: ["
              + column
              + "], because the column holds many different numbers: a regression");
      return;
    }
    String name = column.toLowerCase(Locale.ROOT);
    boolean isNamed = LABELS.contains(name) || TARGETS.contains(name);
    source.label(column);
    reasons.add("label: " + column + (isNamed ? ", by its name" : ", the last column: a guess"));
  }

  private static Optional<Integer> named(List<String> columns, List<String> names) {
    return names.stream()
        .flatMap(
            name -> columns.stream().filter(each -> each.toLowerCase(Locale.ROOT).equals(name)))
        .map(columns::indexOf)
        .findFirst();
  }

  /** The last column that has no other use. */
  private static int last(int columns, int user, int part) {
    int at = columns - 1;
    while (at > 0 && (at == user || at == part)) {
      at--;
    }
    return at;
  }

  /** Whether each cell is one more than the cell above. */
  private static boolean counts(RawTable table, int at) {
    List<RawTable.Row> rows = table.rows();
    for (int i = 0; i < rows.size(); i++) {
      String cell = rows.get(i).values().get(at);
      String above = i == 0 ? "" : rows.get(i - 1).values().get(at);
      boolean whole = cell.matches("\\d{1,15}") && (i == 0 || above.matches("\\d{1,15}"));
      if (!whole || (i > 0 && Long.parseLong(cell) != Long.parseLong(above) + 1)) {
        return false;
      }
    }
    return rows.size() > 2;
  }
}

package io.kindred.experiment.tuning;

import io.kindred.core.random.RandomStream;
import io.kindred.storage.OperatorException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values that a tuning tries for one setting, as they are written in an experiment file. */
public sealed interface TuningRange {
  /** Drawn numbers have so many digits: more would suggest a precision that a tuning lacks. */
  MathContext DIGITS = new MathContext(3, RoundingMode.HALF_EVEN);

  /** Some values, each as likely as the others. */
  record Listed(List<String> values) implements TuningRange {
    public Listed {
      values = List.copyOf(values);
    }

    @Override
    public TuningRange around(String current, String where) {
      return this;
    }

    @Override
    public String draw(RandomStream random, boolean whole) {
      return values.get(random.nextInt(values.size()));
    }

    @Override
    public List<String> levels(int count, boolean whole) {
      return values;
    }
  }

  /**
   * All numbers between two bounds.
   *
   * @param logarithmic whether the logarithms are uniform, not the numbers
   * @param relative whether the bounds are multiples of the setting's current value
   */
  record Interval(BigDecimal low, BigDecimal high, boolean logarithmic, boolean relative)
      implements TuningRange {
    @Override
    public TuningRange around(String current, String where) {
      if (!relative) {
        return this;
      }
      BigDecimal value = new BigDecimal(current);
      if (value.signum() <= 0) {
        throw malformed(
            where, "multiples need a value above 0, but the file has " + current, "give numbers");
      }
      return new Interval(low.multiply(value), high.multiply(value), logarithmic, false);
    }

    @Override
    public String draw(RandomStream random, boolean whole) {
      if (whole && !logarithmic) {
        int first = low.setScale(0, RoundingMode.CEILING).intValueExact();
        int last = high.setScale(0, RoundingMode.FLOOR).intValueExact();
        return Integer.toString(first + random.nextInt(last - first + 1));
      }
      return at(random.nextDouble(), whole);
    }

    @Override
    public List<String> levels(int count, boolean whole) {
      List<String> levels = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        levels.add(at(count == 1 ? 0.5 : (double) i / (count - 1), whole));
      }
      return levels.stream().distinct().toList();
    }

    /** The number at a share of the way from the lower to the higher bound. */
    private String at(double share, boolean whole) {
      double from = logarithmic ? StrictMath.log(low.doubleValue()) : low.doubleValue();
      double to = logarithmic ? StrictMath.log(high.doubleValue()) : high.doubleValue();
      double number = from + share * (to - from);
      BigDecimal exact = new BigDecimal(logarithmic ? StrictMath.exp(number) : number);
      BigDecimal rounded = whole ? exact.setScale(0, RoundingMode.HALF_EVEN) : exact.round(DIGITS);
      return normalized(rounded.max(low).min(high).toString());
    }
  }

  /** One text for each number, such as 2 for 2.0, so that equal settings are equal texts. */
  static String normalized(String value) {
    if (!Syntax.ONE_NUMBER.matcher(value).matches()) {
      return value;
    }
    BigDecimal number = new BigDecimal(value).stripTrailingZeros();
    int exponent = number.precision() - number.scale() - 1;
    return Math.abs(exponent) <= Syntax.LONGEST_PLAIN ? number.toPlainString() : number.toString();
  }

  /**
   * The range for a setting with this current value.
   *
   * @param where the origin of the range, for an error message
   */
  TuningRange around(String current, String where);

  /** A random value. */
  String draw(RandomStream random, boolean whole);

  /** Values for a grid: so many at equal distances, or all listed values. */
  List<String> levels(int count, boolean whole);

  /**
   * Reads a range, such as {@code 0.01..1 log} or {@code 1,2,4}.
   *
   * @param where the origin of the text, for an error message
   * @param number whether the setting is a number
   */
  static TuningRange parse(String text, String where, boolean number) {
    String stripped = text.strip();
    Matcher interval = Syntax.INTERVAL.matcher(stripped);
    if (interval.matches()) {
      return interval(interval, where, number);
    }
    List<String> values = Arrays.stream(stripped.split(",", -1)).map(String::strip).toList();
    if (stripped.contains("..") || values.stream().anyMatch(String::isEmpty)) {
      throw malformed(
          where,
          "'" + text + "' is not a range",
          "write LOW..HIGH, 'LOW..HIGH log', multiples as in 0.3x..3x, or values as in 1,2,4");
    }
    return new Listed(values.stream().map(TuningRange::normalized).distinct().toList());
  }

  private static Interval interval(Matcher match, String where, boolean number) {
    if (!number) {
      throw malformed(where, "the setting is not a number", "list its values, as in a,b");
    }
    BigDecimal low = new BigDecimal(match.group("low"));
    BigDecimal high = new BigDecimal(match.group("high"));
    boolean relative = !match.group("lowTimes").isEmpty();
    boolean logarithmic = match.group("log") != null;
    if (relative == match.group("highTimes").isEmpty()) {
      throw malformed(where, "only one bound is a multiple", "write both with x, as in 0.3x..3x");
    }
    if (low.compareTo(high) >= 0) {
      throw malformed(where, "the range does not rise", "write the lower bound first");
    }
    if (logarithmic && low.signum() <= 0) {
      throw malformed(
          where, "a log range must begin above 0", "raise its lower bound, or leave log out");
    }
    return new Interval(low, high, logarithmic, relative);
  }

  private static OperatorException malformed(String where, String problem, String remedy) {
    return new OperatorException(
        OperatorException.WRONG_USE, where + ": " + problem + "; " + remedy);
  }

  /** The notation of numbers and intervals. */
  final class Syntax {
    private static final String NUMBER = "[+-]?(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:[eE][+-]?\\d+)?";
    private static final Pattern ONE_NUMBER = Pattern.compile(NUMBER);

    /** Numbers with a larger exponent are written with it. */
    private static final int LONGEST_PLAIN = 9;

    private static final Pattern INTERVAL =
        Pattern.compile(
            "(?<low>%s)(?<lowTimes>x?)\\.\\.(?<high>%s)(?<highTimes>x?)(?<log>\\s+log)?"
                .formatted(NUMBER, NUMBER));

    private Syntax() {}
  }
}

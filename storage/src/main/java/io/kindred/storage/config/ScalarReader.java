package io.kindred.storage.config;

import io.kindred.core.config.PowerUnit;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.storage.config.ConfigNode.Scalar;
import io.kindred.storage.config.ConfigNode.Sequence;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Pattern;

/** Reads one scalar as the type that a key requires. */
final class ScalarReader {
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,40}");

  /** Narrower than Java's own parser, which would accept 1d, 0x1p3 and NaN. */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");

  private static final double MILLIWATTS_PER_WATT = 1000;
  private static final int LONGEST_SHOWN = 60;

  private ScalarReader() {}

  static Object read(Shape shape, ConfigNode node, String path, Bounds bounds) {
    if (!(node instanceof Scalar scalar)) {
      throw mismatch(shape, node, path, bounds);
    }
    String text = scalar.text();
    return switch (shape) {
      case Shape.Whole whole -> whole(whole, scalar, path, bounds);
      case Shape.Real _ -> real(shape, scalar, path, bounds);
      case Shape.Flag _ when text.equals("true") -> true;
      case Shape.Flag _ when text.equals("false") -> false;
      case Shape.Text _ -> text;
      case Shape.EnumConstant enumConstant -> word(enumConstant, scalar, path, bounds);
      default -> throw mismatch(shape, node, path, bounds);
    };
  }

  static ConfigException mismatch(Shape shape, ConfigNode node, String path, Bounds bounds) {
    return mismatch(shape, node, path, bounds, "");
  }

  private static ConfigException mismatch(
      Shape shape, ConfigNode node, String path, Bounds bounds, String hint) {
    return new ConfigException(
        node.origin(),
        "'%s' must be %s, but is %s%s".formatted(path, shape.phrase(bounds), show(node), hint));
  }

  private static Object whole(Shape.Whole shape, Scalar scalar, String path, Bounds bounds) {
    if (!WHOLE.matcher(scalar.text()).matches()) {
      throw mismatch(shape, scalar, path, bounds);
    }
    BigInteger value = new BigInteger(scalar.text());
    if (value.bitLength() >= (shape.wide() ? Long.SIZE : Integer.SIZE)) {
      String size = value.signum() > 0 ? "large" : "small";
      throw mismatch(shape, scalar, path, bounds, ", which is too " + size);
    }
    if (!bounds.admits(value.doubleValue())) {
      throw mismatch(shape, scalar, path, bounds);
    }
    if (shape.wide()) {
      return value.longValueExact();
    }
    return value.intValueExact();
  }

  private static Object real(Shape shape, Scalar scalar, String path, Bounds bounds) {
    String suffix =
        switch (bounds.unit()) {
          case NONE -> "";
          case RATIO -> "dB";
          case WATTS -> "dBm";
        };
    boolean logarithmic = !suffix.isEmpty() && scalar.text().endsWith(suffix);
    String number =
        logarithmic
            ? scalar.text().substring(0, scalar.text().length() - suffix.length()).strip()
            : scalar.text();
    if (!DECIMAL.matcher(number).matches()) {
      throw mismatch(shape, scalar, path, bounds);
    }
    double value =
        logarithmic ? linear(Double.parseDouble(number), bounds) : Double.parseDouble(number);
    if (Double.isInfinite(value)) {
      throw mismatch(shape, scalar, path, bounds, ", which is too large");
    }
    if (!bounds.admits(value)) {
      throw mismatch(shape, scalar, path, bounds);
    }
    return value;
  }

  /** Decibels as a ratio, or decibels over a milliwatt as watts. */
  private static double linear(double decibels, Bounds bounds) {
    double ratio = StrictMath.pow(10, decibels / 10);
    return bounds.unit() == PowerUnit.WATTS ? ratio / MILLIWATTS_PER_WATT : ratio;
  }

  private static Object word(Shape.EnumConstant shape, Scalar scalar, String path, Bounds bounds) {
    List<String> names = shape.names();
    int index = names.indexOf(scalar.text());
    if (index < 0) {
      String hint =
          NearestName.among(names, scalar.text())
              .map(near -> "; did you mean '" + near + "'?")
              .orElse("");
      throw mismatch(shape, scalar, path, bounds, hint);
    }
    return shape.type().getEnumConstants()[index];
  }

  private static String show(ConfigNode node) {
    return switch (node) {
      case Mapping _ -> "a section";
      case Sequence _ -> "a list";
      case Scalar scalar ->
          scalar.text().length() <= LONGEST_SHOWN
              ? "'" + scalar.text() + "'"
              : "'" + scalar.text().substring(0, LONGEST_SHOWN) + "...'";
    };
  }
}

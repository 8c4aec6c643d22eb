package io.kindred.learning.data.synthetic;

/**
 * The strokes of one character, written as a short path: {@code M} moves the pen, {@code L} draws a
 * line and {@code C} a cubic curve.
 */
final class StrokePath {
  static final char MOVE_TO = 'M';
  static final char LINE_TO = 'L';
  static final char CURVE_TO = 'C';

  private final char[] commands;
  private final double[] coordinates;

  private StrokePath(char[] commands, double[] coordinates) {
    this.commands = commands;
    this.coordinates = coordinates;
  }

  static StrokePath parse(String path) {
    String[] words = path.trim().split(" +", -1);
    StringBuilder commands = new StringBuilder();
    double[] coordinates = new double[words.length];
    int numbersDue = 0;
    for (int i = 0; i < words.length; i++) {
      String number = words[i];
      if (Character.isLetter(number.charAt(0))) {
        requireComplete(numbersDue, path);
        commands.append(number.charAt(0));
        numbersDue = 2 * points(number.charAt(0));
        number = number.substring(1);
      }
      coordinates[i] = Integer.parseInt(number);
      numbersDue--;
    }
    requireComplete(numbersDue, path);
    return new StrokePath(commands.toString().toCharArray(), coordinates);
  }

  private static void requireComplete(int numbersDue, String path) {
    if (numbersDue != 0) {
      throw new IllegalArgumentException("wrong number of coordinates in path: " + path);
    }
  }

  /** The number of points that follow a command. */
  static int points(char command) {
    return switch (command) {
      case MOVE_TO, LINE_TO -> 1;
      case CURVE_TO -> 3;
      default -> throw new IllegalArgumentException("unknown command in a path: " + command);
    };
  }

  int commands() {
    return commands.length;
  }

  char command(int index) {
    return commands[index];
  }

  /** The number of points of all commands. */
  int points() {
    return coordinates.length / 2;
  }

  double x(int point) {
    return coordinates[2 * point];
  }

  double y(int point) {
    return coordinates[2 * point + 1];
  }
}

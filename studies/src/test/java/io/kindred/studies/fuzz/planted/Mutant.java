package io.kindred.studies.fuzz.planted;

import java.util.List;

/**
 * A planted bug.
 *
 * @param name what is wrong
 * @param places the methods that it changes
 */
record Mutant(String name, List<Place> places) {
  /**
   * A changed method; all methods of that name.
   *
   * @param type the binary name of its class, without {@code io.kindred.}
   */
  record Place(String type, String method, Change change) {
    String className() {
      return "io.kindred." + type;
    }
  }

  static Mutant of(String name, String type, String method, Change change) {
    return new Mutant(name, List.of(new Place(type, method, change)));
  }

  Mutant and(String type, String method, Change change) {
    return new Mutant(
        name,
        java.util.stream.Stream.concat(
                places.stream(), java.util.stream.Stream.of(new Place(type, method, change)))
            .toList());
  }
}

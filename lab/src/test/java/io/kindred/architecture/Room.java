package io.kindred.architecture;

import java.util.List;

/** One Maven module and package of the house, with the names of the rooms it may depend on. */
record Room(String name, List<String> sees) {
  Room {
    sees = List.copyOf(sees);
  }

  private static Room of(String name, String... sees) {
    return new Room(name, List.of(sees));
  }

  /**
   * From the ground up: a room sees only rooms above it in this list, so no cycle can be stated.
   */
  static final List<Room> ALL =
      List.of(
          of("core"),
          of("protocol", "core"),
          of("learning", "core"),
          of("methods", "core", "protocol", "learning"),
          of("world", "core"),
          of("simulator", "core", "protocol", "learning", "methods", "world"),
          of("files", "core", "protocol", "learning"),
          of("node", "core", "protocol", "learning", "methods", "files"),
          of(
              "lab",
              "core",
              "protocol",
              "learning",
              "methods",
              "world",
              "simulator",
              "files",
              "node"),
          edge("spark"),
          edge("dashboard"),
          edge("benchmarks"));

  /** Rooms without IO, threads, clock or anything else that could make two runs differ. */
  static final List<String> PURE = List.of("core", "protocol", "learning", "methods", "world");

  /** A room that may see the whole house but not the other edges: nothing depends on an edge. */
  private static Room edge(String name) {
    return of(
        name,
        "core",
        "protocol",
        "learning",
        "methods",
        "world",
        "simulator",
        "files",
        "node",
        "lab");
  }

  static Room named(String name) {
    return ALL.stream()
        .filter(room -> room.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknown(name)));
  }

  static boolean isKnown(String name) {
    return ALL.stream().anyMatch(room -> room.name.equals(name));
  }

  static String unknown(String name) {
    return "'"
        + name
        + "' is no room of the house; remedy: move it into one, or add it to Room.ALL";
  }

  boolean maySee(String other) {
    return name.equals(other) || sees.contains(other);
  }

  /** Says which arrow is wrong and what to do about it. */
  String wrongArrow(String to, String detail) {
    return name
        + " -> "
        + to
        + ": "
        + detail
        + "; "
        + name
        + " may see "
        + (sees.isEmpty() ? "no other room" : String.join(", ", sees))
        + "; remedy: move what both need down into a room both see, or let "
        + name
        + " own an interface that "
        + to
        + " implements";
  }
}

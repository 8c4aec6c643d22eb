package io.kindred.report.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The hostile peers of a run, whose figures no table and no plot counts. */
record HostilePeerList(String behaviour, List<String> names, int peers) {
  static final HostilePeerList NONE = new HostilePeerList("", List.of(), 0);

  HostilePeerList {
    names = List.copyOf(names);
  }

  static HostilePeerList of(JsonNode file) {
    List<String> names = new ArrayList<>();
    file.path("hostile").forEach(each -> names.add(each.asString()));
    return new HostilePeerList(
        file.path("behaviour").asString(""), names, names.size() + file.path("honest").size());
  }

  /** A sentence for the reader of a report; empty where all peers are honest. */
  Optional<String> note() {
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            names.size()
                + " of "
                + peers
                + " peers are hostile ("
                + behaviour
                + "): "
                + String.join(", ", names)
                + "; all figures are of the honest peers");
  }
}

package io.kindred.report.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * What each peer deploys and why, and whose models it mixed in, from {@code explanations.json}.
 *
 * @param groups what the groups have in common: planted or label; empty without groups
 * @param classes names of the labels; empty if they have only numbers
 */
public record Explanations(String groups, List<Peer> peers, List<String> classes) {
  /** The group of a peer whose group is not known. */
  public static final int NO_GROUP = -1;

  /**
   * One peer.
   *
   * @param choice the model that it deploys; empty for methods without a choice
   * @param purity share of the pulled weight that belongs to the own planted group
   * @param pulled mean weight of the models of each other peer
   * @param sentence the explanation in words
   */
  public record Peer(
      long number,
      int group,
      int rounds,
      String choice,
      OptionalDouble purity,
      SortedMap<Long, Double> pulled,
      String sentence) {
    private static Peer of(JsonNode node) {
      SortedMap<Long, Double> pulled = new TreeMap<>();
      node.path("pulled")
          .forEach(each -> pulled.put(each.path("peer").asLong(), each.path("weight").asDouble()));
      return new Peer(
          node.path("peer").asLong(),
          node.has("group") ? node.path("group").asInt() : NO_GROUP,
          node.path("rounds").asInt(),
          node.path("choice").asString(""),
          node.has("purity")
              ? OptionalDouble.of(node.path("purity").asDouble())
              : OptionalDouble.empty(),
          pulled,
          node.path("sentence").asString(""));
    }
  }

  public Explanations {
    peers = List.copyOf(peers);
    classes = List.copyOf(classes);
  }

  static Explanations of(JsonNode document, List<String> classes) {
    List<Peer> peers = new ArrayList<>();
    document.path("peers").forEach(each -> peers.add(Peer.of(each)));
    return new Explanations(document.path("groups").asString(""), peers, classes);
  }

  /** The name of a group: "group 2" if it is planted, "label owl" if a label dominates in it. */
  public String groupName(int group) {
    if (group == NO_GROUP) {
      return "unknown group";
    }
    if (!groups.equals("label")) {
      return "group " + group;
    }
    return "label " + (group < classes.size() ? classes.get(group) : Integer.toString(group));
  }

  /** Peers by group, groups and peers in rising order. */
  public SortedMap<Integer, List<Peer>> byGroup() {
    SortedMap<Integer, List<Peer>> byGroup = new TreeMap<>();
    peers.forEach(each -> byGroup.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each));
    return byGroup;
  }

  /** The number of peers that deploy each model, in the order of the models' names. */
  public SortedMap<String, Integer> choices() {
    SortedMap<String, Integer> counts = new TreeMap<>();
    peers.stream()
        .filter(each -> !each.choice().isEmpty())
        .forEach(each -> counts.merge(each.choice(), 1, Integer::sum));
    return counts;
  }

  /** Whether any peer mixed in a model of another peer. */
  public boolean mixed() {
    return peers.stream().anyMatch(each -> !each.pulled().isEmpty());
  }

  /** How many of the last evaluated rounds the pulled models cover. */
  public int rounds() {
    return peers.stream().mapToInt(Peer::rounds).max().orElse(0);
  }

  /** The group of a peer by its number. */
  public Optional<Integer> groupOf(long peer) {
    return peers.stream()
        .filter(each -> each.number() == peer)
        .map(Peer::group)
        .filter(group -> group != NO_GROUP)
        .findFirst();
  }
}

package io.kindred.methods.hfl.formation;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Initial clusters of a search: of allowed sizes, each with a client that reaches all its members.
 * If some pairs cannot reach each other, heads are chosen first; whether the other clients can be
 * assigned to given heads is a matching problem, which is solved exactly.
 */
final class InitialClusters {
  /**
   * All choices of heads are tried if there are no more than this, otherwise so many random ones.
   */
  private static final int MAX_HEAD_CHOICES = 20_000;

  private final FormationInput input;
  private final FormationSettings rule;
  private final int clients;

  InitialClusters(FormationInput input, FormationSettings rule) {
    this.input = input;
    this.rule = rule;
    clients = input.clients();
  }

  /** Clients in random order, dealt out evenly; a fixed head gets the cluster of its number. */
  ClientAssignment randomEven(RandomStream random) {
    int[] order = random.permutation(clients);
    int[] fixed = input.heads().fixed();
    int[] of = new int[clients];
    int dealt = 0;
    for (int client : order) {
      if (!input.heads().isFixedHead(client)) {
        of[client] = dealt++ % rule.count();
      }
    }
    for (int cluster = 0; cluster < fixed.length; cluster++) {
      of[fixed[cluster]] = cluster;
    }
    return new ClientAssignment(of, rule.count());
  }

  /** The wanted clustering if each of its clusters has a head, otherwise another one with heads. */
  ClientAssignment withReachableHeads(ClientAssignment wanted, RandomStream random) {
    RoundTimes times = new RoundTimes(input, wanted);
    for (int cluster = 0; cluster < wanted.clusters(); cluster++) {
      if (times.of(cluster) == Double.POSITIVE_INFINITY) {
        return searchHeads(random);
      }
    }
    return wanted;
  }

  /** Brings sizes within their bounds, moving as few clients as necessary, drawn at random. */
  ClientAssignment balanced(ClientAssignment assignment, RandomStream random) {
    ClientAssignment evened = assignment.copy();
    int most = rule.most(clients);
    for (int client : random.permutation(clients)) {
      int smallest = 0;
      int largest = 0;
      for (int cluster = 1; cluster < evened.clusters(); cluster++) {
        smallest = evened.size(cluster) < evened.size(smallest) ? cluster : smallest;
        largest = evened.size(cluster) > evened.size(largest) ? cluster : largest;
      }
      if (evened.hasSizesWithin(rule.least(), most)) {
        break;
      }
      if (evened.clusterOf(client) == largest) {
        evened.move(client, smallest);
      }
    }
    return evened.hasSizesWithin(rule.least(), most) ? evened : randomEven(random);
  }

  private ClientAssignment searchHeads(RandomStream random) {
    if (input.heads().isFixed()) {
      return aroundFixedHeads();
    }
    boolean all = headChoices() <= MAX_HEAD_CHOICES;
    int[] naming = random.permutation(clients);
    int[] heads = new int[rule.count()];
    if (all) {
      for (int i = 0; i < heads.length; i++) {
        heads[i] = i;
      }
    }
    for (int tried = 0; tried < MAX_HEAD_CHOICES; tried++) {
      int[] chosen = all ? heads : Arrays.copyOf(random.permutation(clients), heads.length);
      int[] named = Arrays.stream(chosen).map(each -> naming[each]).toArray();
      HeadMatching headMatching = new HeadMatching(input, rule, named);
      if (headMatching.assignAll()) {
        return new ClientAssignment(headMatching.clusters(), rule.count());
      }
      if (all && !nextCombination(heads)) {
        break;
      }
    }
    throw new NoClusteringException(
        (all
                ? "there is no clustering of "
                : "no clustering was found in " + MAX_HEAD_CHOICES + " tries of ")
            + (clients + " clients into " + rule.count() + " clusters of " + rule.least())
            + (" to " + rule.most(clients) + " in which a head reaches every member"));
  }

  private ClientAssignment aroundFixedHeads() {
    HeadMatching headMatching = new HeadMatching(input, rule, input.heads().fixed());
    if (!headMatching.assignAll()) {
      throw new NoClusteringException(
          "there is no clustering of " + clients + " clients in which fixed heads reach them all");
    }
    return new ClientAssignment(headMatching.clusters(), rule.count());
  }

  private double headChoices() {
    double count = 1;
    for (int i = 0; i < rule.count(); i++) {
      count *= (clients - i) / (i + 1.0);
    }
    return count;
  }

  /** Advances to the next choice of heads in lexicographic order; false after the last one. */
  private boolean nextCombination(int[] heads) {
    for (int i = heads.length - 1; i >= 0; i--) {
      if (heads[i] < clients - heads.length + i) {
        heads[i]++;
        for (int j = i + 1; j < heads.length; j++) {
          heads[j] = heads[j - 1] + 1;
        }
        return true;
      }
    }
    return false;
  }
}

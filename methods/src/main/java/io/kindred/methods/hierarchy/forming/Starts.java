package io.kindred.methods.hierarchy.forming;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Where a search begins: clusters of allowed sizes, each with somebody who reaches everybody in it.
 * Where some pairs cannot reach each other heads are chosen first; whether the others can be shared
 * out among given heads is a matching, which is decided exactly.
 */
final class Starts {
  /** All choices of heads are tried while there are no more than this, otherwise so many. */
  private static final int MOST_CHOICES = 20_000;

  private final Situation situation;
  private final Grouping rule;
  private final int clients;

  Starts(Situation situation, Grouping rule) {
    this.situation = situation;
    this.rule = rule;
    clients = situation.clients();
  }

  /** Clients in random order, dealt out evenly. */
  Clustering dealt(RandomStream random) {
    int[] order = random.permutation(clients);
    int[] of = new int[clients];
    for (int i = 0; i < clients; i++) {
      of[order[i]] = i % rule.count();
    }
    return new Clustering(of, rule.count());
  }

  /** The clustering as it is if every cluster has a head, or one that has. */
  Clustering reachable(Clustering wanted, RandomStream random) {
    RoundTimes times = new RoundTimes(situation, wanted);
    for (int cluster = 0; cluster < wanted.clusters(); cluster++) {
      if (times.of(cluster) == Double.POSITIVE_INFINITY) {
        return headsFirst(random);
      }
    }
    return wanted;
  }

  /** Brings sizes within their bounds, moving as few as need be, drawn at random. */
  Clustering evened(Clustering clustering, RandomStream random) {
    Clustering evened = clustering.copy();
    int most = rule.most(clients);
    for (int client : random.permutation(clients)) {
      int smallest = 0;
      int largest = 0;
      for (int cluster = 1; cluster < evened.clusters(); cluster++) {
        smallest = evened.size(cluster) < evened.size(smallest) ? cluster : smallest;
        largest = evened.size(cluster) > evened.size(largest) ? cluster : largest;
      }
      if (evened.within(rule.least(), most)) {
        break;
      }
      if (evened.of(client) == largest) {
        evened.move(client, smallest);
      }
    }
    return evened.within(rule.least(), most) ? evened : dealt(random);
  }

  private Clustering headsFirst(RandomStream random) {
    boolean all = choices() <= MOST_CHOICES;
    int[] naming = random.permutation(clients);
    int[] heads = new int[rule.count()];
    if (all) {
      for (int i = 0; i < heads.length; i++) {
        heads[i] = i;
      }
    }
    for (int tried = 0; tried < MOST_CHOICES; tried++) {
      int[] chosen = all ? heads : Arrays.copyOf(random.permutation(clients), heads.length);
      int[] named = Arrays.stream(chosen).map(each -> naming[each]).toArray();
      Matching matching = new Matching(situation, rule, named);
      if (matching.succeeds()) {
        return new Clustering(matching.clusters(), rule.count());
      }
      if (all && !advance(heads)) {
        break;
      }
    }
    throw new NoClusteringException(
        (all ? "no clustering of " : "no clustering was found, in " + MOST_CHOICES + " tries, of ")
            + (clients + " clients into " + rule.count() + " clusters of " + rule.least())
            + (" to " + rule.most(clients) + " in which a head reaches every member"));
  }

  private double choices() {
    double count = 1;
    for (int i = 0; i < rule.count(); i++) {
      count *= (clients - i) / (i + 1.0);
    }
    return count;
  }

  /** The next choice of so many in lexicographic order. */
  private boolean advance(int[] heads) {
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

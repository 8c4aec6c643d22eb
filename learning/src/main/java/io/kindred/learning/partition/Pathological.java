package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Each peer sees only a few classes (McMahan et al., 2017, section 3): the given fraction of them,
 * rounded, and never fewer than one. Classes are shared by as equal numbers of peers as their sizes
 * allow, and the peers that share a class get equal parts of it, to within one sample. All samples
 * are handed out, save where the peers' classes together are fewer than there are: then the samples
 * of the classes that nobody holds stay behind.
 */
@Named(value = "pathological", summary = "label skew: each peer sees a fraction of the classes")
public record Pathological(
    @Setting(doc = "fraction of the classes that a peer sees", fallback = "0.2", above = 0, max = 1)
        double fraction)
    implements Partition {
  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    requireFraction();
    Pile.requireOneEach(labels.size(), peers);
    List<Pile> byClass = Pile.byClass(labels, classes);
    int present = (int) byClass.stream().filter(pile -> pile.size() > 0).count();
    int perPeer = Math.min(present, (int) Math.max(1, Math.round(fraction * classes)));
    int[] holders = countHolders(byClass, peers, perPeer, random);
    return share(byClass, chooseHolders(holders, peers, perPeer, random), peers, random);
  }

  private void requireFraction() {
    if (!(fraction > 0 && fraction <= 1)) {
      throw new Complaint(
          "partition.fraction",
          "no peer can see a fraction of " + fraction + " of the classes",
          "choose a number above 0 and at most 1");
    }
  }

  /**
   * How many peers hold each class: one more for every class in turn until all places are taken. No
   * class gets more holders than it has samples, or a peer would hold a class in name only.
   */
  private int[] countHolders(List<Pile> byClass, int peers, int perPeer, RandomStream random) {
    int[] holders = new int[byClass.size()];
    long places = (long) peers * perPeer;
    while (places > 0) {
      long before = places;
      for (int label : random.permutation(holders.length)) {
        if (places > 0 && holders[label] < Math.min(peers, byClass.get(label).size())) {
          holders[label]++;
          places--;
        }
      }
      if (places == before) {
        throw new Complaint(
            "partition.fraction",
            "some classes have too few samples to give "
                + peers
                + " peers "
                + perPeer
                + " classes each",
            "use a smaller fraction, fewer peers or more samples");
      }
    }
    return holders;
  }

  /**
   * Which peers hold each class. Every peer takes the classes that still want most holders, chance
   * deciding between equals: the greedy rule of Havel and Hakimi, which never gets stuck, because a
   * class that wants as many holders as there are peers left is always among those taken.
   */
  private static List<Pile> chooseHolders(
      int[] holders, int peers, int perPeer, RandomStream random) {
    int[] wanted = holders.clone();
    List<Pile> chosen = Pile.empty(wanted.length);
    for (int peer = 0; peer < peers; peer++) {
      List<Integer> order =
          Arrays.stream(random.permutation(wanted.length))
              .boxed()
              .sorted(Comparator.comparingInt(label -> -wanted[label]))
              .toList();
      for (int label : order.subList(0, perPeer)) {
        chosen.get(label).add(peer);
        wanted[label]--;
      }
    }
    return chosen;
  }

  private static List<Ints> share(
      List<Pile> byClass, List<Pile> holders, int peers, RandomStream random) {
    List<Pile> shares = Pile.empty(peers);
    for (int label = 0; label < byClass.size(); label++) {
      int[] samples = byClass.get(label).shuffled(random);
      // In random order too, so that the samples left over by division favour nobody.
      int[] takers = holders.get(label).shuffled(random);
      for (int i = 0; takers.length > 0 && i < samples.length; i++) {
        shares.get(takers[i % takers.length]).add(samples[i]);
      }
    }
    return Pile.sorted(shares);
  }
}

package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * Each peer sees only a few classes (McMahan et al., 2017, section 3): the given fraction of them,
 * rounded, and never fewer than one. Classes are held by as equal numbers of peers as their sizes
 * allow, and the peers that hold a class get equal parts of it, to within one sample. All samples
 * are assigned, except those of classes that no peer holds, if the peers together hold fewer
 * classes than there are.
 */
@Named(
    value = "pathological",
    summary = "label skew: each peer has samples of a fraction of the classes only")
public record Pathological(
    @Setting(
            doc = "fraction of the classes that a peer has samples of",
            fallback = "0.2",
            above = 0,
            max = 1)
        double fraction,
    @Setting(
            doc =
                "number of classes that a peer has samples of, instead of a fraction; 0 uses the"
                    + " fraction",
            fallback = "0",
            min = 0)
        int classes)
    implements LabelPartition {
  /** By fraction of the classes. */
  public Pathological(double fraction) {
    this(fraction, 0);
  }

  @Override
  public List<Ints> assign(Ints labels, int classesOfAll, int peers, RandomStream random) {
    requireFraction();
    IndexList.requireEnoughSamples(labels.size(), peers);
    List<IndexList> byClass = IndexList.groupByClass(labels, classesOfAll);
    int present = (int) byClass.stream().filter(indexList -> indexList.size() > 0).count();
    long asked = classes > 0 ? classes : Math.max(1, Math.round(fraction * classesOfAll));
    int perPeer = (int) Math.min(present, asked);
    String key = classes > 0 ? "partition.classes" : "partition.fraction";
    List<IndexList> holders = ClassHolders.choose(byClass, peers, perPeer, key, random);
    return share(byClass, holders, peers, random);
  }

  private void requireFraction() {
    if (!(fraction > 0 && fraction <= 1)) {
      throw new SettingException(
          "partition.fraction",
          "a peer cannot have a fraction of " + fraction + " of the classes",
          "choose a number above 0 and at most 1");
    }
  }

  private static List<Ints> share(
      List<IndexList> byClass, List<IndexList> holders, int peers, RandomStream random) {
    List<IndexList> shares = IndexList.emptyLists(peers);
    for (int label = 0; label < byClass.size(); label++) {
      int[] samples = byClass.get(label).shuffled(random);
      // In random order too, so that the remainder of the division favours no peer.
      int[] takers = holders.get(label).shuffled(random);
      for (int i = 0; takers.length > 0 && i < samples.length; i++) {
        shares.get(takers[i % takers.length]).add(samples[i]);
      }
    }
    return IndexList.sorted(shares);
  }
}

package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.Optional;

/**
 * The two-stage partition of the hierarchical learning paper (section 5.1). The first stage draws
 * sizes: sample counts with the requested standard deviation over the peers, none below a minimum
 * (quadratic programming). The second stage gives each peer a number of random classes, and
 * distributes samples so that every class is used up and every peer has its size (linear
 * programming). All samples are assigned.
 *
 * <p>Random classes need not allow the sizes; then they are drawn again a few times, and if no
 * attempt succeeds the sizes change as little as possible. The paper's deviations are for the
 * 50,000 images of CIFAR: with fewer samples they are scaled down in proportion.
 */
@Named(
    value = "two-stage",
    summary =
        "sample counts with a given standard deviation, and a given number of classes"
            + " for each peer")
public record TwoStage(
    @Setting(
            doc = "standard deviation of the peers' sample counts, for perSamples samples",
            fallback = "750",
            min = 0)
        double sigma,
    @Setting(doc = "classes that each peer has samples of", fallback = "4", min = 1) int classes,
    @Setting(doc = "fewest samples a peer may hold", fallback = "10", min = 1) int minimum,
    @Setting(
            doc =
                "number of samples that sigma refers to; sigma is scaled to the actual number; 0"
                    + " does not scale",
            fallback = "50000",
            min = 0)
        int perSamples)
    implements LabelPartition {
  private static final int ATTEMPTS = 20;

  /** The requested deviation, scaled to this number of samples. */
  public double deviation(int samples) {
    return perSamples == 0 ? sigma : sigma * samples / perSamples;
  }

  @Override
  public List<Ints> assign(Ints labels, int classesOfAll, int peers, RandomStream random) {
    IndexList.requireEnoughSamples(labels.size(), peers);
    List<IndexList> byClass = IndexList.groupByClass(labels, classesOfAll);
    int present = (int) byClass.stream().filter(indexList -> indexList.size() > 0).count();
    int perPeer = Math.min(present, classes);
    if ((long) peers * perPeer < present) {
      throw new SettingException(
          "partition.classes",
          (peers + " peers with " + perPeer + " of " + present)
              + " classes each leave some classes without a peer",
          "use more peers or more classes for each peer");
    }
    int least = Math.max(minimum, perPeer);
    int[] sizes =
        SizesWithDeviation.draw(labels.size(), peers, least, deviation(labels.size()), random);
    return IndexList.sorted(
        IndexList.deal(byClass, allocate(byClass, sizes, perPeer, random), random));
  }

  private int[][] allocate(List<IndexList> byClass, int[] sizes, int perPeer, RandomStream random) {
    int[] ofClasses = byClass.stream().mapToInt(IndexList::size).toArray();
    Optional<ClassAllocation> best = Optional.empty();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      List<IndexList> holders =
          ClassHolders.choose(byClass, sizes.length, perPeer, "partition.classes", random);
      ClassAllocation classAllocation = ClassAllocation.solve(sizes, ofClasses, holders);
      if (best.isEmpty() || classAllocation.sizeError() < best.get().sizeError()) {
        best = Optional.of(classAllocation);
      }
      if (classAllocation.sizeError() == 0) {
        break;
      }
    }
    ClassAllocation found = best.orElseThrow();
    if (found.smallestShare() < minimum) {
      throw new SettingException(
          "partition.minimum",
          ("with "
                  + perPeer
                  + " classes for each of "
                  + sizes.length
                  + " peers, one peer would hold only ")
              + (found.smallestShare() + " samples"),
          "use a smaller minimum, more classes for each peer or fewer peers");
    }
    return found.counts();
  }
}

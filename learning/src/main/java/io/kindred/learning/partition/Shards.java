package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * Label skew by shards (McMahan et al., 2017, section 3): samples sorted by label are cut into
 * shards of equal size, to within one sample, and each peer gets a few of them. A shard may span
 * two classes, so a peer sees at most one class more than it has shards where classes are no
 * smaller than shards. All samples are assigned.
 */
@Named(
    value = "shards",
    summary = "label skew: samples are sorted by label and cut into shards, a few for each peer")
public record Shards(
    @Setting(doc = "shards that each peer gets", fallback = "2", min = 1, max = 1e6) int perPeer)
    implements LabelPartition {
  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    IndexList.requireEnoughSamples(labels.size(), peers);
    long shards = (long) peers * perPeer;
    if (shards > labels.size()) {
      throw new SettingException(
          "partition.perPeer",
          labels.size() + " samples do not make " + shards + " shards",
          "choose at most " + labels.size() / peers + " shards for each peer, or use more samples");
    }
    IndexList sorted = new IndexList();
    for (IndexList samples : IndexList.groupByClass(labels, classes)) {
      for (int sample : samples.shuffled(random)) {
        sorted.add(sample);
      }
    }
    int[] holders = random.permutation((int) shards);
    List<IndexList> shares = IndexList.emptyLists(peers);
    for (int i = 0; i < sorted.size(); i++) {
      int shard = (int) (i * shards / sorted.size());
      shares.get(holders[shard] / perPeer).add(sorted.get(i));
    }
    return IndexList.sorted(shares);
  }
}

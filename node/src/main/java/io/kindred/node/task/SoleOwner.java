package io.kindred.node.task;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.learning.partition.Partition;
import io.kindred.learning.partition.PartitionResult;
import io.kindred.learning.partition.SamplePool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** All samples belong to one peer: a node sees no data but its own. A server owns none. */
@Named(value = "owner", summary = "all samples belong to this node")
public record SoleOwner(@Setting(doc = "peer number of the node", min = 0) int peer)
    implements Partition {
  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    List<Ints> shares = new ArrayList<>(Collections.nCopies(peers, Ints.of()));
    if (peer < peers) {
      shares.set(peer, Ints.wrap(IntStream.range(0, pool.count()).toArray()));
    }
    return PartitionResult.ofShares(shares);
  }
}

package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;

/** A rule that hands samples out to peers; a record whose components are its settings. */
public interface Partition {
  /**
   * The indices of each peer's samples. No index is handed out twice; it always ends.
   *
   * @throws io.kindred.core.settings.Complaint when the request cannot be met, with the key and the
   *     remedy
   */
  List<Ints> assign(Ints labels, int classes, int peers, RandomStream random);
}

package io.kindred.studies.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** The random peers that each peer is told of when it starts. */
record Introductions(int peers, int count, long seed) implements IntFunction<List<PeerId>> {
  private static final Purpose INTRODUCTIONS = new Purpose("discovery-introductions");

  @Override
  public List<PeerId> apply(int peer) {
    RandomStream random = new RandomStreams(seed).stream(INTRODUCTIONS, peer, 0);
    List<PeerId> known = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      known.add(new PeerId(random.nextInt(peers)));
    }
    return known.stream().filter(each -> each.number() != peer).distinct().toList();
  }
}

package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;

/** A peer's identity, settings and random streams, fixed before its discovery starts. */
public record DiscoveryContext(PeerId self, ViewSettings settings, RandomStreams streams) {
  private static final Purpose DISCOVERY = new Purpose("discovery");

  /** The stream of the given number; a peer uses each number once. */
  RandomStream random(long number) {
    return streams.stream(DISCOVERY, self.number(), number);
  }

  PeerSampling sampling() {
    return new PeerSampling(self, settings);
  }

  SimilarityView view() {
    return new SimilarityView(self, settings);
  }
}

package io.kindred.protocol.discovery;

import io.kindred.core.config.Named;
import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.Candidate;
import java.util.List;

/** Messages between {@link Discovery} and the other machines of the same peer. */
public sealed interface DiscoveryLocalMessage extends LocalMessage {
  /**
   * To discovery: the peer has trained its model of a round. Begins the exchanges of the round.
   *
   * @param version larger than that of every earlier model, see {@link Descriptor}
   */
  @Named("discovery/model-trained")
  record ModelTrained(long version, Sketch sketch) implements DiscoveryLocalMessage {}

  /**
   * To discovery: which peers are most similar now? {@link Similar} repeats the number.
   *
   * @param draw whether the most similar peers are taken, or peers are drawn by similarity
   */
  @Named("discovery/find-similar")
  record FindSimilar(long number, int wanted, SimilarityDraw draw)
      implements DiscoveryLocalMessage {
    /** Asks for the most similar peers. */
    public FindSimilar(long number, int wanted) {
      this(number, wanted, SimilarityDraw.NEAREST);
    }
  }

  /** From discovery: the most similar peers of the view, the best first. */
  @Named("discovery/similar")
  record Similar(long number, List<Candidate> candidates) implements DiscoveryLocalMessage {
    public Similar {
      candidates = List.copyOf(candidates);
    }
  }

  /**
   * To discovery: the peer has pulled a model and sketched exactly the weights that were sent.
   *
   * @param version the version that the owner's reply named
   */
  @Named("discovery/model-pulled")
  record ModelPulled(PeerId owner, long version, Sketch sketch) implements DiscoveryLocalMessage {}

  /** To discovery: the shell could not deliver a request for a model to this peer. */
  @Named("discovery/peer-unreachable")
  record PeerUnreachable(PeerId peer) implements DiscoveryLocalMessage {}

  /** To discovery: search the network for models similar to any target. */
  @Named("discovery/search")
  record Search(long number, Sketch target, int wanted) implements DiscoveryLocalMessage {}

  /**
   * From discovery: the end of a search.
   *
   * @param asked number of peers that were asked
   */
  @Named("discovery/search-finished")
  record SearchFinished(long number, List<Candidate> candidates, int asked, long ticks)
      implements DiscoveryLocalMessage {
    public SearchFinished {
      candidates = List.copyOf(candidates);
    }
  }
}

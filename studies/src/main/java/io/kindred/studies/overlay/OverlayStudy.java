package io.kindred.studies.overlay;

import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.environment.NetworkSettings;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.churn.NoChurn;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.topology.Topology;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.SearchRule;
import java.util.ArrayList;
import java.util.List;

/** Settings of one overlay and of the queries that it answers. */
@Buildable
public record OverlayStudy(
    @Setting(doc = "number of peers", fallback = "200", min = 2, max = 1e6) int peers,
    @Setting(doc = "seed of all random draws", fallback = "1", min = 0) long seed,
    @Setting(doc = "which peers are neighbours", fallback = "{name: k-regular, degree: 8}")
        Topology topology,
    @Setting(doc = "links between peers, and the devices that peers run on", fallback = "{}")
        NetworkSettings network,
    @Setting(doc = "how the overlay is built", fallback = "{}") OverlaySettings overlay,
    @Setting(doc = "how the overlay is searched", fallback = "{}") SearchRule search,
    @Setting(doc = "beams to try in place of search.beam, one after another", fallback = "[]")
        List<Integer> beams,
    @Setting(doc = "whether to try the beam per level and per super-peer", fallback = "false")
        boolean bothReadings,
    @Setting(
            doc = "numbers of candidates that queries request, tried one after another",
            fallback = "[20]")
        List<Integer> wanted,
    @Setting(doc = "number of peers that query; 0 means all", fallback = "0", min = 0) int askers,
    @Setting(doc = "seconds between two peers' queries", fallback = "0.05", above = 0)
        double everySeconds,
    @Setting(doc = "drawn signatures, used if no models are given", fallback = "{}")
        SyntheticSignatureSettings drawn) {
  /** Settings of signatures that are drawn in planted clusters. */
  public record SyntheticSignatureSettings(
      @Setting(doc = "length of the vectors", fallback = "1024", min = 2, max = 1e9) int dimension,
      @Setting(doc = "entries of a signature, P", fallback = "64", min = 1) int entries,
      @Setting(doc = "number of clusters; 0 means one per 50 peers", fallback = "0", min = 0)
          int clusters,
      @Setting(
              doc = "groups of clusters; 0 means the square root of the number of clusters",
              fallback = "0",
              min = 0)
          int groups,
      @Setting(doc = "weight of a group's vector", fallback = "0.7", min = 0) double group,
      @Setting(doc = "weight of a cluster's vector", fallback = "1", min = 0) double cluster,
      @Setting(doc = "weight of a peer's own vector", fallback = "0.7", min = 0) double own) {
    /** The same vectors with signatures of another size. */
    public SyntheticSignatureSettings withEntries(int number) {
      return new SyntheticSignatureSettings(
          dimension, number, clusters, groups, group, cluster, own);
    }

    SyntheticSignatures generator(int peers) {
      int number = clusters > 0 ? clusters : Math.max(4, peers / 50);
      int above = groups > 0 ? groups : Math.max(1, (int) Math.round(Math.sqrt(number)));
      return new SyntheticSignatures(
          dimension,
          Math.min(entries, dimension),
          Math.min(above, number),
          number,
          new SyntheticSignatures.VectorShares(group, cluster, own));
    }

    /** The vectors of which these settings draw signatures. */
    public SyntheticVectors vectors(int peers, long seed) {
      return generator(peers).vectors(seed);
    }
  }

  SimulatedEnvironment world(TextFiles files) {
    RandomStreams streams = new RandomStreams(seed);
    return new SimulatedEnvironment(
        topology.connect(peers, streams.stream(Purpose.TOPOLOGY, 0, 0), files),
        network,
        new NoChurn(),
        Faults.NONE,
        streams);
  }

  public PeerSignatures drawSignatures() {
    return drawn.generator(peers).draw(peers, seed);
  }

  /**
   * Every combination of beam scope, beam and number of candidates, in the order of the settings.
   */
  List<Question> questions() {
    List<Question> questions = new ArrayList<>();
    List<SearchRule.BeamScope> beamScopes =
        bothReadings
            ? List.of(SearchRule.BeamScope.LEVEL, SearchRule.BeamScope.NODE)
            : List.of(search.beamScope());
    for (SearchRule.BeamScope beamScope : beamScopes) {
      for (int beam : beams.isEmpty() ? List.of(search.beam()) : beams) {
        for (int count : wanted) {
          questions.add(
              new Question(
                  Math.min(count, peers - 1), new SearchRule(beam, beamScope, search.visits())));
        }
      }
    }
    return questions;
  }

  /** A kind of query: the number of wanted candidates, and the limits of the search. */
  record Question(int wanted, SearchRule rule) {}

  int askerCount() {
    return askers == 0 ? peers : Math.min(askers, peers);
  }

  /** Asking peers are spread evenly over all peers. */
  boolean isAsker(long peer) {
    return peer * askerCount() / peers != (peer + 1) * askerCount() / peers;
  }
}

package io.kindred.studies.discovery;

import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.discovery.ViewSettings;
import io.kindred.studies.discovery.DiscoveryStudy.DriftSettings;
import io.kindred.studies.discovery.DiscoveryStudy.LiarSettings;
import io.kindred.studies.discovery.DiscoveryStudy.SplitSettings;

/** A network of gossiped views under faults, which then has to recover. */
@Buildable
public record DiscoveryFuzzCase(
    @Setting(doc = "number of peers", fallback = "64", min = 8, max = 100000) int peers,
    @Setting(doc = "seed of all random draws", fallback = "1", min = 0) long seed,
    @Setting(doc = "rounds with faults", fallback = "30", min = 1, max = 100000) int faultRounds,
    @Setting(
            doc = "rounds without faults, within which the views have to recover",
            fallback = "20",
            min = 1,
            max = 100000)
        int quietRounds,
    @Setting(doc = "waves of a round", fallback = "8", min = 1, max = 1000) int waves,
    @Setting(doc = "similar peers that a peer pulls in a round", fallback = "5", min = 1, max = 7)
        int wanted,
    @Setting(
            doc = "share of the peers that goes down in a round",
            fallback = "0",
            min = 0,
            max = 0.9)
        double churn,
    @Setting(doc = "share of the messages that are lost", fallback = "0", min = 0, max = 0.9)
        double loss,
    @Setting(doc = "peers that change to another cluster", fallback = "{}") DriftSettings drift,
    @Setting(doc = "a division of the network into two parts", fallback = "{}") SplitSettings split,
    @Setting(doc = "peers that advertise false sketches", fallback = "{}") LiarSettings liars,
    @Setting(doc = "how peers keep their views", fallback = "{}") ViewSettings views) {
  private static final Purpose FUZZ = new Purpose("discovery-fuzz");
  private static final int MINIMUM_PEERS = 8;

  /**
   * This case with another seed, which draws the number of peers and the faults up to those of this
   * case. Each fault is left out in a third of the seeds: faults hide each other's bugs.
   */
  public DiscoveryFuzzCase withSeed(long number) {
    RandomStream random = new RandomStreams(number).stream(FUZZ, -1, 0);
    int count = MINIMUM_PEERS + random.nextInt(peers - MINIMUM_PEERS + 1);
    double drawnChurn = drawRate(churn, random);
    double drawnLoss = drawRate(loss, random);
    boolean splits = random.nextInt(3) > 0 && split.from() > 0;
    int first = drawBetween(split.from(), split.to(), random);
    int last = drawBetween(first, split.to(), random);
    boolean drifts = random.nextInt(3) > 0 && drift.at() > 0;
    int at = drawBetween(1, Math.max(1, drift.at()), random);
    double lying = drawRate(liars.share(), random);
    LiarSettings.Kind kind =
        random.nextInt(2) == 0 ? LiarSettings.Kind.CLAIM : LiarSettings.Kind.COLLUDE;
    return DiscoveryFuzzCaseBuilder.from(this)
        .peers(count)
        .seed(number)
        .waves(1 + random.nextInt(waves))
        .churn(drawnChurn)
        .loss(drawnLoss)
        .split(splits ? new SplitSettings(first, last) : new SplitSettings(0, 0))
        .drift(new DriftSettings(drift.share(), drifts ? at : 0))
        .liars(new LiarSettings(lying, kind))
        .build();
  }

  private static int drawBetween(int from, int to, RandomStream random) {
    return from + random.nextInt(Math.max(1, to - from + 1));
  }

  private static double drawRate(double most, RandomStream random) {
    boolean left = random.nextInt(3) == 0;
    double drawn = random.uniform(0, most);
    // Rounded, so that the configuration written for a replay is short and exact.
    return left ? 0 : Math.round(drawn * 1e6) / 1e6;
  }
}

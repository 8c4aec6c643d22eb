package io.kindred.environment.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.mobility.RandomWaypoint;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.Channel.ErrorOf;
import io.kindred.environment.radio.Channel.Moments;
import io.kindred.environment.radio.ComputedGains;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.RadioField;
import io.kindred.environment.radio.RadioMedium;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.Graph;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RadioLinksTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);
  private static final Channel AS_PRINTED =
      Channel.paperDefaults().withModel(Moments.PRINTED, ErrorOf.JOINT, false);

  private static RadioLinks links(Channel channel, double epsilon, int target) {
    return new RadioLinks(channel, 50, epsilon, target, RadioTransfers.usual(), 0.005);
  }

  @Test
  void linksHaveTheErrorOfTheFieldAndServersAreReachedByWire() {
    RadioLinks settings = links(Channel.paperDefaults(), 1, -1);
    LinkModel linkModel = settings.forPeers(6, 60, STREAMS);
    RadioField radioField = settings.radioField(6, STREAMS);
    Link link = linkModel.between(2, 4, 0, STREAMS);
    assertThat(link.loss()).isEqualTo(radioField.errorProbability(2, 4)).isBetween(0.0, 1.0);
    assertThat(link.bytesPerSecond()).isEqualTo(Channel.paperDefaults().bytesPerSecond());
    assertThat(linkModel.between(6, 2, 0, STREAMS).loss()).isZero();
    RadioBlocks radioBlocks = linkModel.radioBlocks().orElseThrow();
    assertThat(radioBlocks.connects(6, 2)).isFalse();
    assertThat(radioBlocks.connects(2, 4)).isTrue();
  }

  @Test
  void bothEndsOfALinkChooseTheirNeighbours() {
    RadioLinks settings = links(AS_PRINTED, 0.05, -1);
    RadioField radioField = settings.radioField(11, STREAMS);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph reachable = settings.forPeers(11, 60, STREAMS).restrictToReachable(complete);
    assertThat(reachable.edges()).isBetween(1, complete.edges() - 1);
    for (int a = 0; a < 11; a++) {
      for (int b = 0; b < 11; b++) {
        boolean chosen =
            a != b
                && (radioField.errorProbability(a, b) < 0.05
                    || radioField.errorProbability(b, a) < 0.05);
        assertThat(reachable.hasEdge(a, b)).isEqualTo(chosen);
      }
    }
  }

  @Test
  void everyPeerReceivesFromTheNeighboursThatItChose() {
    RadioLinks settings = links(AS_PRINTED, 0.05, -1);
    RadioField radioField = settings.radioField(11, STREAMS);
    LinkModel linkModel = settings.forPeers(11, 60, STREAMS);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    var chosen = linkModel.chosenNeighbours(linkModel.restrictToReachable(complete)).orElseThrow();
    int oneWay = 0;
    for (int a = 0; a < 11; a++) {
      int[] own = chosen.get(a).copy();
      List<Integer> selected = radioField.select(a, 0.05).selected();
      assertThat(Arrays.stream(own).boxed().toList()).isEqualTo(selected);
      for (int b : own) {
        oneWay += radioField.errorProbability(a, b) < 0.05 ? 0 : 1;
      }
    }
    assertThat(oneWay).isPositive();
    assertThat(links(AS_PRINTED, 1, -1).forPeers(11, 60, STREAMS).chosenNeighbours(complete))
        .isEmpty();
  }

  @Test
  void peersWithoutANeighbourAreNamed() {
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Channel deaf = AS_PRINTED.withSinrThreshold(1e11);
    LinkModel strict = links(deaf, 0.05, -1).forPeers(11, 60, STREAMS);
    assertThat(strict.warnings(strict.restrictToReachable(complete)))
        .singleElement()
        .asString()
        .contains("peers 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 ")
        .contains("train alone");
    LinkModel one = links(deaf, 0.05, 4).forPeers(11, 60, STREAMS);
    assertThat(one.warnings(one.restrictToReachable(complete)).getFirst())
        .contains("peer 4 ")
        .contains("trains alone");
    assertThat(links(AS_PRINTED, 1, -1).forPeers(11, 60, STREAMS).warnings(complete)).isEmpty();
  }

  @Test
  void aTargetAndThoseItHearsAreConnectedAndTheOthersAlone() {
    RadioLinks settings = links(AS_PRINTED, 0.05, 4);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph reachable = settings.forPeers(11, 60, STREAMS).restrictToReachable(complete);
    var selected = settings.radioField(11, STREAMS).select(4, 0.05).selected();
    assertThat(selected).isNotEmpty();
    assertThat(reachable.neighbours().get(4))
        .isEqualTo(Ints.wrap(selected.stream().mapToInt(Integer::intValue).toArray()));
    for (int peer = 0; peer < 11; peer++) {
      int expected = peer == 4 || selected.contains(peer) ? selected.size() : 0;
      assertThat(reachable.degree(peer)).isEqualTo(expected);
    }
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> links(Channel.paperDefaults(), 1, 9).forPeers(5, 60, STREAMS))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("no peer 9");
    assertThatThrownBy(
            () ->
                new RadioLinks(Channel.paperDefaults(), 0.5, 1, -1, RadioTransfers.usual(), 0.005))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("below the reference");
  }

  @Test
  void linksAndBlocksFollowThePeersThatMove() {
    RandomWaypoint walk = new RandomWaypoint(5, 10, 0);
    Channel channel = Channel.paperDefaults();
    RadioLinks settings =
        new RadioLinks(
            channel, 50, 1, -1, walk, new ComputedGains(), RadioTransfers.usual(), 0.005);
    LinkModel linkModel = settings.forPeers(6, 30, STREAMS);
    PeerPositions placed = PeerPositions.uniform(6, 50, STREAMS.stream(Purpose.PLACEMENT, 0, 0));
    RadioField inRoundTwo = new RadioField(channel, walk.from(placed, 50, STREAMS).at(60), STREAMS);
    assertThat(linkModel.varyOverTime()).isTrue();
    int changed = 0;
    for (int from = 1; from < 6; from++) {
      double loss = linkModel.between(from, 0, 2, STREAMS).loss();
      assertThat(loss).isEqualTo(inRoundTwo.errorProbability(from, 0));
      changed += loss == linkModel.between(from, 0, 0, STREAMS).loss() ? 0 : 1;
    }
    assertThat(changed).isPositive();
    // 60 s are 1,200 blocks of 0.05 s.
    List<RadioMedium.Sender> sender = List.of(new RadioMedium.Sender(4, 2));
    RadioMedium there = new RadioMedium(channel, block -> inRoundTwo, false, STREAMS);
    assertThat(linkModel.radioBlocks().orElseThrow().medium().transmissions(1_200, sender))
        .isEqualTo(there.transmissions(1_200, sender))
        .isNotEmpty();
    assertThat(settings.radioField(6, STREAMS).positions()).isEqualTo(placed);
  }

  @Test
  void peersThatMoveKeepTheNeighboursOfTheirFirstPositions() {
    RadioLinks still = links(AS_PRINTED, 0.05, -1);
    RadioLinks moving =
        new RadioLinks(
            AS_PRINTED,
            50,
            0.05,
            -1,
            new RandomWaypoint(5, 10, 0),
            new ComputedGains(),
            RadioTransfers.usual(),
            0.005);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    LinkModel links = moving.forPeers(11, 30, STREAMS);
    links.between(0, 1, 7, STREAMS);
    assertThat(links.restrictToReachable(complete))
        .isEqualTo(still.forPeers(11, 30, STREAMS).restrictToReachable(complete));
  }
}

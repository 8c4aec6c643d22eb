package io.kindred.environment.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.Channel.ErrorOf;
import io.kindred.environment.radio.Channel.Moments;
import io.kindred.environment.radio.RadioField;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.Graph;
import org.junit.jupiter.api.Test;

class RadioLinksTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);
  private static final Channel AS_PRINTED =
      Channel.paperDefaults().withModel(Moments.PRINTED, ErrorOf.JOINT, false);

  private static RadioLinks links(Channel channel, double epsilon, int target, int retries) {
    return new RadioLinks(channel, 50, epsilon, target, retries, 0.05, 0.005);
  }

  @Test
  void linksFailAsOftenAsTheFieldSaysAndServersAreReachedByWire() {
    RadioLinks settings = links(Channel.paperDefaults(), 1, -1, 0);
    LinkModel linkModel = settings.forPeers(6, STREAMS);
    RadioField radioField = settings.radioField(6, STREAMS);
    Link link = linkModel.between(2, 4, 0, STREAMS);
    assertThat(link.loss()).isEqualTo(radioField.errorProbability(2, 4)).isBetween(0.0, 1.0);
    assertThat(link.bytesPerSecond()).isEqualTo(Channel.paperDefaults().bytesPerSecond());
    int lost = 0;
    int tries = 20_000;
    for (int i = 0; i < tries; i++) {
      // Far apart in time, so that every message has a block of its own.
      LinkModel.Attempts attempts =
          linkModel.attempt(2, 4, link, i * 50_000L, STREAMS.stream(Purpose.FAULTS, 2, i));
      lost += attempts.arrived() ? 0 : 1;
    }
    assertThat(lost / (double) tries).isCloseTo(link.loss(), within(0.015));
    assertThat(linkModel.between(6, 2, 0, STREAMS).loss()).isZero();
    assertThat(linkModel.attempt(6, 2, link, 0, STREAMS.stream(Purpose.FAULTS, 6, 0)).arrived())
        .isTrue();
  }

  @Test
  void repeatingHelpsAndIsBounded() {
    LinkModel once = links(Channel.paperDefaults(), 1, -1, 0).forPeers(11, STREAMS);
    LinkModel often = links(Channel.paperDefaults(), 1, -1, 3).forPeers(11, STREAMS);
    int lostOnce = 0;
    int lostOften = 0;
    int most = 0;
    for (int i = 0; i < 2_000; i++) {
      Link link = once.between(1, 2, 0, STREAMS);
      var first = once.attempt(1, 2, link, i * 1_000_000L, STREAMS.stream(Purpose.FAULTS, 1, i));
      var more = often.attempt(1, 2, link, i * 1_000_000L, STREAMS.stream(Purpose.FAULTS, 1, i));
      lostOnce += first.arrived() ? 0 : 1;
      lostOften += more.arrived() ? 0 : 1;
      most = Math.max(most, more.count());
      assertThat(more.waitTicks()).isEqualTo((more.count() - 1) * 50_000L);
    }
    assertThat(lostOften).isLessThan(lostOnce / 2);
    assertThat(most).isEqualTo(4);
  }

  @Test
  void bothEndsOfALinkChooseTheirNeighbours() {
    RadioLinks settings = links(AS_PRINTED, 0.05, -1, 3);
    RadioField radioField = settings.radioField(11, STREAMS);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph reachable = settings.forPeers(11, STREAMS).restrictToReachable(complete);
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
  void aTargetAndThoseItHearsAreConnectedAndTheOthersAlone() {
    RadioLinks settings = links(AS_PRINTED, 0.05, 4, 3);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph reachable = settings.forPeers(11, STREAMS).restrictToReachable(complete);
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
    assertThatThrownBy(() -> links(Channel.paperDefaults(), 1, 9, 0).forPeers(5, STREAMS))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("no peer 9");
    assertThatThrownBy(() -> new RadioLinks(Channel.paperDefaults(), 0.5, 1, -1, 0, 0.05, 0.005))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("below the reference");
  }
}

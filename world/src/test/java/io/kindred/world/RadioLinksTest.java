package io.kindred.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.settings.Complaint;
import io.kindred.core.weights.Ints;
import io.kindred.world.radio.Channel;
import io.kindred.world.radio.Channel.ErrorOf;
import io.kindred.world.radio.Channel.Moments;
import io.kindred.world.radio.Field;
import org.junit.jupiter.api.Test;

class RadioLinksTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);
  private static final Channel AS_PRINTED =
      Channel.tableOne().computed(Moments.PRINTED, ErrorOf.JOINT, false);

  private static RadioLinks links(Channel channel, double epsilon, int target, int retries) {
    return new RadioLinks(channel, 50, epsilon, target, retries, 0.05, 0.005);
  }

  @Test
  void linksFailAsOftenAsTheFieldSaysAndServersAreReachedByWire() {
    RadioLinks settings = links(Channel.tableOne(), 1, -1, 0);
    Links links = settings.among(6, STREAMS);
    Field field = settings.field(6, STREAMS);
    Link link = links.between(2, 4, 0, STREAMS);
    assertThat(link.loss()).isEqualTo(field.error(2, 4)).isBetween(0.0, 1.0);
    assertThat(link.bytesPerSecond()).isEqualTo(Channel.tableOne().bytesPerSecond());
    int lost = 0;
    int tries = 20_000;
    for (int i = 0; i < tries; i++) {
      // Far apart in time, so that every message has a block of its own.
      Links.Attempts attempts =
          links.attempt(2, 4, link, i * 50_000L, STREAMS.stream(Purpose.FAULTS, 2, i));
      lost += attempts.arrived() ? 0 : 1;
    }
    assertThat(lost / (double) tries).isCloseTo(link.loss(), within(0.015));
    assertThat(links.between(6, 2, 0, STREAMS).loss()).isZero();
    assertThat(links.attempt(6, 2, link, 0, STREAMS.stream(Purpose.FAULTS, 6, 0)).arrived())
        .isTrue();
  }

  @Test
  void repeatingHelpsAndIsBounded() {
    Links once = links(Channel.tableOne(), 1, -1, 0).among(11, STREAMS);
    Links often = links(Channel.tableOne(), 1, -1, 3).among(11, STREAMS);
    int lostOnce = 0;
    int lostOften = 0;
    int most = 0;
    for (int i = 0; i < 2_000; i++) {
      Link link = once.between(1, 2, 0, STREAMS);
      var first = once.attempt(1, 2, link, i * 1_000_000L, STREAMS.stream(Purpose.FAULTS, 1, i));
      var more = often.attempt(1, 2, link, i * 1_000_000L, STREAMS.stream(Purpose.FAULTS, 1, i));
      lostOnce += first.arrived() ? 0 : 1;
      lostOften += more.arrived() ? 0 : 1;
      most = Math.max(most, more.made());
      assertThat(more.waitTicks()).isEqualTo((more.made() - 1) * 50_000L);
    }
    assertThat(lostOften).isLessThan(lostOnce / 2);
    assertThat(most).isEqualTo(4);
  }

  @Test
  void everybodyChoosesAtEitherEnd() {
    RadioLinks settings = links(AS_PRINTED, 0.05, -1, 3);
    Field field = settings.field(11, STREAMS);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph heard = settings.among(11, STREAMS).audible(complete);
    assertThat(heard.edges()).isBetween(1, complete.edges() - 1);
    for (int a = 0; a < 11; a++) {
      for (int b = 0; b < 11; b++) {
        boolean chosen = a != b && (field.error(a, b) < 0.05 || field.error(b, a) < 0.05);
        assertThat(heard.has(a, b)).isEqualTo(chosen);
      }
    }
  }

  @Test
  void aTargetAndThoseItHearsAreConnectedAndTheOthersAlone() {
    RadioLinks settings = links(AS_PRINTED, 0.05, 4, 3);
    Graph complete = new Complete().connect(11, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph heard = settings.among(11, STREAMS).audible(complete);
    var selected = settings.field(11, STREAMS).select(4, 0.05).selected();
    assertThat(selected).isNotEmpty();
    assertThat(heard.neighbours().get(4))
        .isEqualTo(Ints.wrap(selected.stream().mapToInt(Integer::intValue).toArray()));
    for (int peer = 0; peer < 11; peer++) {
      int expected = peer == 4 || selected.contains(peer) ? selected.size() : 0;
      assertThat(heard.degree(peer)).isEqualTo(expected);
    }
  }

  @Test
  void nonsenseIsRefused() {
    assertThatThrownBy(() -> links(Channel.tableOne(), 1, 9, 0).among(5, STREAMS))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("no peer 9");
    assertThatThrownBy(() -> new RadioLinks(Channel.tableOne(), 0.5, 1, -1, 0, 0.05, 0.005))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("below the reference");
  }
}

package io.kindred.environment.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.Graph;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TracedLinksTest {
  private static final RandomStreams STREAMS = new RandomStreams(3);

  private static LinkModel read(String text) {
    return new TracedLinks("l.csv", 0.02)
        .read(4, path -> Optional.of(text))
        .forPeers(4, 10, STREAMS);
  }

  @Test
  void linksAreThoseOfTheFileAtTheStartOfAnEnvironmentRound() {
    LinkModel links =
        read(
            "seconds,from,to,bytesPerSecond,loss\n0,0,1,1000,0.25\n15,0,1,2000,0\n20,1,0,5,0\n"
                + "0,2,0,0,0\n");
    assertThat(links.between(0, 1, 0, STREAMS)).isEqualTo(new Link(20_000, 1000, 0.25));
    assertThat(links.between(0, 1, 1, STREAMS)).isEqualTo(new Link(20_000, 1000, 0.25));
    assertThat(links.between(0, 1, 2, STREAMS)).isEqualTo(new Link(20_000, 2000, 0));
    Link down = new Link(20_000, 0, 1);
    assertThat(links.between(1, 0, 1, STREAMS)).isEqualTo(down);
    assertThat(links.between(1, 0, 2, STREAMS)).isEqualTo(new Link(20_000, 5, 0));
    assertThat(links.between(2, 0, 0, STREAMS)).isEqualTo(down);
    assertThat(links.between(2, 3, 9, STREAMS)).isEqualTo(down);
    // A server has no position in the file and is reached by wire.
    assertThat(links.between(4, 1, 0, STREAMS))
        .isEqualTo(new Link(20_000, Double.POSITIVE_INFINITY, 0));
    assertThat(links.varyOverTime()).isTrue();
    assertThat(read("from,to,bytesPerSecond\n0,1,5").varyOverTime()).isFalse();
  }

  @Test
  void neighboursAreConnectedInBothDirectionsAndLonePeersAreNamed() {
    LinkModel links = read("from,to,bytesPerSecond\n0,1,9\n1,0,9\n0,2,9\n3,0,9\n");
    Graph complete = new Complete().connect(4, STREAMS.stream(Purpose.TOPOLOGY, 0, 0));
    Graph reachable = links.restrictToReachable(complete);
    assertThat(reachable.edges()).isEqualTo(1);
    assertThat(reachable.hasEdge(0, 1)).isTrue();
    assertThat(links.warnings(reachable))
        .containsExactly(
            "'network.links.path': the file lists no link in both directions for peers 2, 3, so"
                + " these peers have no neighbour and train alone; add lines, or choose another"
                + " topology");
    assertThat(
            read("from,to,bytesPerSecond,latencySeconds\n0,1,9,0.5")
                .between(0, 1, 0, STREAMS)
                .latencyTicks())
        .isEqualTo(500_000);
  }

  @Test
  void wrongLinksAreRefusedWithTheirLine() {
    for (String wrong :
        List.of("0,0,5,0", "0,4,5,0", "0,1,-5,0", "0,1,5,1.5", "0,1,5,0\n0,1,6,0")) {
      assertThatThrownBy(() -> read("from,to,bytesPerSecond,loss\n" + wrong))
          .as(wrong)
          .isInstanceOf(SettingException.class)
          .hasMessageMatching("l.csv:[23]: .*");
    }
  }
}

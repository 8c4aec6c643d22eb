package io.kindred.environment.mobility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.mobility.Mobility.Movement;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.PeerPositions.Position;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MobilityTest {
  private static final RandomStreams STREAMS = new RandomStreams(5);
  private static final PeerPositions PLACED =
      PeerPositions.uniform(4, 50, STREAMS.stream(Purpose.PLACEMENT, 0, 0));

  private static Movement walk(double least, double most, double pause) {
    return new RandomWaypoint(least, most, pause).from(PLACED, 50, STREAMS);
  }

  private static Movement trace(int peers, String text) {
    return new PositionTrace("p.csv")
        .read(peers, path -> Optional.of(text))
        .from(PLACED, 50, STREAMS);
  }

  @Test
  void walkersKeepTheirSpeedAndStayInTheSquare() {
    Movement walk = walk(1, 3, 0);
    double metres = 0;
    for (int second = 0; second < 2_000; second++) {
      PeerPositions before = walk.at(second);
      PeerPositions after = walk.at(second + 1);
      for (int peer = 0; peer < 4; peer++) {
        Position there = after.positions().get(peer);
        double moved = before.positions().get(peer).distanceMetresTo(there);
        assertThat(moved).isLessThanOrEqualTo(3 + 1e-9);
        assertThat(there.x()).isBetween(0.0, 50.0);
        assertThat(there.y()).isBetween(0.0, 50.0);
        metres += moved;
      }
    }
    // Walks are equally long on the mean, so that the mean speed is the harmonic one of 1 to 3:
    // 2 / ln 3. Turns within a second shorten what is seen of it.
    assertThat(metres / 8_000).isBetween(1.6, 1.95);
  }

  @Test
  void peersSpreadOverTheWholeSquareAndTowardsItsMiddle() {
    Movement walk = walk(1, 3, 0);
    int samples = 40_000;
    double x = 0;
    double fromMiddle = 0;
    for (int i = 0; i < samples; i++) {
      Position there = walk.at(10.0 * i).positions().get(i % 4);
      x += there.x();
      fromMiddle += Math.abs(there.x() - 25);
    }
    assertThat(x / samples).isCloseTo(25, within(1.0));
    // 12.5 if every point were equally likely; waypoints are denser in the middle.
    assertThat(fromMiddle / samples).isBetween(9.0, 11.5);
  }

  @Test
  void positionsDependOnTheTimeAloneAndNotOnTheOrderOfQuestions() {
    Movement forward = walk(1, 3, 2);
    Movement backward = walk(1, 3, 2);
    assertThat(forward.at(0)).isEqualTo(PLACED);
    PeerPositions late = backward.at(700);
    for (int second = 0; second <= 700; second += 7) {
      assertThat(backward.at(700 - second)).isEqualTo(walk(1, 3, 2).at(700 - second));
      forward.at(second);
    }
    assertThat(forward.at(700)).isEqualTo(late);
    assertThat(walk(1, 3, 2).at(9)).isNotEqualTo(PLACED);
  }

  @Test
  void aPeerWaitsAtEachPointAndThenWalksAtTheSpeedDrawn() {
    Movement walk = walk(2, 2, 10);
    assertThat(walk.at(9.999)).isEqualTo(PLACED);
    Position first = walk.at(10).positions().getFirst();
    Position next = walk.at(10.5).positions().getFirst();
    assertThat(first.distanceMetresTo(next)).isCloseTo(1, within(1e-9));
    int waits = 0;
    double end = 20_000;
    for (double second = 10; second < end; second += 0.5) {
      waits += walk.at(second).equals(walk.at(second + 1e-6)) ? 1 : 0;
      Position here = walk.at(second).positions().getFirst();
      waits += here.equals(walk.at(second + 1e-3).positions().getFirst()) ? 1 : 0;
    }
    // A walk is 26.07 m on the mean (0.5214 sides), 13.03 s: so a peer waits 10 of 23.03 s.
    double allFour = Math.pow(10 / 23.03, 4);
    assertThat(waits / (2 * (end - 10))).isCloseTo(10 / 23.03 + allFour, within(0.03));
  }

  @Test
  void aTraceIsFollowedInStraightLines() {
    Movement trace = trace(2, "seconds,peer,x,y # walk\n10,0,0,0\n\n20,0,10,-20\n0,1,3,4\n");
    assertThat(trace.at(0).positions()).containsExactly(new Position(0, 0), new Position(3, 4));
    assertThat(trace.at(10).positions().getFirst()).isEqualTo(new Position(0, 0));
    assertThat(trace.at(12.5).positions().getFirst()).isEqualTo(new Position(2.5, -5));
    assertThat(trace.at(99).positions().getFirst()).isEqualTo(new Position(10, -20));
  }

  @Test
  void onlyATraceWithTwoPositionsOfAPeerMoves() {
    assertThat(read(1, "peer,x,y\n0,1,2").moves()).isFalse();
    assertThat(read(1, "peer,x,y,seconds\n0,1,2,0\n0,1,3,5").moves()).isTrue();
    assertThat(new StillPeers().moves()).isFalse();
    assertThat(new StillPeers().from(PLACED, 50, STREAMS).at(1e6)).isEqualTo(PLACED);
  }

  private static Mobility read(int peers, String text) {
    return new PositionTrace("p.csv").read(peers, path -> Optional.of(text));
  }

  @Test
  void aWrongTraceIsRefusedWithItsLine() {
    String head = "peer,x,y\n";
    for (List<String> wrong :
        List.of(
            List.of(head + "0,1", "p.csv:2: 2 values stand under 3 columns"),
            List.of(head + "0,1,2\n0,one,2", "p.csv:3: the x 'one' is not a number"),
            List.of(head + "0,1,NaN", "p.csv:2: the y NaN is not between"),
            List.of(head + "7,1,2", "p.csv:2: there is no peer 7 among 2"),
            List.of(head + "0.5,1,2", "p.csv:2: there is no peer 0.5 among 2"),
            List.of(head + "0,1,2\n0,3,4", "p.csv:3: peer 0 has two positions at this time"),
            List.of(head + "0,1,2", "p.csv has no position of peer 1"),
            List.of("peer,x\n0,1", "p.csv:1: there is no column y"),
            List.of("# nothing\n", "p.csv has no row"))) {
      assertThatThrownBy(() -> trace(2, wrong.getFirst()))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining(wrong.getLast());
    }
    assertThatThrownBy(() -> new PositionTrace("p.csv").read(2, TextFiles.NONE))
        .hasMessageContaining("there is no file p.csv");
    assertThatThrownBy(() -> new RandomWaypoint(2, 1, 0)).isInstanceOf(SettingException.class);
  }
}

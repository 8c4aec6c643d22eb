package io.kindred.environment.topology;

import static io.kindred.environment.topology.GraphAssertions.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.weights.Ints;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GraphFileTest {
  private static Graph read(String text, int peers) {
    TextFiles files = path -> path.equals("net.csv") ? Optional.of(text) : Optional.empty();
    return new GraphFile("net.csv").connect(peers, random(1), files);
  }

  @Test
  void edgesAreReadWithCommasBlanksAndComments() {
    String text = "# a network\r\n0,1\r\n\r\n1 ; 2 # the bridge\n\t2\t3\n3  2\n1, 0\n#9,9";
    assertThat(read(text, 4).neighbours())
        .containsExactly(Ints.of(1), Ints.of(0, 2), Ints.of(1, 3), Ints.of(2));
  }

  @Test
  void aLonePeerNeedsNoEdge() {
    assertThat(read("# nobody else\n", 1).neighbours()).containsExactly(Ints.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "0,1/1,x | net.csv:2: 'x' is not a peer number; write two numbers, such as 0,1",
        "0,1/# /1 | net.csv:3: '1' is not an edge; write two peer numbers, such as 0,1",
        "0,1,0.5 | net.csv:1: '0,1,0.5' is not an edge; write two peer numbers, such as 0,1",
        "0,,1 | net.csv:1: '0,,1' is not an edge; write two peer numbers, such as 0,1",
        "0,-1 | net.csv:1: '-1' is not a peer number; write two numbers, such as 0,1",
        "0,1/1,3 | net.csv:2: there is no peer 3 among 3; number the peers from 0 to 2, or set"
            + " 'peers' higher",
        "0,99999999999 | net.csv:1: there is no peer 99999999999 among 3; number the peers from 0 to"
            + " 2, or set 'peers' higher",
        "2,2 | net.csv:1: peer 2 cannot be its own neighbour; remove the line",
        "0,1 | net.csv leaves peer 2 unreachable from peer 0; add edges until all 3"
            + " peers are connected, or set 'peers' lower"
      })
  void aDamagedFileIsRefusedWithItsLine(String text, String line) {
    assertThatThrownBy(() -> read(text.replace('/', '\n'), 3))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.line()).isEqualTo("'topology.path': " + line));
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> new GraphFile("gone.csv").connect(3, random(1)))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid ->
                assertThat(invalid.line())
                    .isEqualTo(
                        "'topology.path': there is no file gone.csv; name a text file with one edge"
                            + " on each line"));
  }
}

package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.protocol.discovery.ViewEntry.Source;
import io.kindred.protocol.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists in flat arrays are the lists of records that they were made of. */
class ViewEntriesTest {
  private static final ViewSettings SETTINGS = DiscoveryFixture.settings();
  private static final Sketch SKETCH = DiscoveryFixture.sketch(SETTINGS, 0, 0);

  private static Descriptor descriptor(int peer) {
    return new Descriptor(
        new PeerId(peer), (1L << 50) + peer, DiscoveryFixture.sketch(SETTINGS, peer % 3, peer));
  }

  /** Every source, checked or not, with every number of votes. */
  private static List<ViewEntry> entries() {
    List<ViewEntry> entries = new ArrayList<>();
    for (Source source : Source.values()) {
      for (int votes = -8; votes <= 8; votes++) {
        int peer = entries.size();
        int age = peer == 7 ? 10_001 : peer;
        entries.add(
            new ViewEntry(descriptor(peer), age, 0.5f - peer, source, votes % 2 == 0, votes));
      }
    }
    return entries;
  }

  @Test
  void aViewKeepsEveryFieldOfItsEntries() {
    List<ViewEntry> entries = entries();
    ViewEntries view = ViewEntries.copyOf(entries);
    assertThat(view).containsExactlyElementsOf(entries);
    assertThat(ViewEntries.copyOf(view)).isSameAs(view);
    entries.clear();
    assertThat(view).as("the list that it was made of is another one").hasSize(51);
    assertThatThrownBy(() -> view.remove(0)).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aMessageKeepsEveryFieldOfItsKnownModels() {
    List<KnownModel> known =
        List.of(
            new KnownModel(new PeerId(1L << 40), 1L << 50, 3, (1L << 48) - 1),
            new KnownModel(new PeerId(0), 0, 0, 0));
    assertThat(KnownModels.copyOf(known)).containsExactlyElementsOf(known);
    ViewEntries view = ViewEntries.copyOf(entries());
    assertThat(view.table().known().get(9))
        .isEqualTo(
            new KnownModel(new PeerId(9), (1L << 50) + 9, 9, descriptor(9).sketch().fingerprint()));
  }

  @Test
  void aStateReadFromItsBytesIsTheSame() throws Exception {
    Wire wire = new Wire(Discovery.records());
    DiscoveryFixture network = new DiscoveryFixture(12, 3, SETTINGS);
    for (int round = 1; round <= 4; round++) {
      network.round(round);
    }
    DiscoveryState state = network.states.getFirst();
    assertThat(state.entries()).isNotEmpty();
    byte[] bytes = wire.encode(DiscoveryState.class, state).bytes();
    assertThat(wire.decode(DiscoveryState.class, bytes, digest -> null)).isEqualTo(state);
  }

  @Test
  void agesAndVotesThatNoPeerCountsAreRefused() {
    assertThatThrownBy(() -> new ViewEntry(descriptor(1), 1 << 23, 0, Source.OWNER, false, 0))
        .hasMessageContaining("got an age of 8388608 and 0 votes");
    assertThatThrownBy(() -> new ViewEntry(descriptor(1), 0, 0, Source.OWNER, false, -9))
        .hasMessageContaining("got an age of 0 and -9 votes");
  }

  @Test
  void theMostSimilarComeFirstAndEqualOnesInTheOrderOfTheirPeers() {
    assertThat(order(0.25f, 0.5f, -1, 0.5f, 1)).containsExactly(4, 1, 3, 0, 2);
    assertThat(order(-0.0f, 0.0f, -0.5f, 0.0f)).containsExactly(1, 3, 0, 2);
    assertThat(order()).isEmpty();
  }

  /** The order of peers 0, 1, ... with these similarities. */
  private static int[] order(float... similarities) {
    EntryTable table = new EntryTable(0);
    for (int i = 0; i < similarities.length; i++) {
      table.add(descriptor(i), 0, similarities[i], Source.RELAYED);
    }
    return SimilarityOrder.of(table);
  }

  /** Two sorted runs and an unsorted rest of any length, with ties and peers in any order. */
  @Test
  void theOrderIsThatOfTheRecords() {
    RandomStream random = new RandomStreams(31).stream(new Purpose("order"), 0, 0);
    for (int trial = 0; trial < 300; trial++) {
      List<ViewEntry> sorted = new ArrayList<>();
      int[] lengths = {random.nextInt(30), random.nextInt(30), random.nextInt(90)};
      int[] peers = random.permutation(150);
      List<ViewEntry> entries = new ArrayList<>();
      for (int part = 0; part < lengths.length; part++) {
        List<ViewEntry> run = new ArrayList<>();
        for (int i = 0; i < lengths[part]; i++) {
          Descriptor each = new Descriptor(new PeerId(peers[sorted.size()]), 1, SKETCH);
          float similarity = random.nextInt(40) / 20f - 1;
          sorted.add(new ViewEntry(each, 0, similarity, Source.RELAYED, false, 0));
          run.add(sorted.getLast());
        }
        if (part < 2) {
          run.sort(ViewEntry.MOST_SIMILAR);
        }
        entries.addAll(run);
      }
      sorted.sort(ViewEntry.MOST_SIMILAR);
      EntryTable table = ViewEntries.copyOf(entries).table();
      List<ViewEntry> ordered = new ArrayList<>();
      for (int position : SimilarityOrder.of(table)) {
        ordered.add(table.entry(position));
      }
      assertThat(ordered).isEqualTo(sorted);
    }
  }
}

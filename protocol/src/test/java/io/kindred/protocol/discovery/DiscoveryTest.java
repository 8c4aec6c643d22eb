package io.kindred.protocol.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.discovery.DiscoveryFixture.Sent;
import io.kindred.protocol.discovery.DiscoveryLocalMessage.ModelPulled;
import io.kindred.protocol.discovery.ViewMessage.ExchangePush;
import io.kindred.protocol.discovery.ViewMessage.ExchangeReply;
import io.kindred.protocol.discovery.ViewMessage.ExchangeRequest;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {
  private static DiscoveryFixture network(int peers, long seed) {
    return new DiscoveryFixture(peers, seed, DiscoveryFixture.settings());
  }

  private static DiscoveryFixture after(int rounds, int peers, long seed) {
    DiscoveryFixture network = network(peers, seed);
    for (int round = 1; round <= rounds; round++) {
      network.round(1);
    }
    return network;
  }

  @ParameterizedTest
  @ValueSource(longs = {811, 812, 813, 814, 815})
  void fromARingEveryPeerFindsThePeersOfItsCluster(long seed) {
    DiscoveryFixture network = after(15, 32, seed);
    for (int peer = 0; peer < 32; peer++) {
      int cluster = peer % 4;
      assertThat(network.entries(peer).subList(0, 7))
          .as("peer %d", peer)
          .allMatch(other -> other % 4 == cluster);
    }
  }

  @Test
  void theSameSeedGivesTheSameMessages() {
    assertThat(after(6, 24, 5).log).isEqualTo(after(6, 24, 5).log);
    assertThat(after(6, 24, 6).log).isNotEqualTo(after(6, 24, 5).log);
  }

  @Test
  void aPeerBeginsTwoExchangesARoundWhateverTheNumberOfPeers() {
    for (int peers : new int[] {16, 64}) {
      DiscoveryFixture network = after(8, peers, 3);
      network.log.clear();
      network.round(1);
      long requests =
          network.log.stream().filter(sent -> sent.message() instanceof ExchangeRequest).count();
      assertThat(requests).isEqualTo(2L * peers);
      assertThat(network.log).hasSizeLessThanOrEqualTo(6 * peers);
    }
  }

  @Test
  void aSketchThatThePartnerKnowsIsNotSentAgain() {
    DiscoveryFixture network = after(20, 12, 9);
    network.log.clear();
    network.round(1);
    for (Sent sent : network.log) {
      List<AdvertisedModel> models =
          switch (sent.message()) {
            case ExchangeReply reply -> reply.models();
            case ExchangePush push -> push.models();
            default -> List.of();
          };
      assertThat(models).as("twelve peers know each other").isEmpty();
    }
  }

  /** Nothing else in the list is of use to the partner, and the list is a tenth of all bytes. */
  @Test
  void aReplyListsOnlyModelsThatTheRequestLists() {
    DiscoveryFixture network = after(10, 40, 9);
    network.log.clear();
    network.round(1);
    int shorter = 0;
    for (Sent sent : network.log) {
      if (sent.message() instanceof ExchangeReply reply) {
        TreeSet<PeerId> listed = new TreeSet<>();
        network.log.stream()
            .filter(each -> each.from() == sent.to() && each.to() == sent.from())
            .map(Sent::message)
            .filter(each -> each instanceof ExchangeRequest)
            .forEach(each -> ((ExchangeRequest) each).known().forEach(k -> listed.add(k.peer())));
        assertThat(reply.known()).extracting(KnownModel::peer).isSubsetOf(listed);
        shorter += reply.known().size() < network.entries(sent.from()).size() ? 1 : 0;
      }
    }
    assertThat(shorter).isGreaterThan(40);
  }

  @Test
  void aNewVersionReplacesTheOldOneEverywhere() {
    DiscoveryFixture network = after(10, 12, 9);
    network.sketches.set(3, DiscoveryFixture.sketch(network.settings, 2, 77));
    for (int round = 0; round < 8; round++) {
      network.round(2);
    }
    for (int peer = 0; peer < 12; peer++) {
      if (peer != 3) {
        assertThat(network.entry(peer, 3).descriptor().sketch()).isEqualTo(network.sketches.get(3));
      }
    }
  }

  @Test
  void aPeerThatIsDownDisappearsFromAllViewsAndComesBack() {
    DiscoveryFixture network = after(10, 20, 4);
    network.down[7] = true;
    for (int round = 0; round < 2 * network.settings.expiry(); round++) {
      network.round(1);
    }
    for (int peer = 0; peer < 20; peer++) {
      if (peer != 7) {
        assertThat(network.entries(peer)).doesNotContain(7);
      }
    }
    network.down[7] = false;
    network.step(7, new Event.Restored(0, List.of()));
    for (int round = 0; round < 10; round++) {
      network.round(2);
    }
    assertThat(network.entries(11)).contains(7);
    assertThat(network.entries(7).subList(0, 4)).allMatch(other -> other % 4 == 3);
  }

  @Test
  void aRelayCannotBringAnUnreachablePeerBackThatItsOwnerDidNotConfirm() {
    DiscoveryFixture network = after(10, 20, 4);
    int gone = network.entries(0).getFirst();
    ExchangeRequest failed = new ExchangeRequest(1, Optional.empty(), List.of(), List.of());
    network.step(0, new Event.SendFailed(0, new PeerId(gone), failed));
    assertThat(network.entries(0)).doesNotContain(gone);
    int partner = network.entries(0).getFirst();
    network.receive(
        0,
        partner,
        new ExchangeRequest(77, Optional.of(network.descriptor(partner, 1)), List.of(), List.of()));
    network.receive(
        0,
        partner,
        new ExchangePush(77, List.of(new AdvertisedModel(network.descriptor(gone, 1), 2))));
    assertThat(network.entries(0)).doesNotContain(gone);
  }

  @Test
  void messagesThatWereNotAskedForAreRefused() {
    DiscoveryFixture network = after(3, 12, 2);
    DiscoveryState before = network.states.get(0);
    List<AdvertisedModel> models = List.of(new AdvertisedModel(network.descriptor(9, 9), 0));
    network.receive(0, 5, new ExchangeReply(999, Optional.empty(), models, List.of(), List.of()));
    network.receive(0, 5, new ExchangePush(999, models));
    network.receive(0, 5, new ViewMessage.QueryAnswer(999, models));
    assertThat(network.counted)
        .containsExactly("unexpected-message", "unexpected-message", "unexpected-message");
    assertThat(network.states.get(0)).isEqualTo(before);
  }

  @Test
  void requestsBeyondTheBoundsAreRefused() {
    DiscoveryFixture network = after(3, 12, 2);
    Descriptor own = network.descriptor(5, 1);
    Sketch long128 =
        new SketchRule(SketchRule.Subject.CHANGE, SketchForm.INT8, 128, 0)
            .sketch(new float[300], new float[300], 0, 300);
    List<KnownModel> tooMany = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      tooMany.add(new KnownModel(new PeerId(i), 1, 0, 0));
    }
    List<ExchangeRequest> bad =
        List.of(
            new ExchangeRequest(1, Optional.of(network.descriptor(6, 1)), List.of(), List.of()),
            new ExchangeRequest(
                2, Optional.of(new Descriptor(own.peer(), 1, long128)), List.of(), List.of()),
            new ExchangeRequest(
                3, Optional.of(new Descriptor(own.peer(), -1, own.sketch())), List.of(), List.of()),
            new ExchangeRequest(4, Optional.of(own), tooMany, List.of()),
            new ExchangeRequest(
                5, Optional.of(own), List.of(new KnownModel(own.peer(), 1, -1, 0)), List.of()),
            new ExchangeRequest(
                6,
                Optional.of(own),
                List.of(),
                List.of(
                    new Contact(new PeerId(1), 0),
                    new Contact(new PeerId(2), 0),
                    new Contact(new PeerId(3), 0),
                    new Contact(new PeerId(4), 0))));
    network.log.clear();
    bad.forEach(each -> network.receive(0, 5, each));
    assertThat(network.counted).hasSize(bad.size());
    assertThat(network.log).isEmpty();
  }

  @Test
  void oneExchangeTakesOnePushOfBoundedSize() {
    DiscoveryFixture network = after(3, 12, 2);
    network.receive(0, 5, new ExchangeRequest(70, Optional.empty(), List.of(), List.of()));
    List<AdvertisedModel> five = new ArrayList<>();
    for (int i = 6; i < 11; i++) {
      five.add(new AdvertisedModel(network.descriptor(i, 50), 0));
    }
    network.receive(0, 5, new ExchangePush(70, five));
    assertThat(network.counted).containsExactly("unexpected-message");
    network.receive(0, 5, new ExchangePush(70, five.subList(0, 4)));
    network.receive(0, 5, new ExchangePush(70, five.subList(0, 4)));
    assertThat(network.counted).hasSize(2);
  }

  @Test
  void anOwnerThatAdvertisedAnotherModelThanItSendsIsNoLongerPulled() {
    DiscoveryFixture network = after(5, 12, 2);
    Sketch lie = network.sketches.get(0);
    Descriptor claim = new Descriptor(new PeerId(5), 6, lie);
    network.receive(0, 5, new ExchangeRequest(70, Optional.of(claim), List.of(), List.of()));
    assertThat(network.similar(0, 4)).first().isEqualTo(5);
    network.notify(0, new ModelPulled(new PeerId(5), 6, network.sketches.get(5)));
    assertThat(network.counted).contains(TrustRules.FALSE_CLAIM);
    assertThat(network.contradicted).containsExactly(new PeerId(5));
    assertThat(network.similar(0, 11)).doesNotContain(5);
    network.receive(0, 5, new ExchangeRequest(71, Optional.of(claim), List.of(), List.of()));
    assertThat(network.similar(0, 11)).doesNotContain(5);
  }

  /** The relay may have lied, so the owner is not accused; but hearsay about it ends. */
  @Test
  void aWrongSketchFromARelayDoesNotConvictTheOwner() {
    DiscoveryFixture network = after(5, 12, 2);
    Descriptor forged = new Descriptor(new PeerId(5), 6, network.sketches.get(0));
    network.receive(0, 9, new ExchangeRequest(70, Optional.empty(), List.of(), List.of()));
    network.receive(0, 9, new ExchangePush(70, List.of(new AdvertisedModel(forged, 0))));
    assertThat(network.similar(0, 4)).first().isEqualTo(5);
    network.notify(0, new ModelPulled(new PeerId(5), 6, network.sketches.get(5)));
    assertThat(network.counted)
        .contains(TrustRules.FALSE_RELAY)
        .doesNotContain(TrustRules.FALSE_CLAIM);
    assertThat(network.contradicted).isEmpty();
    assertThat(network.entry(0, 5).descriptor().sketch()).isEqualTo(network.sketches.get(5));
    network.receive(0, 9, new ExchangeRequest(71, Optional.empty(), List.of(), List.of()));
    Descriptor again = new Descriptor(new PeerId(5), 7, network.sketches.get(0));
    network.receive(0, 9, new ExchangePush(71, List.of(new AdvertisedModel(again, 0))));
    assertThat(network.entry(0, 5).descriptor().version()).isEqualTo(6);
    Descriptor word = new Descriptor(new PeerId(5), 8, network.sketches.get(5));
    network.receive(0, 5, new ExchangeRequest(72, Optional.of(word), List.of(), List.of()));
    assertThat(network.entry(0, 5).descriptor().version()).isEqualTo(8);
  }

  @Test
  void aModelOfAnotherVersionThanTheAdvertisedOneIsNotJudged() {
    DiscoveryFixture network = after(5, 12, 2);
    network.receive(
        0,
        5,
        new ExchangeRequest(
            70,
            Optional.of(new Descriptor(new PeerId(5), 6, network.sketches.get(0))),
            List.of(),
            List.of()));
    network.notify(0, new ModelPulled(new PeerId(5), 7, network.sketches.get(5)));
    assertThat(network.counted).doesNotContain(TrustRules.FALSE_CLAIM, TrustRules.FALSE_RELAY);
  }

  @Test
  void aSketchThatDiffersByRoundingAloneIsNoOffence() {
    DiscoveryFixture network = after(5, 12, 2);
    float[] values = new float[64];
    float[] rounded = new float[64];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i);
      rounded[i] = Math.round(values[i] * 4) / 4f;
    }
    Descriptor claim = new Descriptor(new PeerId(5), 6, Sketch.encode(SketchForm.INT8, values));
    network.receive(0, 5, new ExchangeRequest(70, Optional.of(claim), List.of(), List.of()));
    network.notify(0, new ModelPulled(new PeerId(5), 6, Sketch.encode(SketchForm.INT8, rounded)));
    assertThat(network.counted).isEmpty();
    assertThat(network.entry(0, 5).checked()).isTrue();
  }

  @Test
  void uncheckedOwnersTakeABoundedShareOfThePulls() {
    DiscoveryFixture network = after(12, 24, 2);
    assertThat(network.similar(0, 8)).hasSize(4);
    for (int peer : network.similar(0, 8)) {
      network.notify(0, new ModelPulled(new PeerId(peer), 1, network.sketches.get(peer)));
    }
    assertThat(network.similar(0, 8)).hasSize(8);
  }

  /** A peer that shows each peer that peer's own sketch is noticed when the peers compare. */
  @Test
  void aModelOfWhichPartnersHoldOtherSketchesIsNeitherPulledNorPassedOn() {
    DiscoveryFixture network = after(5, 16, 2);
    Descriptor claim = new Descriptor(new PeerId(77), 6, network.sketches.get(0));
    network.receive(0, 77, new ExchangeRequest(70, Optional.of(claim), List.of(), List.of()));
    assertThat(network.similar(0, 4)).contains(77);
    List<KnownModel> other =
        List.of(new KnownModel(new PeerId(77), 6, 0, network.sketches.get(1).fingerprint()));
    network.receive(0, 9, new ExchangeRequest(71, Optional.empty(), other, List.of()));
    assertThat(network.similar(0, 4)).as("one contradiction may be slander").contains(77);
    network.receive(0, 10, new ExchangeRequest(72, Optional.empty(), other, List.of()));
    assertThat(network.similar(0, 4)).doesNotContain(77);
    network.log.clear();
    network.receive(
        0, 8, new ExchangeRequest(73, Optional.of(network.descriptor(8, 1)), List.of(), List.of()));
    assertThat(((ExchangeReply) network.log.getLast().message()).models())
        .noneMatch(each -> each.descriptor().peer().number() == 77);
  }

  @Test
  void partnersThatHoldTheSameSketchOutweighSlander() {
    DiscoveryFixture network = after(5, 16, 2);
    int mate = network.similar(0, 4).getFirst();
    Descriptor known = network.entry(0, mate).descriptor();
    for (int partner = 1; partner <= 9; partner++) {
      boolean slander = partner % 3 == 0;
      long fingerprint = slander ? 1 : known.sketch().fingerprint();
      network.receive(
          0,
          100 + partner,
          new ExchangeRequest(
              70,
              Optional.empty(),
              List.of(new KnownModel(known.peer(), known.version(), 0, fingerprint)),
              List.of()));
    }
    assertThat(network.similar(0, 4)).contains(mate);
  }

  @Test
  void checkedPeersCannotBePushedOutOfTheViewByClaims() {
    DiscoveryFixture network = after(12, 32, 2);
    List<Integer> honest = network.similar(0, 8);
    for (int peer : honest) {
      network.notify(0, new ModelPulled(new PeerId(peer), 1, network.sketches.get(peer)));
    }
    for (int liar = 100; liar < 120; liar++) {
      Descriptor claim = new Descriptor(new PeerId(liar), 6, network.sketches.get(0));
      network.receive(0, liar, new ExchangeRequest(70, Optional.of(claim), List.of(), List.of()));
    }
    assertThat(network.entries(0).subList(0, network.settings.size())).containsAll(honest);
  }

  @Test
  void aSearchFindsTheClusterOfAForeignTarget() {
    DiscoveryFixture network = after(12, 40, 6);
    Sketch target = DiscoveryFixture.sketch(network.settings, 2, 999);
    network.notified.clear();
    network.notify(1, new DiscoveryLocalMessage.Search(4, target, 5));
    network.deliver();
    DiscoveryLocalMessage.SearchFinished result =
        (DiscoveryLocalMessage.SearchFinished) network.notified.getLast();
    assertThat(result.number()).isEqualTo(4);
    assertThat(result.asked()).isBetween(5, network.settings.searchBudget());
    assertThat(result.candidates())
        .hasSize(5)
        .allMatch(candidate -> candidate.peer().number() % 4 == 2);
    assertThat(network.states.get(1).searches()).isEmpty();
  }

  @Test
  void aSearchEndsWhereNobodyAnswers() {
    DiscoveryFixture network = after(12, 12, 6);
    for (int peer = 1; peer < 12; peer++) {
      network.down[peer] = true;
    }
    network.notified.clear();
    network.notify(
        0, new DiscoveryLocalMessage.Search(4, DiscoveryFixture.sketch(network.settings, 2, 9), 5));
    network.deliver();
    assertThat(network.notified).hasSize(1);
    assertThat(network.states.get(0).searches()).isEmpty();
  }

  @Test
  void aQueryWithoutAnAnswerIsGivenUpAtItsTimeout() {
    DiscoveryFixture network = after(12, 12, 6);
    Sketch target = DiscoveryFixture.sketch(network.settings, 2, 9);
    network.notified.clear();
    network.notify(0, new DiscoveryLocalMessage.Search(4, target, 5));
    // The messages stay undelivered; only timers fire.
    for (int timer = 0; timer < 40 && network.notified.isEmpty(); timer++) {
      network.step(
          0, new Event.TimerFired(9, new io.kindred.core.peer.Timer(ViewSearches.TIMEOUT, 4)));
    }
    assertThat(network.notified).hasSize(1);
  }

  @Test
  void aStateIsReadAsItWasWritten() throws MalformedException {
    DiscoveryFixture network = after(6, 16, 8);
    network.notify(
        3, new DiscoveryLocalMessage.Search(4, DiscoveryFixture.sketch(network.settings, 2, 9), 5));
    network.step(
        3,
        new Event.SendFailed(
            0, new PeerId(5), new ExchangeRequest(1, Optional.empty(), List.of(), List.of())));
    Wire wire = new Wire(Discovery.records());
    DiscoveryState state = network.states.get(3);
    byte[] bytes = wire.encode(DiscoveryState.class, state).bytes();
    assertThat((Object) wire.decode(DiscoveryState.class, bytes, digest -> null)).isEqualTo(state);
  }

  /** Contacts drawn independently would have in-degrees with a deviation of sqrt(mean). */
  @ParameterizedTest
  @ValueSource(longs = {4001, 4002, 4003})
  void everyPeerIsAContactOfAboutAsManyOthers(long seed) {
    DiscoveryFixture network = after(40, 300, seed);
    double[] degrees = inDegrees(network);
    assertThat(degrees[1]).isLessThan(1.15 * Math.sqrt(degrees[0]));
    assertThat(reached(network)).isEqualTo(300);
  }

  @ParameterizedTest
  @ValueSource(longs = {4011, 4012, 4013})
  void contactsStayRandomAndConnectedUnderChurn(long seed) {
    int peers = 300;
    DiscoveryFixture network = network(peers, seed);
    for (int round = 1; round <= 40; round++) {
      for (int peer = 0; peer < peers; peer++) {
        boolean down = (peer * 31 + round / 5 * 17) % 10 == 0;
        if (network.down[peer] && !down) {
          network.step(peer, new Event.Restored(0, List.of()));
        }
        network.down[peer] = down;
      }
      network.round(1);
    }
    double[] degrees = inDegrees(network);
    assertThat(degrees[0]).as("lists stay full").isGreaterThan(5.5);
    assertThat(degrees[1]).isLessThan(1.4 * Math.sqrt(degrees[0]));
    assertThat(reached(network)).isEqualTo(270);
  }

  /** Mean and deviation over live peers of how many contacts name them. */
  private static double[] inDegrees(DiscoveryFixture network) {
    int[] known = new int[network.down.length];
    for (DiscoveryState state : network.states) {
      state.contacts().forEach(each -> known[(int) each.peer().number()]++);
    }
    double sum = 0;
    double square = 0;
    int live = 0;
    for (int peer = 0; peer < known.length; peer++) {
      if (!network.down[peer]) {
        live++;
        sum += known[peer];
        square += (double) known[peer] * known[peer];
      }
    }
    double mean = sum / live;
    return new double[] {mean, Math.sqrt(square / live - mean * mean)};
  }

  private static int reached(DiscoveryFixture network) {
    TreeSet<Integer> reached = new TreeSet<>();
    List<Integer> frontier = new ArrayList<>();
    int start = 0;
    while (network.down[start]) {
      start++;
    }
    frontier.add(start);
    reached.add(start);
    while (!frontier.isEmpty()) {
      int peer = frontier.removeLast();
      for (int other = 0; other < network.down.length; other++) {
        if (!network.down[other]
            && !reached.contains(other)
            && (knows(network, peer, other) || knows(network, other, peer))) {
          reached.add(other);
          frontier.add(other);
        }
      }
    }
    return reached.size();
  }

  private static boolean knows(DiscoveryFixture network, int peer, int other) {
    return network.states.get(peer).contacts().stream()
        .anyMatch(each -> each.peer().number() == other);
  }
}

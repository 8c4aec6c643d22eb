package io.kindred.simulator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchMessage;
import org.junit.jupiter.api.Test;

class TrafficTest {
  @Named("test/plain")
  record PlainMessage() implements Message {}

  @Named("test/search")
  record CustomSearchMessage() implements Message {
    @Override
    public Category category() {
      return Category.SEARCH;
    }
  }

  private final Traffic traffic = new Traffic(2);

  private static Transfer transfer(Message message) {
    return new Transfer(0, 0, 1, Component.METHOD, message, 10, 100, 1, 0);
  }

  @Test
  void aMessageCountsAsSearchByItsCategoryWhateverItsType() {
    traffic.sent(transfer(new PlainMessage()));
    assertThat(traffic.searches()).isEqualTo(new Traffic.Searches(0, 0, 0));
    traffic.sent(transfer(new CustomSearchMessage()));
    assertThat(traffic.searches()).isEqualTo(new Traffic.Searches(0, 1, 10));
    traffic.sent(transfer(overlayQuery()));
    assertThat(traffic.searches()).isEqualTo(new Traffic.Searches(0, 2, 20));
  }

  private static Message overlayQuery() {
    PeerId peer = new PeerId(1);
    return new SearchMessage.CompareReply(
        new QueryId(peer, 1), new ClusterId(new ZoneId(1, 1, peer), 0), 0.5f);
  }

  @Test
  void everyTransmissionOfAPartIsSentAndTheMessageReceivedOnce() {
    Transfer transfer = transfer(new PlainMessage());
    traffic.queued(transfer);
    traffic.transmitted(transfer, 0, 60, 6);
    traffic.transmitted(transfer, 0, 60, 6);
    traffic.lost(60);
    traffic.transmitted(transfer, 60, 50, 5);
    traffic.received(transfer);
    assertThat(traffic.account(0)).isEqualTo(new Traffic.Account(20, 150, 0, 0, 0, 17, 0));
    assertThat(traffic.account(1)).isEqualTo(new Traffic.Account(0, 0, 10, 100, 1, 0, 17));
    assertThat(traffic.lostBytes()).isEqualTo(60);
  }

  @Test
  void aSearchThatIsTransmittedTwiceIsOneMessageAndTwiceTheBytes() {
    Transfer transfer = transfer(new CustomSearchMessage());
    traffic.queued(transfer);
    traffic.transmitted(transfer, 0, 110, 1);
    traffic.transmitted(transfer, 0, 110, 1);
    assertThat(traffic.searches()).isEqualTo(new Traffic.Searches(0, 1, 20));
  }
}

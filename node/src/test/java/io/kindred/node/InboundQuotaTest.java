package io.kindred.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.node.transport.inbound.MemoryBudget;
import io.kindred.node.transport.inbound.MessageReceiver;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboundQuotaTest {
  private final InboundQuota inboundQuota = new InboundQuota(MemoryBudget.ofMemory(0));

  private static MessageReceiver.ReceivedMessage arrival(long bytes) {
    return new MessageReceiver.ReceivedMessage(
        new PeerId(1),
        Component.METHOD,
        new NeighbourUpdate(1, 1, new ModelUpdate(List.of()), false, 0),
        0,
        bytes,
        List.of(),
        bytes,
        List.of());
  }

  @Test
  void messagesThatWaitAreCounted() {
    MessageReceiver.ReceivedMessage small = arrival(10);
    for (int i = 0; i < 1_024; i++) {
      assertThat(inboundQuota.tryAcquire(small)).isTrue();
    }
    assertThat(inboundQuota.tryAcquire(small)).isFalse();
    inboundQuota.release(small);
    assertThat(inboundQuota.tryAcquire(small)).isTrue();
  }

  @Test
  void andTheyAreWeighed() {
    MessageReceiver.ReceivedMessage large = arrival(Runtime.getRuntime().maxMemory() / 20);
    assertThat(inboundQuota.tryAcquire(large)).isTrue();
    assertThat(inboundQuota.tryAcquire(large)).isFalse();
    inboundQuota.release(large);
    assertThat(inboundQuota.tryAcquire(large)).isTrue();
  }
}

package io.kindred.node.state;

/**
 * Counters over all incarnations of a node, as far as they were saved.
 *
 * @param round the last round that the node finished
 * @param sentControl bytes of messages without their weights, failed ones included
 * @param sentModel bytes of the weights in those messages
 * @param pulled weight vectors received
 * @param failedSends messages that did not arrive
 */
public record Totals(
    int round,
    long events,
    long sentControl,
    long sentModel,
    long receivedControl,
    long receivedModel,
    long pulled,
    long failedSends) {
  public static final Totals NOTHING = new Totals(0, 0, 0, 0, 0, 0, 0, 0);

  public Totals oneMoreEvent() {
    return new Totals(
        round,
        events + 1,
        sentControl,
        sentModel,
        receivedControl,
        receivedModel,
        pulled,
        failedSends);
  }

  public Totals finished(int newRound) {
    return new Totals(
        Math.max(round, newRound),
        events,
        sentControl,
        sentModel,
        receivedControl,
        receivedModel,
        pulled,
        failedSends);
  }

  public Totals sent(long control, long model) {
    return new Totals(
        round,
        events,
        sentControl + control,
        sentModel + model,
        receivedControl,
        receivedModel,
        pulled,
        failedSends);
  }

  public Totals received(long control, long model, int models) {
    return new Totals(
        round,
        events,
        sentControl,
        sentModel,
        receivedControl + control,
        receivedModel + model,
        pulled + models,
        failedSends);
  }

  public Totals failedSend() {
    return new Totals(
        round,
        events,
        sentControl,
        sentModel,
        receivedControl,
        receivedModel,
        pulled,
        failedSends + 1);
  }
}

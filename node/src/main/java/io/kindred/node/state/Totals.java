package io.kindred.node.state;

import io.kindred.core.record.Buildable;

/**
 * Counters over all incarnations of a node, as far as they were saved.
 *
 * @param round the last round that the node finished
 * @param sentControl bytes of messages without their weights, failed ones included
 * @param sentModel bytes of the weights in those messages
 * @param pulled weight vectors received
 * @param failedSends messages that did not arrive
 */
@Buildable
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
    return TotalsBuilder.from(this).events(events + 1).build();
  }

  public Totals finished(int newRound) {
    return TotalsBuilder.from(this).round(Math.max(round, newRound)).build();
  }

  public Totals sent(long control, long model) {
    return TotalsBuilder.from(this)
        .sentControl(sentControl + control)
        .sentModel(sentModel + model)
        .build();
  }

  public Totals received(long control, long model, int models) {
    return TotalsBuilder.from(this)
        .receivedControl(receivedControl + control)
        .receivedModel(receivedModel + model)
        .pulled(pulled + models)
        .build();
  }

  public Totals failedSend() {
    return TotalsBuilder.from(this).failedSends(failedSends + 1).build();
  }
}

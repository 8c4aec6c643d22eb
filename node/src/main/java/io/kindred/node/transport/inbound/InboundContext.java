package io.kindred.node.transport.inbound;

import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.TaskAgreement;
import io.kindred.protocol.wire.Wire;

/**
 * What every inbound call needs to check and deliver its message. All calls of a node share one.
 *
 * @param wire decodes messages
 * @param layouts the layouts that weights may have
 * @param agreement the task and the versions that nodes have to agree on
 * @param policy limits, refusals and offences of members
 * @param budget memory of messages that are incomplete, in flight or interrupted
 * @param transfers received and interrupted messages
 * @param receiver takes complete messages
 */
public record InboundContext(
    Wire wire,
    Layouts layouts,
    TaskAgreement agreement,
    AbusePolicy policy,
    MemoryBudget budget,
    InboundTransfers transfers,
    MessageReceiver receiver) {
  /** A context of a node that has not named its task. */
  public static InboundContext of(
      Wire wire, Layouts layouts, AbusePolicy policy, MessageReceiver receiver) {
    return of(wire, layouts, TaskAgreement.none(), policy, receiver);
  }

  /** A context with a budget for the largest model of these layouts, and without transfers. */
  public static InboundContext of(
      Wire wire,
      Layouts layouts,
      TaskAgreement agreement,
      AbusePolicy policy,
      MessageReceiver receiver) {
    MemoryBudget budget = MemoryBudget.ofMemory(layouts.maxModelBytes());
    return new InboundContext(
        wire,
        layouts,
        agreement,
        policy,
        budget,
        new InboundTransfers(policy.limits(), budget, System::nanoTime),
        receiver);
  }

  Limits limits() {
    return policy.limits();
  }
}

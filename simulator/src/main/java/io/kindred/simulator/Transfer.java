package io.kindred.simulator;

import io.kindred.core.Component;
import io.kindred.core.Message;

/**
 * A message under way, with its true size.
 *
 * @param number the sender's own count, so that every message has draws of its own
 * @param control bytes of the message itself
 * @param model bytes of the weights it names
 * @param models how many weight vectors it names
 * @param attempts how often it goes over the link until it arrives or is given up
 */
public record Transfer(
    long number,
    int from,
    int to,
    Component component,
    Message message,
    long control,
    long model,
    int models,
    long sentTick,
    int attempts) {
  /** All that goes over the link. */
  long bytes() {
    return attempts * (control + model);
  }

  Transfer tried(int times) {
    return new Transfer(
        number, from, to, component, message, control, model, models, sentTick, times);
  }
}

package io.kindred.environment.fault;

/**
 * Builds {@link Faults} by the names of their settings, because sixteen numbers in a row cannot be
 * read. What is not set is as an experiment file without that key has it.
 */
public final class FaultsBuilder {
  private double loss;
  private double duplicate;
  private double delay;
  private double delaySeconds = 5;
  private double corrupt;
  private double misreport;
  private double crashes;
  private double forgetful;
  private double pauses;
  private double slow;
  private double slowdown = 10;
  private double splits;
  private double cuts;
  private double drift;
  private double serverCrashes;
  private double untilSeconds;

  FaultsBuilder() {}

  public Faults build() {
    return new Faults(
        loss,
        duplicate,
        delay,
        delaySeconds,
        corrupt,
        misreport,
        crashes,
        forgetful,
        pauses,
        slow,
        slowdown,
        splits,
        cuts,
        drift,
        serverCrashes,
        untilSeconds);
  }

  public FaultsBuilder loss(double value) {
    loss = value;
    return this;
  }

  public FaultsBuilder duplicate(double value) {
    duplicate = value;
    return this;
  }

  public FaultsBuilder delay(double value) {
    delay = value;
    return this;
  }

  public FaultsBuilder delaySeconds(double value) {
    delaySeconds = value;
    return this;
  }

  public FaultsBuilder corrupt(double value) {
    corrupt = value;
    return this;
  }

  public FaultsBuilder misreport(double value) {
    misreport = value;
    return this;
  }

  public FaultsBuilder crashes(double value) {
    crashes = value;
    return this;
  }

  public FaultsBuilder forgetful(double value) {
    forgetful = value;
    return this;
  }

  public FaultsBuilder pauses(double value) {
    pauses = value;
    return this;
  }

  public FaultsBuilder slow(double value) {
    slow = value;
    return this;
  }

  public FaultsBuilder slowdown(double value) {
    slowdown = value;
    return this;
  }

  public FaultsBuilder splits(double value) {
    splits = value;
    return this;
  }

  public FaultsBuilder cuts(double value) {
    cuts = value;
    return this;
  }

  public FaultsBuilder drift(double value) {
    drift = value;
    return this;
  }

  public FaultsBuilder serverCrashes(double value) {
    serverCrashes = value;
    return this;
  }

  public FaultsBuilder untilSeconds(double value) {
    untilSeconds = value;
    return this;
  }
}

package io.kindred.methods.hfl.formation;

import io.kindred.core.config.Setting;

/** Energy that a client spends; every client counts its own and reports it. */
public record EnergySettings(
    @Setting(doc = "joules for sending a megabyte of weights", fallback = "1", min = 0)
        double sendJoules,
    @Setting(doc = "joules for receiving a megabyte of weights", fallback = "1", min = 0)
        double receiveJoules,
    @Setting(doc = "joules for a second of training", fallback = "1", min = 0)
        double trainingJoules) {
  private static final double BYTES_PER_MEGABYTE = 1e6;

  public double ofSending(long bytes) {
    return sendJoules * bytes / BYTES_PER_MEGABYTE;
  }

  public double ofReceiving(long bytes) {
    return receiveJoules * bytes / BYTES_PER_MEGABYTE;
  }

  public double ofTraining(double seconds) {
    return trainingJoules * seconds;
  }
}

package io.kindred.environment.radio;

import io.kindred.core.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Simulates section III.B without the formulas that approximate it: in each block every peer draws
 * a fading for every sub-channel, takes the best, and transmits if that is good enough. The target
 * receives a transmission that stands out from the noise and from all others on the same
 * sub-channel.
 */
public final class ChannelSimulation {
  private final Channel channel;
  private final RadioField radioField;

  public ChannelSimulation(Channel channel, RadioField radioField) {
    this.channel = channel;
    this.radioField = radioField;
  }

  /**
   * How often a sender's transmissions failed.
   *
   * @param givenTransmission failures as a share of the transmissions
   * @param overAllBlocks failures as a share of all blocks
   */
  public record Frequency(int peer, double givenTransmission, double overAllBlocks) {}

  /**
   * Simulates the blocks once and applies each threshold to them; returns a list for each
   * threshold.
   */
  public List<List<Frequency>> failureFrequencies(
      int target, List<Double> sinrThresholds, int blocks, RandomStream random) {
    int peers = radioField.positions().size();
    double[] gains = new double[peers];
    for (int peer = 0; peer < peers; peer++) {
      gains[peer] = peer == target ? 0 : radioField.meanWatts(peer, target);
    }
    int[] transmitted = new int[peers];
    int[][] failed = new int[sinrThresholds.size()][peers];
    int[] used = new int[peers];
    double[] received = new double[peers];
    double[] total = new double[channel.subChannels()];
    for (int block = 0; block < blocks; block++) {
      simulateBlock(target, gains, random, used, received, total);
      for (int peer = 0; peer < peers; peer++) {
        if (used[peer] >= 0) {
          transmitted[peer]++;
          double others = total[used[peer]] - received[peer];
          double sinr = received[peer] / (channel.noiseWatts() + Math.max(0, others));
          for (int i = 0; i < failed.length; i++) {
            failed[i][peer] += sinr < sinrThresholds.get(i) ? 1 : 0;
          }
        }
      }
    }
    List<List<Frequency>> frequencies = new ArrayList<>();
    for (int[] each : failed) {
      frequencies.add(frequencies(target, transmitted, each, blocks));
    }
    return frequencies;
  }

  /**
   * Simulates one block: the sub-channel of each peer, minus one for none, and the received power.
   */
  private void simulateBlock(
      int target,
      double[] gains,
      RandomStream random,
      int[] used,
      double[] received,
      double[] total) {
    Arrays.fill(total, 0);
    for (int peer = 0; peer < gains.length; peer++) {
      used[peer] = -1;
      if (peer == target) {
        continue;
      }
      int best = 0;
      double highest = 0;
      for (int f = 0; f < channel.subChannels(); f++) {
        double power = channel.fading().draw(random);
        if (power > highest) {
          highest = power;
          best = f;
        }
      }
      if (highest >= channel.minFadingPower()) {
        used[peer] = best;
        received[peer] = gains[peer] * highest;
        total[best] += received[peer];
      }
    }
  }

  private static List<Frequency> frequencies(
      int target, int[] transmitted, int[] failed, int blocks) {
    List<Frequency> frequencies = new ArrayList<>();
    for (int peer = 0; peer < failed.length; peer++) {
      if (peer != target) {
        frequencies.add(
            new Frequency(
                peer,
                failed[peer] / (double) Math.max(1, transmitted[peer]),
                failed[peer] / (double) blocks));
      }
    }
    return frequencies;
  }
}

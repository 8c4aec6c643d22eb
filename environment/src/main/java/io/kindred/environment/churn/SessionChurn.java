package io.kindred.environment.churn;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.FaultEvent;
import io.kindred.environment.fault.LivenessView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Each peer alternates between online and offline periods, both drawn from Weibull distributions:
 * shape 1 is memoryless, shapes below 1 have many short sessions and a few long ones, as measured
 * in file-sharing networks.
 */
@Named(value = "sessions", summary = "each peer alternates between online and offline periods")
public record SessionChurn(
    @Setting(doc = "mean seconds of an online period", fallback = "600", above = 0)
        double onlineSeconds,
    @Setting(
            doc = "mean seconds of an offline period, for devices whose availability is 1",
            fallback = "60",
            above = 0)
        double offlineSeconds,
    @Setting(
            doc = "shape of the Weibull distributions of both periods",
            fallback = "1",
            above = 0.1,
            max = 10)
        double shape)
    implements ChurnModel {
  @Override
  public List<FaultEvent> eventsDuring(
      Interval interval, LivenessView liveness, RandomStreams streams) {
    List<FaultEvent> faults = new ArrayList<>();
    if (interval.number() == 0) {
      for (int peer = 0; peer < liveness.peers(); peer++) {
        faults.add(nextCrash(interval.startTick(), peer, 0, streams));
      }
    }
    return faults;
  }

  @Override
  public Optional<FaultEvent> followUp(
      FaultEvent fault, long count, LivenessView liveness, RandomStreams streams) {
    return switch (fault) {
      case FaultEvent.Crash(long tick, int peer, boolean _) ->
          Optional.of(
              new FaultEvent.Return(
                  tick
                      + drawTicks(
                          meanAbsenceSeconds(liveness.availability(peer)), peer, count, streams),
                  peer));
      case FaultEvent.Return(long tick, int peer) ->
          Optional.of(nextCrash(tick, peer, count, streams));
      case FaultEvent.Leave _,
          FaultEvent.Pause _,
          FaultEvent.Resume _,
          FaultEvent.SpeedChange _,
          FaultEvent.Partition _,
          FaultEvent.LinkCut _,
          FaultEvent.Heal _,
          FaultEvent.FaultsEnd _ ->
          Optional.empty();
    };
  }

  /** A device with an availability below 1 is offline for the remaining share of the time. */
  private double meanAbsenceSeconds(double availability) {
    return availability < 1 ? onlineSeconds * (1 - availability) / availability : offlineSeconds;
  }

  private FaultEvent nextCrash(long tick, int peer, long count, RandomStreams streams) {
    return new FaultEvent.Crash(tick + drawTicks(onlineSeconds, peer, count, streams), peer, false);
  }

  private long drawTicks(double meanSeconds, int peer, long count, RandomStreams streams) {
    RandomStream random = streams.stream(Purpose.CHURN, peer + 1L, count);
    double weibull = StrictMath.pow(-StrictMath.log(1 - random.nextDouble()), 1 / shape);
    return Math.max(1, Ticks.ofSeconds(meanSeconds * weibull / gamma(1 + 1 / shape)));
  }

  /** The gamma function: the mean of a Weibull draw of scale one is its value at 1 + 1/shape. */
  private static double gamma(double x) {
    // Lanczos, g = 7, nine coefficients: fifteen digits for positive arguments.
    double[] coefficients = {
      0.9999999999998099,
      676.5203681218851,
      -1259.1392167224028,
      771.3234287776531,
      -176.6150291621406,
      12.507343278686905,
      -0.13857109526572012,
      9.984369578019572e-6,
      1.5056327351493116e-7
    };
    double sum = coefficients[0];
    for (int i = 1; i < coefficients.length; i++) {
      sum += coefficients[i] / (x - 1 + i);
    }
    double t = x - 1 + 7.5;
    return Math.sqrt(2 * Math.PI) * StrictMath.pow(t, x - 0.5) * StrictMath.exp(-t) * sum;
  }
}

package io.kindred.node;

import io.kindred.core.peer.PeerId;
import io.kindred.node.transport.outbound.Outbox;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Measures the links to other peers. Small probes measure the loss rate and the latency, then one
 * large probe measures the throughput. The small probes of all links run at the same time, as the
 * links will be used at the same time; the large probes run one after another.
 */
final class LinkProbes {
  private static final int SMALL_BYTES = 256;
  private static final int LARGE_BYTES = 1 << 20;
  private static final long LARGE_MILLIS = 30_000;
  private static final double NANOS_PER_SECOND = 1e9;

  /** Measured quality of one link. */
  record LinkQuality(double bytesPerSecond, long latencyTicks, double errorProbability) {}

  private final Outbox outbox;
  private final LinkSettings settings;

  LinkProbes(Outbox outbox, LinkSettings settings) {
    this.outbox = outbox;
    this.settings = settings;
  }

  SortedMap<PeerId, LinkQuality> measure(Collection<PeerId> peers) throws InterruptedException {
    SortedMap<PeerId, CompletableFuture<List<Long>>> small = new TreeMap<>();
    for (PeerId each : peers) {
      small.put(each, roundTrips(each, settings.probes(), new ArrayList<>()));
    }
    SortedMap<PeerId, LinkQuality> linkQualities = new TreeMap<>();
    for (PeerId each : small.keySet()) {
      List<Long> nanos = get(small.get(each));
      double lossRate = 1 - nanos.size() / (double) settings.probes();
      long median = nanos.isEmpty() ? 0 : nanos.get((nanos.size() - 1) / 2);
      double rate = nanos.isEmpty() ? 0 : throughput(each);
      linkQualities.put(
          each, new LinkQuality(rate, TimeUnit.NANOSECONDS.toMicros(median / 2), lossRate));
    }
    return linkQualities;
  }

  /**
   * Sends one probe after another; returns the sorted round-trip times of those that were answered.
   */
  private CompletableFuture<List<Long>> roundTrips(PeerId peer, int left, List<Long> nanos) {
    if (left == 0) {
      Collections.sort(nanos);
      return CompletableFuture.completedFuture(nanos);
    }
    return outbox
        .echo(peer, SMALL_BYTES, settings.timeoutMillis())
        .thenCompose(
            answer -> {
              answer.ifPresent(nanos::add);
              return roundTrips(peer, left - 1, nanos);
            });
  }

  /**
   * Throughput of one large probe. The round trip is included: this is the rate that a message
   * gets, not the capacity of the link.
   */
  private double throughput(PeerId peer) throws InterruptedException {
    return get(outbox.echo(peer, LARGE_BYTES, Math.max(settings.timeoutMillis(), LARGE_MILLIS)))
        .map(nanos -> LARGE_BYTES * NANOS_PER_SECOND / Math.max(1, nanos))
        .orElse(0.0);
  }

  private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}

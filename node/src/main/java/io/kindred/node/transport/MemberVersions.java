package io.kindred.node.transport;

import io.grpc.Metadata;
import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Which versions of the transport and of the task each member has, as its calls and answers say. A
 * network moves to a new version node by node; this tells a node which version to send to whom, and
 * its operator who has moved.
 */
final class MemberVersions {
  static final Metadata.Key<String> FINGERPRINT =
      Metadata.Key.of("kindred-task", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> TASK =
      Metadata.Key.of("kindred-task-version", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> WIRE =
      Metadata.Key.of("kindred-wire", Metadata.ASCII_STRING_MARSHALLER);

  /** Members that are remembered; in a larger network the status shows some of them. */
  private static final int MOST_MEMBERS = 10_000;

  /** A release before versions were announced says nothing, and speaks this one. */
  private static final WireVersions UNANNOUNCED =
      new WireVersions(WireVersions.WITHOUT_TASK, WireVersions.WITHOUT_TASK);

  /** What a member said last. */
  private record Said(WireVersions wire, Optional<TaskClaim> task, String fingerprint) {}

  private final Optional<TaskClaim> own;
  private final String fingerprint;
  private final WireSettings wire;
  private final LongSupplier clockMillis;
  private final SortedMap<PeerId, Said> members = new TreeMap<>();
  private @Nullable BiConsumer<PeerId, String> newsListener;

  MemberVersions(
      Optional<TaskValues> task, String fingerprint, WireSettings wire, LongSupplier clockMillis) {
    this.own = task.map(TaskClaim::of);
    this.fingerprint = fingerprint;
    this.wire = wire;
    this.clockMillis = clockMillis;
  }

  /** Sets who hears that a member has another version. */
  synchronized void onNews(BiConsumer<PeerId, String> listener) {
    newsListener = listener;
  }

  /** Adds the own versions to a call or an answer. */
  void addTo(Metadata headers) {
    headers.put(WIRE, spoken().text());
    own.ifPresent(
        each -> {
          headers.put(FINGERPRINT, fingerprint);
          headers.put(TASK, each.text());
        });
  }

  /** The versions of the transport that this node speaks now. */
  WireVersions spoken() {
    return wire.at(clockMillis.getAsLong());
  }

  /** Remembers what a member says; an answer without any versions says nothing. */
  void heard(PeerId member, Metadata headers, boolean isCall) {
    if (!isCall && !headers.containsKey(WIRE)) {
      return;
    }
    Said said =
        new Said(
            Optional.ofNullable(headers.get(WIRE)).flatMap(WireVersions::parse).orElse(UNANNOUNCED),
            Optional.ofNullable(headers.get(TASK)).flatMap(TaskClaim::parse),
            Optional.ofNullable(headers.get(FINGERPRINT)).orElse(""));
    List<String> news = List.of();
    synchronized (this) {
      Said before = members.get(member);
      if (!said.equals(before) && (before != null || members.size() < MOST_MEMBERS)) {
        members.put(member, said);
        news = news(member, said, before);
      }
    }
    news.forEach(line -> tell(member, line));
  }

  /** Passes a line on to the listener that hears of versions. */
  void tell(PeerId member, String line) {
    BiConsumer<PeerId, String> listener;
    synchronized (this) {
      listener = newsListener;
    }
    if (listener != null) {
      listener.accept(member, line);
    }
  }

  private List<String> news(PeerId member, Said said, @Nullable Said before) {
    List<String> news = new ArrayList<>();
    if (said.task().isPresent()
        && own.isPresent()
        && (before == null || !before.task().equals(said.task()))) {
      TaskClaim theirs = said.task().get();
      TaskClaim ours = own.get();
      if (ours.name().equals(theirs.name()) && theirs.version() > ours.version()) {
        news.add(
            "%s runs version %d of task %s, this node version %d; both run side by side %s; give this node the new task file and another 'folder'"
                .formatted(member, theirs.version(), ours.name(), ours.version(), theirs.until()));
      } else if (ours.name().equals(theirs.name()) && theirs.version() < ours.version()) {
        news.add(
            "%s still runs version %d of task %s, this node version %d; both run side by side %s"
                .formatted(member, theirs.version(), ours.name(), ours.version(), ours.until()));
      }
    }
    if (said.wire().newest() != WireVersions.SUPPORTED.newest()
        && (before == null || !before.wire().equals(said.wire()))) {
      news.add(
          "%s speaks version %d of the transport, this node %d; %s"
              .formatted(
                  member,
                  said.wire().newest(),
                  WireVersions.SUPPORTED.newest(),
                  said.wire().newest() > WireVersions.SUPPORTED.newest()
                      ? "a newer release is in use"
                      : wire.oldUntil()
                          .map(until -> "this node accepts that version until " + until)
                          .orElse("this node accepts that version")));
    }
    return news;
  }

  /** The version of the transport to send to a member; the oldest one until it is known. */
  synchronized int wireFor(PeerId member) {
    Said said = members.get(member);
    return spoken().newestWith(said == null ? UNANNOUNCED : said.wire());
  }

  /** Whether a member may have the own task, as far as it has said. */
  synchronized boolean mayHaveOwnTask(PeerId member) {
    Said said = members.get(member);
    return own.isEmpty() || said == null || said.fingerprint().equals(fingerprint);
  }

  /**
   * Whether a call is of another version of the own task, which may run besides the own one now.
   */
  boolean isBeside(Metadata headers) {
    Optional<TaskClaim> theirs = Optional.ofNullable(headers.get(TASK)).flatMap(TaskClaim::parse);
    return own.isPresent() && theirs.isPresent() && isBeside(theirs.get());
  }

  boolean isBeside(TaskClaim theirs) {
    return own.filter(each -> each.runsBeside(theirs, clockMillis.getAsLong())).isPresent();
  }

  /** What the members have said, for the status. */
  synchronized VersionReport report() {
    SortedMap<Long, VersionReport.OfMember> all = new TreeMap<>();
    members.forEach(
        (peer, said) ->
            all.put(
                peer.number(),
                new VersionReport.OfMember(
                    said.wire().newest(),
                    said.task().map(TaskClaim::name).orElse(null),
                    said.task().map(TaskClaim::version).orElse(null),
                    said.fingerprint().equals(fingerprint))));
    return new VersionReport(
        new VersionReport.OfMember(
            spoken().newest(),
            own.map(TaskClaim::name).orElse(null),
            own.map(TaskClaim::version).orElse(null),
            true),
        own.filter(each -> each.untilMillis() > 0).map(TaskClaim::until).orElse(null),
        all);
  }
}

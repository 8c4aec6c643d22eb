package io.kindred.lab.run;

import io.kindred.core.PeerId;
import io.kindred.core.settings.Complaint;
import io.kindred.files.OperatorException;
import io.kindred.lab.experiment.Experiment;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.Cast;
import io.kindred.node.NodeSettings;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Validity;
import io.kindred.node.transport.Knock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks, before a node starts, at everything that it will need; nothing is written. */
final class NodePreflight {
  private static final int FEW_DAYS = 30;
  private static final long MEGABYTE = 1L << 20;

  /** A node writes two states, a model, metrics and perhaps a recording. */
  private static final long LEAST_BYTES = 64 * MEGABYTE;

  private static final long FEW_BYTES = 1_024 * MEGABYTE;
  private static final int MODELS_ON_DISK = 8;

  private final NodeSettings settings;
  private final Path home;
  private final Instant now;
  private final List<NodeFinding> findings = new ArrayList<>();

  NodePreflight(NodeSettings settings, Path home, Instant now) {
    this.settings = settings;
    this.home = home;
    this.now = now;
  }

  /** Every check that makes sense after those before it. */
  List<NodeFinding> findings(Supplier<Experiment> experiment, NodeChecks checks, DataFiles data) {
    Optional<Identity> identity = identity();
    identity.ifPresent(this::certificate);
    clock();
    port("port", settings.listenAddress(), "listen");
    settings
        .operations()
        .address()
        .ifPresent(where -> port("operations port", where, "operations.listen"));
    identity.ifPresent(
        own -> settings.addresses().forEach((peer, where) -> neighbour(own, peer, where)));
    Optional<Experiment> read = attempt("experiment", experiment, each -> "can be read");
    Optional<Cast> cast =
        read.flatMap(
            each ->
                attempt(
                    "data",
                    () -> PeerAssembler.cast(each, data),
                    made -> "%d peers share it".formatted(made.holdings().peers().size())));
    if (read.isPresent() && cast.isPresent()) {
      identity.ifPresent(
          own ->
              attempt(
                  "plan",
                  () -> checks.plan(read.get(), cast.get(), own),
                  made -> "peer %d can take part".formatted(settings.peer())));
      attempt(
          "trainer",
          () -> {
            read.get().engine().prepare(System.getenv(), line -> {});
            return cast.get().trainers(read.get().engine()).get();
          },
          trainer -> "the engine works");
    }
    disk(cast);
    return List.copyOf(findings);
  }

  private void add(String check, NodeFinding.Level level, String text) {
    findings.add(new NodeFinding(check, level, text));
  }

  private interface Words<T> {
    String of(T value);
  }

  /** What an operator did wrong is told in its own words; anything else is told as it is. */
  private <T> Optional<T> attempt(String check, Supplier<T> step, Words<T> words) {
    try {
      T value = step.get();
      add(check, NodeFinding.Level.OK, words.of(value));
      return Optional.of(value);
    } catch (OperatorException wrong) {
      add(check, NodeFinding.Level.FIX, String.valueOf(wrong.getMessage()));
    } catch (Complaint wrong) {
      add(check, NodeFinding.Level.FIX, wrong.line());
    } catch (RuntimeException | LinkageError broken) {
      add(check, NodeFinding.Level.FIX, String.valueOf(broken));
    }
    return Optional.empty();
  }

  private Optional<Identity> identity() {
    Path folder = home.resolve(settings.identity());
    return attempt(
        "keys",
        () -> Identity.read(folder, settings.allowed()),
        identity -> identity.member() + ", key and certificate belong together");
  }

  private void certificate(Identity identity) {
    Validity validity = Validity.of(identity.certificate());
    long days = validity.daysLeft(now);
    add(
        "certificate",
        days < FEW_DAYS ? NodeFinding.Level.WARN : NodeFinding.Level.OK,
        "valid until %s, %d days%s"
            .formatted(
                validity.until(),
                days,
                days < FEW_DAYS ? "; renew it with 'kindred node cert renew'" : ""));
  }

  /** No machine's clock can show a time before its authority was made. */
  private void clock() {
    Path file = new Identity.Files(home.resolve(settings.identity())).authority();
    if (!Files.exists(file)) {
      return;
    }
    Optional<Validity> authority =
        attempt(
            "authority",
            () -> Validity.of(Identity.certificate(file)),
            each -> "valid until " + each.until());
    if (authority.isPresent()) {
      boolean wrong = authority.get().isYetToCome(now) || authority.get().isOver(now);
      add(
          "clock",
          wrong ? NodeFinding.Level.FIX : NodeFinding.Level.OK,
          wrong
              ? "it shows %s, and the authority is valid from %s to %s; set the clock"
                  .formatted(now, authority.get().from(), authority.get().until())
              : "it shows " + now);
    }
  }

  private void port(String check, InetSocketAddress address, String key) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address);
      add(check, NodeFinding.Level.OK, address + " is free");
    } catch (IOException taken) {
      add(
          check,
          NodeFinding.Level.FIX,
          "cannot listen at %s (%s); stop whoever does, or choose another '%s'"
              .formatted(address, taken.getMessage(), key));
    }
  }

  private void neighbour(Identity identity, PeerId peer, InetSocketAddress address) {
    Knock.Answer answer = Knock.at(identity, peer, address);
    String where = address.getHostString() + ":" + address.getPort();
    String words = where + " " + answer.words();
    switch (answer.outcome()) {
      case OPENED -> add(peer.toString(), NodeFinding.Level.OK, words);
      case NOBODY ->
          add(
              peer.toString(),
              NodeFinding.Level.WARN,
              where + ": " + answer.words() + "; start it, or correct neighbours." + peer.number());
      case REFUSED ->
          add(
              peer.toString(),
              NodeFinding.Level.FIX,
              where + ": " + answer.words() + "; compare with 'kindred node cert show'");
    }
  }

  private void disk(Optional<Cast> cast) {
    long model = cast.map(each -> 4L * each.architecture().layout().size()).orElse(0L);
    long least = LEAST_BYTES + MODELS_ON_DISK * model;
    @Nullable Path folder = home.resolve(settings.folder()).toAbsolutePath();
    while (folder != null && !Files.exists(folder)) {
      folder = folder.getParent();
    }
    if (folder == null) {
      return;
    }
    try {
      long free = Files.getFileStore(folder).getUsableSpace();
      String words = "%d MB free for %s".formatted(free / MEGABYTE, settings.folder());
      if (!Files.isWritable(folder)) {
        add(
            "disk",
            NodeFinding.Level.FIX,
            folder + " cannot be written to; change its permissions");
      } else if (free < least) {
        add(
            "disk",
            NodeFinding.Level.FIX,
            words + "; it needs " + least / MEGABYTE + " MB, so make room");
      } else {
        add("disk", free < FEW_BYTES ? NodeFinding.Level.WARN : NodeFinding.Level.OK, words);
      }
    } catch (IOException unknown) {
      add("disk", NodeFinding.Level.WARN, "cannot tell how much is free: " + unknown.getMessage());
    }
  }
}

package io.kindred.node.assembly;

import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.contract.PeerFactory;
import io.kindred.node.NodeSettings;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Validity;
import io.kindred.node.transport.tls.HandshakeProbe;
import io.kindred.runtime.config.Experiment;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks, before a node starts, everything that it will need; nothing is written. */
final class NodePreflight {
  private static final int WARNING_DAYS = 30;
  private static final long MEGABYTE = 1L << 20;

  /** A node writes two states, a model, metrics and perhaps a recording. */
  private static final long REQUIRED_BYTES = 64 * MEGABYTE;

  private static final long WARNING_BYTES = 1_024 * MEGABYTE;
  private static final int MODELS_ON_DISK = 8;

  private final NodeSettings settings;
  private final Path home;
  private final Instant now;
  private final List<PreflightFinding> findings = new ArrayList<>();

  NodePreflight(NodeSettings settings, Path home, Instant now) {
    this.settings = settings;
    this.home = home;
    this.now = now;
  }

  /** The steps of a start that need the experiment. */
  record Preparation(
      Supplier<Experiment> experiment,
      Function<Experiment, PeerFactory> factory,
      NodePlanner planner) {}

  /** Runs every check whose prerequisites were met. */
  List<PreflightFinding> findings(Preparation preparation, IntSupplier number) {
    Optional<Identity> identity = identity();
    identity.ifPresent(this::certificate);
    privateKeys();
    clock();
    port("port", settings.addresses().listenAddress(), "listen");
    settings
        .operations()
        .address()
        .ifPresent(where -> port("operations port", where, "operations.listen"));
    identity.ifPresent(
        own ->
            settings.addresses().reachable().forEach((peer, where) -> neighbour(own, peer, where)));
    Optional<Experiment> read =
        attempt(
            settings.participation().task().isPresent() ? "task" : "experiment",
            preparation.experiment(),
            each -> "can be read");
    Optional<PeerFactory> factory =
        read.flatMap(
            each ->
                attempt(
                    "data",
                    () -> preparation.factory().apply(each),
                    made -> dataLine(made, number.getAsInt())));
    if (read.isPresent() && factory.isPresent()) {
      identity.ifPresent(
          own ->
              attempt(
                  "plan",
                  () -> preparation.planner().plan(read.get(), factory.get(), own),
                  made -> "peer %d can take part".formatted(number.getAsInt())));
      attempt(
          "trainer",
          () -> {
            read.get().engine().prepare(System.getenv(), line -> {});
            return factory.get().trainers(read.get().engine()).get();
          },
          trainer -> "the engine works");
    }
    disk(factory);
    return List.copyOf(findings);
  }

  private void add(String check, PreflightFinding.Level level, String text) {
    findings.add(new PreflightFinding(check, level, text));
  }

  private String dataLine(PeerFactory made, int number) {
    int peers = made.datasets().splits().size();
    return settings.participation().task().isEmpty() || number >= peers
        ? "divided among %d peers".formatted(peers)
        : "%d samples to train with, %d held out"
            .formatted(
                made.datasets().splits().get(number).train().size(),
                made.datasets().splits().get(number).test().size()
                    + made.datasets().splits().get(number).validation().size());
  }

  private interface Description<T> {
    String of(T value);
  }

  /**
   * Runs one check. An operator's mistake is reported by its own message, any other failure by its
   * exception.
   */
  private <T> Optional<T> attempt(String check, Supplier<T> step, Description<T> description) {
    try {
      T value = step.get();
      add(check, PreflightFinding.Level.OK, description.of(value));
      return Optional.of(value);
    } catch (OperatorException wrong) {
      add(check, PreflightFinding.Level.FIX, String.valueOf(wrong.getMessage()));
    } catch (SettingException wrong) {
      add(check, PreflightFinding.Level.FIX, wrong.line());
    } catch (RuntimeException | LinkageError broken) {
      add(check, PreflightFinding.Level.FIX, String.valueOf(broken));
    }
    return Optional.empty();
  }

  private Optional<Identity> identity() {
    Path folder = home.resolve(settings.credentials().identity());
    return attempt(
        "keys",
        () -> Identity.read(folder, settings.credentials().allowed()),
        identity -> identity.member() + ", key and certificate match");
  }

  /** A private key that others can read is no longer private. */
  private void privateKeys() {
    Path folder = home.resolve(settings.credentials().identity());
    Identity.IdentityFiles files = new Identity.IdentityFiles(folder);
    for (Path key : List.of(files.key(), files.vrfKey())) {
      Optional<String> others = Identity.IdentityFiles.readersBesidesOwner(key);
      others.ifPresent(
          who ->
              add(
                  "private key",
                  PreflightFinding.Level.WARN,
                  "%s can be read by %s; run 'chmod 600 %s', and make a new identity if somebody"
                          .formatted(key, who, key)
                      + " may have read it"));
    }
    if (Files.exists(folder.resolve("authority.key"))) {
      add(
          "private key",
          PreflightFinding.Level.WARN,
          folder.resolve("authority.key") + " signs every member; keep it on no node");
    }
  }

  private void certificate(Identity identity) {
    Validity validity = Validity.of(identity.certificate());
    long days = validity.daysLeft(now);
    add(
        "certificate",
        days < WARNING_DAYS ? PreflightFinding.Level.WARN : PreflightFinding.Level.OK,
        "valid until %s, %d days left%s"
            .formatted(
                validity.until(),
                days,
                days < WARNING_DAYS ? "; renew it with 'kindred node cert renew'" : ""));
  }

  /**
   * A clock outside the authority's validity is wrong: no time before the authority was created can
   * be right.
   */
  private void clock() {
    Path file =
        new Identity.IdentityFiles(home.resolve(settings.credentials().identity())).authority();
    if (!Files.exists(file)) {
      return;
    }
    Optional<Validity> authority =
        attempt(
            "authority",
            () -> Validity.of(Identity.certificate(file)),
            each -> "valid until " + each.until());
    if (authority.isPresent()) {
      boolean wrong = authority.get().isNotYetValid(now) || authority.get().isExpired(now);
      add(
          "clock",
          wrong ? PreflightFinding.Level.FIX : PreflightFinding.Level.OK,
          wrong
              ? "the clock shows %s, but the authority is valid from %s to %s; set the clock"
                  .formatted(now, authority.get().from(), authority.get().until())
              : "the clock shows " + now);
    }
  }

  private void port(String check, InetSocketAddress address, String key) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address);
      add(check, PreflightFinding.Level.OK, address + " is free");
    } catch (IOException taken) {
      add(
          check,
          PreflightFinding.Level.FIX,
          ("cannot listen at %s (%s); stop the process that uses the port, or choose"
                  + " another '%s'")
              .formatted(address, taken.getMessage(), key));
    }
  }

  private void neighbour(Identity identity, PeerId peer, InetSocketAddress address) {
    HandshakeProbe.ProbeResult probeResult = HandshakeProbe.probe(identity, peer, address);
    String where = address.getHostString() + ":" + address.getPort();
    String words = where + " " + probeResult.description();
    switch (probeResult.outcome()) {
      case ACCEPTED -> add(peer.toString(), PreflightFinding.Level.OK, words);
      case UNREACHABLE ->
          add(
              peer.toString(),
              PreflightFinding.Level.WARN,
              where
                  + ": "
                  + probeResult.description()
                  + "; start that node, or correct neighbours."
                  + peer.number());
      case REFUSED ->
          add(
              peer.toString(),
              PreflightFinding.Level.FIX,
              where
                  + ": "
                  + probeResult.description()
                  + "; compare the certificates with 'kindred node cert show'");
    }
  }

  private void disk(Optional<PeerFactory> factory) {
    long model = factory.map(each -> 4L * each.architecture().layout().size()).orElse(0L);
    long least = REQUIRED_BYTES + MODELS_ON_DISK * model;
    @Nullable Path folder = home.resolve(settings.output().folder()).toAbsolutePath();
    while (folder != null && !Files.exists(folder)) {
      folder = folder.getParent();
    }
    if (folder == null) {
      return;
    }
    try {
      long free = Files.getFileStore(folder).getUsableSpace();
      String words = "%d MB free for %s".formatted(free / MEGABYTE, settings.output().folder());
      if (!Files.isWritable(folder)) {
        add(
            "disk",
            PreflightFinding.Level.FIX,
            folder + " cannot be written to; change its permissions");
      } else if (free < least) {
        add(
            "disk",
            PreflightFinding.Level.FIX,
            words + "; the node needs " + least / MEGABYTE + " MB, so free some space");
      } else {
        add(
            "disk",
            free < WARNING_BYTES ? PreflightFinding.Level.WARN : PreflightFinding.Level.OK,
            words);
      }
    } catch (IOException unknown) {
      add(
          "disk",
          PreflightFinding.Level.WARN,
          "cannot determine the free space: " + unknown.getMessage());
    }
  }
}

package io.kindred.node.transport.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.node.TinyNetwork;
import io.kindred.node.Until;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.node.log.NodeLog;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.RefusalKind;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.outbound.AddressBook;
import io.kindred.node.transport.outbound.Outbox;
import io.kindred.node.transport.tls.Tls;
import io.kindred.protocol.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that expire, are revoked, replaced or missing. */
@Timeout(60)
class CertificateLifecycleTest {
  private static final PeerId SERVER = new PeerId(0);

  @TempDir private Path home;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<String> log = Collections.synchronizedList(new ArrayList<>());
  private final Refusals refusals = new Refusals(log::add);
  private final Wire wire = new Wire(List.of(NeighbourUpdate.class));
  private TinyNetwork network;
  private Identity server;
  private Inbox inbox;

  @SuppressWarnings("NullAway.Init") // set before each test
  CertificateLifecycleTest() {}

  @BeforeEach
  void open() {
    network = new TinyNetwork(home, 2, 1);
    serve(Optional.empty());
  }

  private void serve(Optional<Set<PeerId>> allowed) {
    server = Identity.read(home.resolve("identity-0"), allowed.map(TreeSet::new));
    inbox =
        new Inbox(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            server,
            InboundContext.of(
                wire,
                new Layouts(List.of()),
                new AbusePolicy(Limits.DEFAULTS, refusals),
                received -> true),
            new AddressBook(server),
            threads,
            timer);
  }

  @AfterEach
  void close() {
    inbox.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private Outbox outbox(Identity sender) {
    SortedMap<PeerId, InetSocketAddress> addresses = new TreeMap<>();
    addresses.put(SERVER, new InetSocketAddress(InetAddress.getLoopbackAddress(), inbox.port()));
    AddressBook book = new AddressBook(sender);
    book.addConfigured(addresses);
    return new Outbox(sender, book, 2_000, Packing.NONE, new Refusals(line -> {}), threads, timer);
  }

  private Optional<String> send(Outbox outbox) throws Exception {
    CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
    Message message = new NeighbourUpdate(1, 1, new ModelUpdate(List.of()), false, 0);
    outbox.send(SERVER, Component.METHOD, wire.encode(Message.class, message), ended::complete);
    return ended.get(30, TimeUnit.SECONDS);
  }

  private Optional<String> send(Identity sender) throws Exception {
    try (Outbox outbox = outbox(sender)) {
      return send(outbox);
    }
  }

  /** Peer 1's key with a certificate of another validity. */
  private Identity with(Validity validity) {
    Identity usual = network.identity(1);
    X509Certificate certificate =
        network.authority().sign(usual.certificate().getPublicKey(), usual.member(), validity);
    return new Identity(usual.key(), certificate, usual.authority());
  }

  private void assertRefused(RefusalKind kind, String words) {
    assertThat(refusals.counts()).containsKey(kind);
    assertThat(log).anySatisfy(line -> assertThat(line).contains(words));
  }

  @Test
  void anExpiredCertificateIsRefusedWithTheTimeOfItsEnd() throws Exception {
    Instant end = Instant.now().minus(Duration.ofDays(1));
    assertThat(send(with(new Validity(end.minus(Duration.ofDays(9)), end)))).isPresent();
    assertRefused(
        RefusalKind.EXPIRED_CERTIFICATE,
        "refused: client peer 1 of network tiny has a certificate that expired at "
            + end.toString().substring(0, 19));
  }

  @Test
  void aCertificateOfTheFutureIsRefusedWithTheTimeOfItsBeginning() throws Exception {
    Instant begin = Instant.now().plus(Duration.ofDays(1));
    assertThat(send(with(new Validity(begin, begin.plus(Duration.ofDays(9)))))).isPresent();
    assertRefused(
        RefusalKind.EARLY_CERTIFICATE, "is not valid before " + begin.toString().substring(0, 19));
  }

  @Test
  void whoIsNotOnTheListOfThoseAllowedIsRefused() throws Exception {
    inbox.close();
    serve(Optional.of(new TreeSet<>(List.of(SERVER, new PeerId(2)))));
    assertThat(send(network.identity(1))).isPresent();
    assertRefused(RefusalKind.NOT_ALLOWED, "peer 1 of network tiny is not in the list");
  }

  @Test
  void aRevokedMemberIsRefusedOnANewConnectionAndOnTheOneItHas() throws Exception {
    Identity member = network.identity(1);
    try (Outbox open = outbox(member)) {
      assertThat(send(open)).isEmpty();
      revoke(member.certificate());
      assertThat(server.refresh(NodeLog.ofTexts(log::add))).isTrue();
      assertThat(send(open)).hasValueSatisfying(why -> assertThat(why).contains("UNAUTHENTICATED"));
      assertRefused(RefusalKind.REVOKED_CERTIFICATE, "has a certificate that was revoked at 2");
    }
    assertThat(send(member)).isPresent();
    assertThat(refusals.counts().get(RefusalKind.REVOKED_CERTIFICATE)).isGreaterThan(1);
  }

  /** A network moves to another authority. */
  @Test
  void aMemberOfARemovedAuthorityIsRefusedOnItsOpenConnection() throws Exception {
    Path trusted = new Identity.IdentityFiles(home.resolve("identity-0")).authority();
    String ours = Files.readString(trusted);
    Authority old = Authority.create(home.resolve("old"));
    Identity issued =
        network.identity("moving", old, new Member(TinyNetwork.NETWORK, new PeerId(1)));
    Path theirs = new Identity.IdentityFiles(home.resolve("moving")).authority();
    Identity member = new Identity(issued.key(), issued.certificate(), server.authority());
    Files.writeString(trusted, ours + Files.readString(theirs));
    assertThat(server.refresh(NodeLog.ofTexts(log::add))).isTrue();
    try (Outbox open = outbox(member)) {
      assertThat(send(open)).isEmpty();
      Files.writeString(trusted, ours);
      assertThat(server.refresh(NodeLog.ofTexts(log::add))).isTrue();
      assertThat(send(open)).hasValueSatisfying(why -> assertThat(why).contains("UNAUTHENTICATED"));
    }
    assertRefused(RefusalKind.FOREIGN_AUTHORITY, "is signed by CN=kindred authority");
  }

  private void revoke(X509Certificate certificate) throws IOException {
    assertThat(network.authority().revoke(home.resolve("authority"), certificate)).isTrue();
    Files.copy(
        Authority.revocationsFile(home.resolve("authority")),
        new Identity.IdentityFiles(home.resolve("identity-0")).revocations());
  }

  @Test
  void aListOfRevokedOnesThatAnotherSignedChangesNothing() throws Exception {
    Authority other = Authority.create(home.resolve("other"));
    Identity stranger =
        network.identity("stranger", other, new Member(TinyNetwork.NETWORK, new PeerId(1)));
    other.revoke(home.resolve("other"), stranger.certificate());
    Files.copy(
        Authority.revocationsFile(home.resolve("other")),
        new Identity.IdentityFiles(home.resolve("identity-0")).revocations());
    assertThat(server.refresh(NodeLog.ofTexts(log::add))).isFalse();
    assertThat(log)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line)
                    .startsWith("the old credentials stay in use: ")
                    .contains("is not signed by this network's authority"));
    // The same file is logged only once.
    assertThat(server.refresh(NodeLog.ofTexts(log::add))).isFalse();
    assertThat(log).hasSize(1);
    assertThat(send(network.identity(1))).isEmpty();
  }

  @Test
  void aRenewedCertificateIsShownOnNewConnectionsWithoutARestart() throws Exception {
    String before = server.certificate().getSerialNumber().toString(16);
    assertThat(certificatesShownToStranger()).isEqualTo(before);
    X509Certificate renewed =
        network
            .authority()
            .renew(
                home.resolve("identity-0"),
                network.authority().revocations(home.resolve("authority")),
                Validity.ofDays(10));
    assertThat(certificatesShownToStranger()).isEqualTo(before);
    assertThat(server.refresh(NodeLog.ofTexts(log::add))).isTrue();
    String after = renewed.getSerialNumber().toString(16);
    assertThat(after).isNotEqualTo(before);
    assertThat(certificatesShownToStranger()).isEqualTo(after);
    assertThat(log)
        .anySatisfy(
            line ->
                assertThat(line).startsWith("new credentials are in use: certificate " + after));
    assertThat(send(network.identity(1))).isEmpty();
  }

  @Test
  void aBrokenCertificateLeavesTheOldOneInForce() throws Exception {
    Files.writeString(
        new Identity.IdentityFiles(home.resolve("identity-0")).certificate(),
        "half of a certifica");
    assertThat(server.refresh(NodeLog.ofTexts(log::add))).isFalse();
    assertThat(log)
        .anySatisfy(line -> assertThat(line).startsWith("the old credentials stay in use"));
    assertThat(send(network.identity(1))).isEmpty();
  }

  @Test
  void theCertificateOfAnotherMemberLeavesTheOldOneInUse() throws Exception {
    Path mine = home.resolve("identity-0");
    X509Certificate other =
        network
            .authority()
            .sign(
                server.certificate().getPublicKey(),
                new Member(TinyNetwork.NETWORK, new PeerId(7)),
                Validity.ofDays(1));
    Files.writeString(
        new Identity.IdentityFiles(mine).certificate(),
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(other.getEncoded())
            + "\n-----END CERTIFICATE-----\n");
    assertThat(server.refresh(NodeLog.ofTexts(log::add))).isFalse();
    assertThat(log).anySatisfy(line -> assertThat(line).contains("is for peer 7 of network tiny"));
    assertThat(server.member().peer()).isEqualTo(SERVER);
  }

  @Test
  void aClientWithoutACertificateIsLogged() throws Exception {
    certificatesShownToStranger();
    assertThat(Until.comesTrue(() -> refusals.counts().containsKey(RefusalKind.NO_IDENTITY)))
        .isTrue();
    assertRefused(RefusalKind.NO_IDENTITY, "refused: 127.0.0.1 presented no certificate");
  }

  @Test
  void aConnectionWithoutTlsIsLogged() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), inbox.port())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(Until.comesTrue(() -> refusals.counts().containsKey(RefusalKind.NO_TLS))).isTrue();
    }
    assertRefused(RefusalKind.NO_TLS, "refused: 127.0.0.1 does not speak TLS");
  }

  /**
   * The serial number of the certificate that a client without a certificate sees before it is
   * refused.
   */
  private String certificatesShownToStranger() throws Exception {
    SSLContext context = SSLContext.getInstance(Tls.VERSION);
    context.init(null, new TrustManager[] {new TrustEverything()}, null);
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), inbox.port())) {
      socket.setSoTimeout(20_000);
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      try {
        assertThat(socket.getInputStream().read()).isNegative();
      } catch (SSLException refused) {
        assertThat(refused).hasMessageContaining("certificate");
      }
      return shown.getSerialNumber().toString(16);
    }
  }

  private static final class TrustEverything implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

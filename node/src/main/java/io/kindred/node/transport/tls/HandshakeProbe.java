package io.kindred.node.transport.tls;

import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.transport.Refusals;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Tests whether a TLS handshake with a neighbour succeeds, without sending any message. */
public final class HandshakeProbe {
  /** Outcome of a probe. */
  public enum Outcome {
    /** Both sides accept each other's certificate. */
    ACCEPTED,
    /** No node answers there; it may not have started yet. */
    UNREACHABLE,
    /** A node answers, and one side refuses the other. */
    REFUSED
  }

  /** Outcome of a probe with its description. */
  public record ProbeResult(Outcome outcome, String description) {}

  private static final int TIMEOUT_MILLIS = 3_000;

  private HandshakeProbe() {}

  /** Performs the handshake of a node and waits for the first byte of the server. */
  public static ProbeResult probe(Identity identity, PeerId peer, InetSocketAddress address) {
    if (address.isUnresolved()) {
      return new ProbeResult(
          Outcome.UNREACHABLE, "there is no host named " + address.getHostString());
    }
    List<String> refused = Collections.synchronizedList(new ArrayList<>());
    Member member = new Member(identity.member().network(), peer);
    try (Socket plain = new Socket()) {
      plain.connect(address, TIMEOUT_MILLIS);
      plain.setSoTimeout(TIMEOUT_MILLIS);
      return shakeHands(identity, member, plain, refused);
    } catch (SSLException failed) {
      return new ProbeResult(
          Outcome.REFUSED,
          refused.isEmpty()
              ? "the node refuses our certificate or handshake: " + failed.getMessage()
              : "this node refuses its certificate: " + refused.getFirst());
    } catch (SocketTimeoutException silent) {
      return new ProbeResult(Outcome.UNREACHABLE, "the node does not answer within 3 seconds");
    } catch (IOException unreachable) {
      return new ProbeResult(Outcome.UNREACHABLE, String.valueOf(unreachable.getMessage()));
    }
  }

  private static ProbeResult shakeHands(
      Identity identity, Member member, Socket plain, List<String> refused) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            Tls.jdkContext(identity, new Refusals(refused::add))
                .getSocketFactory()
                .createSocket(plain, member.hostName(), plain.getPort(), false)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {Tls.VERSION});
      parameters.setApplicationProtocols(new String[] {"h2"});
      // TLS then requires the member's name in the certificate.
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      // In TLS 1.3 the server checks our certificate after our side of the handshake is complete;
      // only its first byte shows that it has accepted.
      if (socket.getInputStream().read() < 0) {
        return new ProbeResult(
            Outcome.REFUSED, "the node closed the connection after it received our certificate");
      }
      return new ProbeResult(Outcome.ACCEPTED, "completes the TLS handshake as " + member);
    }
  }
}

package io.kindred.node.identity;

import io.kindred.node.log.NodeLog;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes revocation lists on from node to node. An authority signs its lists, so any member may
 * bring one. A node keeps the newest list of each authority and passes it on at once.
 */
public final class RevocationBook {
  /** Lists in one message: two authorities while a network moves, and their intermediates. */
  private static final int MAX_LISTS = 16;

  private final Identity identity;
  private final NodeLog log;
  private volatile Runnable newsListener = () -> {};

  public RevocationBook(Identity identity, NodeLog log) {
    this.identity = identity;
    this.log = log;
  }

  /** Called after lists of another member have replaced older ones. */
  public void onNews(Runnable listener) {
    newsListener = listener;
  }

  /** This node's lists, as a request or an answer. */
  public byte[] encoded() {
    WireOutput out = new WireOutput(weights -> {});
    List<X509CRL> lists = identity.credentials().revocations().lists();
    List<X509CRL> sent = lists.subList(0, Math.min(MAX_LISTS, lists.size()));
    out.writeCount(sent.size());
    for (X509CRL each : sent) {
      try {
        byte[] encoded = each.getEncoded();
        out.writeCount(encoded.length);
        out.writeBytes(encoded);
      } catch (CRLException e) {
        throw new IllegalStateException("a list that was read", e);
      }
    }
    return out.toBytes();
  }

  /** Takes the lists of another member; those that no trusted authority signed are ignored. */
  public void learn(byte[] received) throws MalformedException {
    WireInput in = new WireInput(received, digest -> null);
    List<X509CRL> lists = new ArrayList<>();
    int count = in.readCount(1);
    if (count > MAX_LISTS) {
      throw new MalformedException(count + " revocation lists are too many");
    }
    for (int left = count; left > 0; left--) {
      lists.add(decoded(in.readBytes(in.readCount(1))));
    }
    if (identity.adopt(lists, log)) {
      newsListener.run();
    }
  }

  private static X509CRL decoded(byte[] encoded) throws MalformedException {
    try {
      return (X509CRL)
          CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(encoded));
    } catch (GeneralSecurityException e) {
      throw new MalformedException("a revocation list cannot be parsed");
    }
  }
}

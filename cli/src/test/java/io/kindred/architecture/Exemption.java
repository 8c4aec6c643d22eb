package io.kindred.architecture;

import java.util.List;

/**
 * One class, with its nested classes, that is exempt from one ban, and why this cannot affect a
 * result.
 */
record Exemption(String className, Ban ban, String reason) {
  static final List<Exemption> ALL =
      List.of(
          new Exemption(
              "io.kindred.learning.torch.Natives",
              Ban.FILES,
              "finds the native library that was unpacked, and hands its path to the loader"),
          new Exemption(
              "io.kindred.protocol.wire.Wire",
              Ban.HASH_ORDER,
              "its codecs are looked up by type from many threads and never iterated"),
          new Exemption(
              "io.kindred.protocol.overlay.ProofVerifier",
              Ban.HASH_ORDER,
              "remembers what pure functions answered, by question; never iterated"));
}

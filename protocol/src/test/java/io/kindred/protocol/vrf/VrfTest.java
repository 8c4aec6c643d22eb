package io.kindred.protocol.vrf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.spec.ECFieldFp;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.math.ec.ECPoint;
import org.junit.jupiter.api.Test;

class VrfTest {
  private static final Bytes ALPHA = text("sample");
  private static final VrfSecret SECRET =
      new VrfSecret(hex("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"));
  private static final Bytes KEY = SECRET.publicKey();
  private static final Bytes PROOF = Vrf.prove(SECRET, ALPHA);

  private record Vector(String secret, String key, String alpha, String proof, String hash) {}

  /** RFC 9381, appendix B.1, examples 10 to 12. */
  private static final List<Vector> VECTORS =
      List.of(
          new Vector(
              "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
              "0360fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
              "sample",
              "035b5c726e8c0e2c488a107c600578ee75cb702343c153cb1eb8dec77f4b5071b4"
                  + "a53f0a46f018bc2c56e58d383f2305e0"
                  + "975972c26feea0eb122fe7893c15af376b33edf7de17c6ea056d4d82de6bc02f",
              "a3ad7b0ef73d8fc6655053ea22f9bede8c743f08bbed3d38821f0e16474b505e"),
          new Vector(
              "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
              "0360fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
              "test",
              "034dac60aba508ba0c01aa9be80377ebd7562c4a52d74722e0abae7dc3080ddb56"
                  + "c19e067b15a8a8174905b13617804534"
                  + "214f935b94c2287f797e393eb0816969d864f37625b443f30f1a5a33f2b3c854",
              "a284f94ceec2ff4b3794629da7cbafa49121972671b466cab4ce170aa365f26d"),
          new Vector(
              "2ca1411a41b17b24cc8c3b089cfd033f1920202a6c0de8abb97df1498d50d2c8",
              "03596375e6ce57e0f20294fc46bdfcfd19a39f8161b58695b3ec5b3d16427c274d",
              "Example using ECDSA key from Appendix L.4.2 of ANSI.X9-62-2005",
              "03d03398bf53aa23831d7d1b2937e005fb0062cbefa06796579f2a1fc7e7b8c667"
                  + "d091c00b0f5c3619d10ecea44363b5a5"
                  + "99cadc5b2957e223fec62e81f7b4825fc799a771a3d7334b9186bdbee87316b1",
              "90871e06da5caa39a3c61578ebb844de8635e27ac0b13e829997d0d95dd98c19"));

  private static Bytes hex(String digits) {
    return Bytes.wrap(HexFormat.of().parseHex(digits));
  }

  private static Bytes text(String text) {
    return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theExamplesOfTheStandardComeOutBitForBit() {
    for (Vector vector : VECTORS) {
      VrfSecret secret = new VrfSecret(hex(vector.secret));
      Bytes alpha = text(vector.alpha);
      assertThat(secret.publicKey()).isEqualTo(hex(vector.key));
      assertThat(Vrf.prove(secret, alpha)).isEqualTo(hex(vector.proof));
      assertThat(Vrf.proofToHash(hex(vector.proof)).map(Digest::hex)).hasValue(vector.hash);
      assertThat(Vrf.verify(hex(vector.key), alpha, hex(vector.proof)).map(Digest::hex))
          .hasValue(vector.hash);
    }
  }

  @Test
  void theCurveIsThePlatformsOwn() throws Exception {
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    ECParameterSpec curve = parameters.getParameterSpec(ECParameterSpec.class);
    assertThat(P256.ORDER).isEqualTo(curve.getOrder());
    assertThat(P256.CURVE.getField().getCharacteristic())
        .isEqualTo(((ECFieldFp) curve.getCurve().getField()).getP());
    assertThat(P256.CURVE.getA().toBigInteger()).isEqualTo(curve.getCurve().getA());
    assertThat(P256.CURVE.getB().toBigInteger()).isEqualTo(curve.getCurve().getB());
    ECPoint generator = P256.GENERATOR;
    assertThat(generator.getAffineXCoord().toBigInteger())
        .isEqualTo(curve.getGenerator().getAffineX());
    assertThat(generator.getAffineYCoord().toBigInteger())
        .isEqualTo(curve.getGenerator().getAffineY());
  }

  @Test
  void twoProductsAtOnceEqualTheirSum() {
    ECPoint five = P256.multiplyGenerator(BigInteger.valueOf(5));
    assertThat(
            P256.multiplyAndAdd(BigInteger.valueOf(7), P256.GENERATOR, BigInteger.valueOf(9), five))
        .isEqualTo(P256.multiplyGenerator(BigInteger.valueOf(52)));
    assertThat(
            P256.multiplyAndAdd(BigInteger.valueOf(3), five, BigInteger.valueOf(3), five.negate()))
        .isEqualTo(P256.CURVE.getInfinity());
  }

  @Test
  void aProofThatLeadsToThePointAtInfinityIsRefused() {
    // With c and s zero, U and V are at infinity.
    byte[] gamma = Arrays.copyOf(PROOF.shared(), P256.POINT_BYTES);
    Bytes forged = Bytes.wrap(Arrays.copyOf(gamma, Vrf.PROOF_BYTES));
    assertThat(Vrf.proofToHash(forged)).isEqualTo(Vrf.proofToHash(PROOF));
    assertThat(Vrf.verify(KEY, ALPHA, forged)).isEmpty();
  }

  @Test
  void everySecretsProofIsAccepted() {
    Property.forAll((random, size) -> VrfSecret.derive(new Digest(random.nextLong(), size, 0, 0)))
        .runs(20)
        .holds(
            secret -> {
              Bytes proof = Vrf.prove(secret, ALPHA);
              assertThat(Vrf.verify(secret.publicKey(), ALPHA, proof))
                  .isPresent()
                  .isEqualTo(Vrf.proofToHash(proof));
            });
  }

  @Test
  void aReplayedProofIsRefused() {
    assertThat(Vrf.verify(KEY, text("other"), PROOF)).isEmpty();
    Bytes otherKey = VrfSecret.derive(new Digest(1, 2, 3, 4)).publicKey();
    assertThat(Vrf.verify(otherKey, ALPHA, PROOF)).isEmpty();
  }

  @Test
  void aProofWithAnyBitChangedIsRefused() {
    for (int bit = 0; bit < 8 * Vrf.PROOF_BYTES; bit += 3) {
      byte[] forged = PROOF.copy();
      forged[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThat(Vrf.verify(KEY, ALPHA, Bytes.wrap(forged))).as("bit %d", bit).isEmpty();
    }
  }

  @Test
  void aProofOfAnyOtherLengthIsRefused() {
    for (int length = 0; length < Vrf.PROOF_BYTES + 3; length++) {
      Bytes cut = Bytes.wrap(Arrays.copyOf(PROOF.shared(), length));
      assertThat(Vrf.verify(KEY, ALPHA, cut).isPresent()).isEqualTo(length == Vrf.PROOF_BYTES);
      assertThat(Vrf.proofToHash(cut).isPresent()).isEqualTo(length == Vrf.PROOF_BYTES);
    }
  }

  @Test
  void aNumberBeyondTheOrderIsRefused() {
    byte[] forged = PROOF.copy();
    Arrays.fill(forged, 49, 81, (byte) -1);
    assertThat(Vrf.verify(KEY, ALPHA, Bytes.wrap(forged))).isEmpty();
    assertThat(Vrf.proofToHash(Bytes.wrap(forged))).isEmpty();
  }

  private static Bytes garbage(RandomStream random, int size) {
    byte[] bytes = random.nextInt(2) == 0 ? PROOF.copy() : new byte[random.nextInt(2 * size + 82)];
    for (int hits = 1 + random.nextInt(bytes.length + 1); hits > 0 && bytes.length > 0; hits--) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextLong();
    }
    if (bytes.length > 0 && random.nextInt(2) == 0) {
      bytes[0] = (byte) (2 + random.nextInt(2));
    }
    return Bytes.wrap(bytes);
  }

  @Test
  void garbageIsRefusedAndNeverThrows() {
    Property.forAll(VrfTest::garbage)
        .runs(300)
        .holds(
            bytes -> {
              Optional<Digest> found = Vrf.verify(KEY, ALPHA, bytes);
              assertThat(found.isPresent()).isEqualTo(bytes.equals(PROOF));
              assertThat(Vrf.verify(bytes, ALPHA, PROOF)).isEmpty();
            });
  }

  @Test
  void bytesThatNameNoPointAreNoKey() {
    byte[] beyondTheField = new byte[P256.POINT_BYTES];
    Arrays.fill(beyondTheField, (byte) -1);
    beyondTheField[0] = 2;
    assertThat(P256.decode(beyondTheField)).isEmpty();
    byte[] uncompressed = KEY.copy();
    uncompressed[0] = 4;
    assertThat(P256.decode(uncompressed)).isEmpty();
    assertThat(P256.decode(new byte[P256.POINT_BYTES])).isEmpty();
  }

  @Test
  void aSecretOutsideTheCurvesOrderIsRefused() {
    assertThatThrownBy(() -> new VrfSecret(Bytes.wrap(new byte[32])))
        .isInstanceOf(IllegalArgumentException.class);
    byte[] order = new byte[32];
    P256.putUnsigned(P256.ORDER, order, 0, 32);
    assertThatThrownBy(() -> new VrfSecret(Bytes.wrap(order)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new VrfSecret(Bytes.of((byte) 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSecretNeverShowsItself() {
    assertThat(SECRET.toString()).doesNotContain("c9afa9d8").contains("0360fed4");
  }
}

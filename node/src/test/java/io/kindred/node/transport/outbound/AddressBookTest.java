package io.kindred.node.transport.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.node.TinyNetwork;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.ForeignAuthority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.log.NodeLog;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.WireInput;
import io.kindred.protocol.wire.WireOutput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which addresses a node learns, and from which members. */
class AddressBookTest {
  @TempDir private Path home;
  private TinyNetwork network;

  @SuppressWarnings("NullAway.Init") // set before each test
  AddressBookTest() {}

  @BeforeEach
  void make() {
    network = new TinyNetwork(home, 3, 1);
  }

  private AddressBook book(int number) {
    AddressBook book = new AddressBook(network.identity(number));
    book.keep(SignedAddress.of(network.identity(number), "host-" + number, 7400, 1));
    return book;
  }

  private static InetSocketAddress at(String host) {
    return InetSocketAddress.createUnresolved(host, 7400);
  }

  private static void meet(AddressBook asker, AddressBook answerer) throws MalformedException {
    asker.applySyncReply(answerer.answerSync(asker.syncRequest()));
  }

  @Test
  void twoNodesThatConnectExchangeTheirAddressBooks() throws MalformedException {
    AddressBook zero = book(0);
    AddressBook one = book(1);
    AddressBook two = book(2);
    meet(zero, one);
    meet(two, one);
    assertThat(two.addressOf(new PeerId(0))).contains(at("host-0"));
    assertThat(two.addressOf(new PeerId(1))).contains(at("host-1"));
    assertThat(one.addressOf(new PeerId(2))).contains(at("host-2"));
    assertThat(zero.addressOf(new PeerId(2))).isEmpty();
    meet(zero, one);
    assertThat(zero.known()).containsExactly(new PeerId(1), new PeerId(2));
  }

  @Test
  void whatIsKnownIsNotSaidAgain() throws MalformedException {
    AddressBook zero = book(0);
    AddressBook one = book(1);
    meet(zero, one);
    assertThat(one.answerSync(zero.syncRequest())).hasSize(1);
  }

  @Test
  void theNewestWordOfAMemberCounts() {
    AddressBook zero = book(0);
    SignedAddress moved = SignedAddress.of(network.identity(1), "elsewhere", 7400, 5);
    assertThat(zero.learn(List.of(moved))).isOne();
    assertThat(zero.learn(List.of(SignedAddress.of(network.identity(1), "before", 7400, 4))))
        .isZero();
    assertThat(zero.addressOf(new PeerId(1))).contains(at("elsewhere"));
  }

  /** Such an address could never be replaced: no later one would be newer. */
  @Test
  void aWordFromTheFutureIsNotBelieved() {
    AddressBook zero = book(0);
    long now = System.currentTimeMillis();
    for (long stamp : new long[] {Long.MAX_VALUE, now + 2 * 3_600_000}) {
      assertThat(zero.learn(List.of(SignedAddress.of(network.identity(1), "far", 7400, stamp))))
          .isZero();
    }
    assertThat(
            zero.learn(List.of(SignedAddress.of(network.identity(1), "near", 7400, now + 60_000))))
        .isOne();
  }

  @Test
  void whoIsRevokedIsForgottenOnceThatIsKnown() throws IOException {
    Identity own = network.identity(0);
    AddressBook zero = new AddressBook(own);
    zero.keep(SignedAddress.of(own, "host-0", 7400, 1));
    zero.learn(
        List.of(
            SignedAddress.of(network.identity(1), "host-1", 7400, 1),
            SignedAddress.of(network.identity(2), "host-2", 7400, 1)));
    network.authority().revoke(home.resolve("authority"), network.identity(1).certificate());
    Files.copy(
        Authority.revocationsFile(home.resolve("authority")),
        new Identity.IdentityFiles(home.resolve("identity-0")).revocations());
    assertThat(own.refresh(NodeLog.ofTexts(_ -> {}))).isTrue();
    zero.recheckTrust();
    assertThat(zero.known()).containsExactly(new PeerId(2));
    assertThat(zero.addressOf(new PeerId(0))).isPresent();
  }

  /** A book that does something else while it verifies an address. */
  private static AddressBook whileVouching(Consumer<SignedAddress> meanwhile) {
    return new AddressBook(
        new PeerId(0),
        each -> {
          meanwhile.accept(each);
          return true;
        },
        () -> 1_000);
  }

  @Test
  void whatOldPapersVouchedForIsNotKeptAfterNewOnesCame() {
    List<AddressBook> same = new ArrayList<>();
    AddressBook zero = whileVouching(_ -> same.forEach(AddressBook::recheckTrust));
    same.add(zero);
    SignedAddress address = SignedAddress.of(network.identity(1), "host-1", 7400, 1);
    assertThat(zero.learn(List.of(address))).isZero();
    assertThat(zero.known()).isEmpty();
    same.clear();
    assertThat(zero.learn(List.of(address))).isOne();
  }

  @Test
  void anOlderWordThatTakesLongerToCheckReplacesNoNewerOne() {
    SignedAddress older = SignedAddress.of(network.identity(1), "before", 7400, 4);
    SignedAddress newer = SignedAddress.of(network.identity(1), "after", 7400, 5);
    List<AddressBook> same = new ArrayList<>();
    AddressBook zero =
        whileVouching(
            each -> {
              if (each.equals(older)) {
                same.forEach(book -> book.learn(List.of(newer)));
              }
            });
    same.add(zero);
    assertThat(zero.learn(List.of(older))).isZero();
    assertThat(zero.addressOf(new PeerId(1))).contains(at("after"));
  }

  @Test
  void addressesAreFoundWhileAllAreCheckedAgain() {
    List<Boolean> locked = new ArrayList<>();
    List<AddressBook> same = new ArrayList<>();
    AddressBook zero = whileVouching(_ -> same.forEach(book -> locked.add(Thread.holdsLock(book))));
    same.add(zero);
    zero.learn(List.of(SignedAddress.of(network.identity(1), "host-1", 7400, 1)));
    zero.recheckTrust();
    assertThat(locked).containsExactly(false, false);
    assertThat(zero.known()).containsExactly(new PeerId(1));
  }

  /** An authority moves to another intermediate, and members follow one by one. */
  @Test
  void whoIsVouchedForOverAFormerIntermediateStillCountsUntilTheAuthorityGoes() throws Exception {
    ForeignAuthority authority = new ForeignAuthority();
    ForeignAuthority.Intermediate former = authority.intermediate("CN=former");
    Path folder = home.resolve("own");
    Identity.create(folder, Optional.of(new Member(TinyNetwork.NETWORK, new PeerId(0))));
    former.issue(folder);
    Identity own = Identity.read(folder);
    Path other = home.resolve("other");
    Identity.create(other, Optional.of(new Member(TinyNetwork.NETWORK, new PeerId(1))));
    former.issue(other);
    SignedAddress address = SignedAddress.of(Identity.read(other), "host-1", 7400, 1);
    AddressBook book = new AddressBook(own);
    assertThat(book.learn(List.of(address))).isOne();

    authority.intermediate("CN=next").issue(folder);
    assertThat(own.refresh(NodeLog.ofTexts(_ -> {}))).isTrue();
    book.recheckTrust();
    assertThat(book.known()).containsExactly(new PeerId(1));

    new ForeignAuthority().intermediate("CN=elsewhere").issue(folder);
    assertThat(own.refresh(NodeLog.ofTexts(_ -> {}))).isTrue();
    book.recheckTrust();
    assertThat(book.known()).isEmpty();
  }

  @Test
  void theOperatorsWordComesFirst() {
    AddressBook zero = book(0);
    TreeMap<PeerId, InetSocketAddress> configured = new TreeMap<>();
    configured.put(new PeerId(1), at("told"));
    zero.addConfigured(configured);
    zero.learn(List.of(SignedAddress.of(network.identity(1), "elsewhere", 7400, 5)));
    assertThat(zero.addressOf(new PeerId(1))).contains(at("told"));
  }

  @Test
  void noMemberCanSignTheAddressOfAnother() {
    AddressBook zero = book(0);
    SignedAddress own = SignedAddress.of(network.identity(1), "elsewhere", 7400, 5);
    SignedAddress changed =
        new SignedAddress(
            own.member(),
            "mine",
            own.port(),
            own.timestampMillis(),
            own.certificate(),
            own.signature());
    assertThat(zero.learn(List.of(changed))).isZero();
    SignedAddress another =
        new SignedAddress(
            new Member(TinyNetwork.NETWORK, new PeerId(2)),
            own.host(),
            own.port(),
            own.timestampMillis(),
            own.certificate(),
            own.signature());
    assertThat(zero.learn(List.of(another))).isZero();
  }

  @Test
  void anAddressSignedUnderAnotherAuthorityIsRefused() {
    Authority foreign = Authority.create(home.resolve("foreign"));
    Member claimed = new Member(TinyNetwork.NETWORK, new PeerId(2));
    SignedAddress lie =
        SignedAddress.of(network.identity("stranger", foreign, claimed), "elsewhere", 7400, 9);
    assertThat(lie.isSigned()).isTrue();
    assertThat(book(0).learn(List.of(lie))).isZero();
    Member other = new Member("other", new PeerId(2));
    SignedAddress wrong =
        SignedAddress.of(
            network.identity("neighbour", network.authority(), other), "elsewhere", 7400, 9);
    assertThat(book(0).learn(List.of(wrong))).isZero();
  }

  /** An accepted address is passed on to all members, and all try to connect to it. */
  @Test
  void anInvalidHostIsNotRead() throws MalformedException {
    for (String bad : List.of("", "a b", "my_node", "relay:x", "a/b", "me@a", "a:7", "\u00e4")) {
      byte[] address = written(SignedAddress.of(network.identity(1), bad, 7400, 5));
      assertThatThrownBy(() -> SignedAddress.read(new WireInput(address, _ -> null)))
          .as(bad)
          .isInstanceOf(MalformedException.class);
    }
    for (String good : List.of("host-1.example", "127.0.0.1", "::1", "dns", "relay:7")) {
      byte[] address = written(SignedAddress.of(network.identity(1), good, 7400, 5));
      assertThat(SignedAddress.read(new WireInput(address, _ -> null)).host()).isEqualTo(good);
    }
  }

  private static byte[] written(SignedAddress address) {
    WireOutput out = new WireOutput(_ -> {});
    address.write(out);
    return out.toBytes();
  }

  @Test
  void aRequestThatKnowsTooManyAddressesIsRefused() throws MalformedException {
    AddressBook zero = book(0);
    assertThat(zero.answerSync(questionOf(AddressBook.MAX_KNOWN + 1))).isNotEmpty();
    assertThatThrownBy(() -> zero.answerSync(questionOf(AddressBook.MAX_KNOWN + 2)))
        .isInstanceOf(MalformedException.class)
        .hasMessage("10002 known addresses in a request are too many");
  }

  private static byte[] questionOf(int known) {
    WireOutput out = new WireOutput(_ -> {});
    out.writeByte(0);
    out.writeCount(known);
    for (int peer = 0; peer < known; peer++) {
      out.writeLong(peer);
      out.writeLong(1);
    }
    return out.toBytes();
  }

  @Test
  void bytesThatAreNoQuestionAreRefused() throws MalformedException {
    AddressBook zero = book(0);
    byte[] question = book(1).syncRequest();
    for (int length = 0; length < question.length; length++) {
      byte[] cut = Arrays.copyOf(question, length);
      assertThatThrownBy(() -> zero.answerSync(cut)).isInstanceOf(MalformedException.class);
    }
  }
}

package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.SignedAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Where a node listens, where others reach it, and where it reaches its neighbours. */
public record AddressSettings(
    @Setting(doc = "address and port that the node listens at", fallback = "127.0.0.1:7400")
        String listen,
    @Setting(
            doc =
                "address and port at which other nodes reach this node, if it is not the"
                    + " `listen` address")
        Optional<String> advertise,
    @Setting(
            doc =
                "peer number of the neighbour that relays messages to this node, if other nodes"
                    + " cannot connect to it; `auto` takes the nearest neighbour that relays, and"
                    + " another one when it fails")
        Optional<String> relay,
    @Setting(
            doc =
                "address and port of each neighbour, by peer number; 'relay' for a neighbour"
                    + " that accepts no connections")
        SortedMap<String, String> neighbours) {
  private static final String RELAYED = "relay";

  /** In place of the number of a relay. */
  private static final String AUTO = "auto";

  private static final int MOST_PORT = 65_535;

  public AddressSettings {
    neighbours = new TreeMap<>(neighbours);
    InetSocketAddress at = parseAddress("listen", listen);
    advertise.ifPresent(where -> requireReachableHost("advertise", where));
    boolean anywhere = at.getAddress() != null && at.getAddress().isAnyLocalAddress();
    if (anywhere && advertise.isEmpty()) {
      throw new SettingException(
          "listen",
          "other nodes cannot reach this node at " + listen,
          "set the address at which they can, with 'advertise: host:port'");
    }
    if (advertise.isEmpty() && relay.isEmpty()) {
      // Without 'advertise' other nodes connect to the listen address.
      requireReachableHost("listen", listen);
    }
    neighbours.forEach(AddressSettings::parseNeighbour);
    if (relay.isPresent() && relays(relay.get(), neighbours).isEmpty()) {
      throw new SettingException(
          "relay",
          relay.get().equals(AUTO)
              ? "no neighbour has an address"
              : "peer " + relay.get() + " is not a neighbour with an address",
          "name a neighbour that this node can connect to, or 'auto'");
    }
  }

  /** Address that the node listens at. */
  public InetSocketAddress listenAddress() {
    return parseAddress("listen", listen);
  }

  /** Address at which other nodes reach this node, if it is not the listen address. */
  public Optional<InetSocketAddress> advertisedAddress() {
    return advertise.map(where -> parseAddress("advertise", where));
  }

  /** Addresses of the neighbours that this node can connect to. */
  public SortedMap<PeerId, InetSocketAddress> reachable() {
    SortedMap<PeerId, InetSocketAddress> addresses = new TreeMap<>();
    neighbours.forEach(
        (number, where) -> {
          if (!where.equals(RELAYED)) {
            addresses.put(parseNeighbour(number, where), parseAddress(neighbourKey(number), where));
          }
        });
    return addresses;
  }

  /** Neighbours that are reached through a relay only. */
  public SortedSet<PeerId> relayed() {
    SortedSet<PeerId> relayed = new TreeSet<>();
    neighbours.forEach(
        (number, where) -> {
          if (where.equals(RELAYED)) {
            relayed.add(parseNeighbour(number, where));
          }
        });
    return relayed;
  }

  /** The neighbours that may relay messages to this node; none if it accepts connections. */
  public List<PeerId> relayPeers() {
    return relay.map(chosen -> relays(chosen, neighbours)).orElse(List.of());
  }

  private static List<PeerId> relays(String chosen, SortedMap<String, String> neighbours) {
    return neighbours.entrySet().stream()
        .filter(each -> !each.getValue().equals(RELAYED))
        .filter(each -> chosen.equals(AUTO) || chosen.equals(each.getKey()))
        .map(each -> new PeerId(Long.parseLong(each.getKey())))
        .toList();
  }

  /**
   * Rejects neighbours that are no participant.
   *
   * @param self the peer number of the node itself
   * @param participants how many there are; empty where nodes join and leave
   */
  public void requireNeighboursAmong(int self, OptionalInt participants) {
    SortedSet<PeerId> all = new TreeSet<>(reachable().keySet());
    all.addAll(relayed());
    for (PeerId each : all) {
      if (each.number() == self || each.number() >= participants.orElse(Integer.MAX_VALUE)) {
        throw new SettingException(
            neighbourKey(Long.toString(each.number())),
            each.number() == self
                ? "this is the number of the node itself"
                : "the experiment has no such peer",
            participants.isPresent()
                ? "use other numbers from 0 to " + (participants.getAsInt() - 1)
                : "use the numbers in the certificates of the other nodes");
      }
    }
  }

  private static PeerId parseNeighbour(String number, String where) {
    if (!number.matches("0|[1-9]\\d{0,8}")) {
      throw new SettingException(
          neighbourKey(number),
          "'" + number + "' is not a peer number",
          "write a neighbour as in 3: host:port");
    }
    if (!where.equals(RELAYED)) {
      requireReachableHost(neighbourKey(number), where);
    }
    return new PeerId(Long.parseLong(number));
  }

  private static String neighbourKey(String number) {
    return "neighbours." + number;
  }

  /**
   * Requires an address that other nodes can connect to: the rules for its host name are stricter
   * than for listening.
   */
  private static void requireReachableHost(String key, String text) {
    String host = parseAddress(key, text).getHostString();
    if (!SignedAddress.isHost(host)) {
      throw new SettingException(
          key,
          "'" + host + "' is not a host name",
          "use letters, digits, hyphens and dots, or the host's IP address");
    }
  }

  static InetSocketAddress parseAddress(String key, String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon <= 0 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MOST_PORT) {
      throw new SettingException(
          key, "'" + text + "' is not an address", "write host:port, as in 127.0.0.1:7400");
    }
    String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
    return new InetSocketAddress(host, Integer.parseInt(port));
  }
}

package io.kindred.node;

import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.node.identity.SignedAddress;
import io.kindred.node.log.Log;
import io.kindred.node.trainer.TrainerSettings;
import io.kindred.node.transport.Limits;
import io.kindred.node.transport.Packing;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Configuration file of one node. Relative paths start at the folder of the file. */
public record NodeSettings(
    @Setting(doc = "the experiment file that all nodes of the network share") String experiment,
    @Setting(doc = "profile of the experiment file to lay over it") Optional<String> profile,
    @Setting(doc = "keys of the experiment to set, such as seed=7", fallback = "[]")
        List<String> set,
    @Setting(
            doc = "which of the experiment's peers this is; a server has the number after the last",
            min = 0,
            max = 1e6)
        int peer,
    @Setting(doc = "address and port to listen at", fallback = "127.0.0.1:7400") String listen,
    @Setting(doc = "address and port where others reach this node, if not at the former")
        Optional<String> advertise,
    @Setting(
            doc =
                "the neighbour that hands on messages to this node, by peer number, if nobody can"
                    + " connect to it")
        Optional<Integer> relay,
    @Setting(
            doc =
                "address and port of each neighbour, by peer number; 'relay' for one that nobody"
                    + " can connect to")
        SortedMap<String, String> neighbours,
    @Setting(doc = "folder with the keys and certificates of this node", fallback = "identity")
        String identity,
    @Setting(doc = "folder for state, metrics and status", fallback = "run") String folder,
    @Setting(doc = "whether every event is written down for a replay", fallback = "false")
        boolean record,
    @Setting(doc = "threads that compute", fallback = "1", min = 1, max = 1024) int workers,
    @Setting(
            doc = "seconds that it waits for its neighbours before its first round",
            fallback = "60",
            min = 0,
            max = 86400)
        double gatherSeconds,
    @Setting(
            doc = "seconds after which a message that has not arrived is given up",
            fallback = "20",
            above = 0,
            max = 86400)
        double sendSeconds,
    @Setting(doc = "what others may send", fallback = "{}") Limits limits,
    @Setting(doc = "the form in which this node sends weights", fallback = "{}") Packing packing,
    @Setting(doc = "how the ways to neighbours are measured", fallback = "{}") LinkSettings links,
    @Setting(doc = "who trains; left out, the node does it itself", fallback = "{}")
        TrainerSettings trainer,
    @Setting(doc = "the only peers to talk to; without it all whom the authority vouches for")
        Optional<List<Integer>> allow,
    @Setting(doc = "where an operator's tools ask how the node is", fallback = "{}")
        OperationsSettings operations,
    @Setting(doc = "how log lines look", fallback = "text") Log.Format log) {
  /** Endpoints for an operator's tools. */
  public record OperationsSettings(
      @Setting(doc = "address and port of the HTTPS endpoints; without it there are none")
          Optional<String> listen) {
    public OperationsSettings {
      listen.ifPresent(where -> NodeSettings.parseAddress("listen", where));
    }

    public Optional<InetSocketAddress> address() {
      return listen.map(where -> NodeSettings.parseAddress("operations.listen", where));
    }
  }

  public NodeSettings {
    set = List.copyOf(set);
    neighbours = new TreeMap<>(neighbours);
    InetSocketAddress at = parseAddress("listen", listen);
    advertise.ifPresent(where -> requireReachableHost("advertise", where));
    boolean anywhere = at.getAddress() != null && at.getAddress().isAnyLocalAddress();
    if (anywhere && advertise.isEmpty()) {
      throw new SettingException(
          "listen",
          "others cannot reach this node at " + listen,
          "say where they can with 'advertise: host:port'");
    }
    if (advertise.isEmpty() && relay.isEmpty()) {
      // Without 'advertise' other nodes connect to the listen address.
      requireReachableHost("listen", listen);
    }
    neighbours.forEach(NodeSettings::parseNeighbour);
    if (relay.isPresent()
        && RELAYED.equals(neighbours.getOrDefault(relay.get().toString(), RELAYED))) {
      throw new SettingException(
          "relay",
          "peer " + relay.get() + " is no neighbour with an address",
          "name one that this node can connect to");
    }
  }

  private static final String RELAYED = "relay";

  private static final int MOST_PORT = 65_535;

  /** Address that the node listens at. */
  public InetSocketAddress listenAddress() {
    return parseAddress("listen", listen);
  }

  /** The only peers to talk to, if there is such a list. */
  public Optional<SortedSet<PeerId>> allowed() {
    return allow.map(
        all -> all.stream().map(PeerId::new).collect(Collectors.toCollection(TreeSet::new)));
  }

  /** Address at which other nodes reach this node, if it is not the listen address. */
  public Optional<InetSocketAddress> advertisedAddress() {
    return advertise.map(where -> parseAddress("advertise", where));
  }

  /** Addresses of the neighbours that this node can connect to. */
  public SortedMap<PeerId, InetSocketAddress> addresses() {
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

  /** The peer that relays messages to this node. */
  public Optional<PeerId> relayPeer() {
    return relay.map(PeerId::new);
  }

  /**
   * Rejects neighbours that are no peer of the experiment, once its number of participants is
   * known.
   */
  public void requireNeighboursAmong(int participants) {
    SortedSet<PeerId> all = new TreeSet<>(addresses().keySet());
    all.addAll(relayed());
    for (PeerId each : all) {
      if (each.number() == peer || each.number() >= participants) {
        throw new SettingException(
            neighbourKey(Long.toString(each.number())),
            each.number() == peer ? "this is the node itself" : "the experiment has no such peer",
            "name others of 0 to " + (participants - 1));
      }
    }
  }

  private static PeerId parseNeighbour(String number, String where) {
    if (!number.matches("0|[1-9]\\d{0,8}")) {
      throw new SettingException(
          neighbourKey(number),
          "'" + number + "' is no peer number",
          "write it as in 3: host:port");
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
          "'" + host + "' is no name of a host",
          "use letters, digits, hyphens and dots, or the host's IP address");
    }
  }

  private static InetSocketAddress parseAddress(String key, String text) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon <= 0 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MOST_PORT) {
      throw new SettingException(
          key, "'" + text + "' is no address", "write host:port, as in 127.0.0.1:7400");
    }
    String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
    return new InetSocketAddress(host, Integer.parseInt(port));
  }

  /** Timeout of the wait for neighbours before the first round. */
  public long gatherMillis() {
    return Math.round(gatherSeconds * 1_000);
  }

  /** Timeout of a message. */
  public long sendMillis() {
    return Math.max(1, Math.round(sendSeconds * 1_000));
  }
}

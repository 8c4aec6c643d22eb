package io.kindred.lab.overlay;

import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.settings.Catalogue;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.overlay.LifeMessage;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.Transfer;
import io.kindred.world.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The life of an overlay as a text to read: what peers tell each other, without the signs of life
 * that say nothing new. The same thing said to several at once is one line.
 */
public final class Chronicle implements Inspector {
  private record Line(long tick, int from, String what, List<Integer> to) {}

  private final List<String> text = new ArrayList<>();
  private Line open = new Line(-1, -1, "", List.of());

  /** Begins a chapter. */
  public void chapter(String title) {
    close();
    text.add("");
    text.add(title);
  }

  public List<String> text() {
    close();
    return List.copyOf(text);
  }

  @Override
  public void sent(Transfer transfer, long tick) {
    Message message = transfer.message();
    if (message instanceof LifeMessage.Beat
        || message instanceof LifeMessage.Renewal
        || message instanceof LifeMessage.Hail) {
      return;
    }
    String what = name(message) + about(message);
    if (tick == open.tick() && transfer.from() == open.from() && what.equals(open.what())) {
      open.to().add(transfer.to());
      return;
    }
    close();
    open = new Line(tick, transfer.from(), what, new ArrayList<>(List.of(transfer.to())));
  }

  @Override
  public void changed(Change change) {
    close();
    String what =
        switch (change) {
          case Change.Crash(long _, int peer, boolean _) -> "peer " + peer + " crashes";
          case Change.Return(long _, int peer) -> "peer " + peer + " is back";
          case Change.Leave(long _, int peer) -> "peer " + peer + " is asked to leave";
          default -> change.toString();
        };
    text.add(String.format(Locale.ROOT, "%8.3f  *** %s", Ticks.toSeconds(change.tick()), what));
  }

  private void close() {
    if (open.tick() >= 0) {
      text.add(
          String.format(
              Locale.ROOT,
              "%8.3f  %d -> %s: %s",
              Ticks.toSeconds(open.tick()),
              open.from(),
              open.to().stream().sorted().map(String::valueOf).collect(Collectors.joining(" ")),
              open.what()));
      open = new Line(-1, -1, "", List.of());
    }
  }

  private static String name(Message message) {
    return Catalogue.nameOf(message.getClass()).replace("overlay/", "");
  }

  private static String about(Message message) {
    return switch (message) {
      case OverlayMessage.ScoreOffer offer -> level(offer.level());
      case OverlayMessage.OfLevel formation -> level(formation.level());
      case OverlayMessage.Appointment each ->
          " " + cluster(each.cluster().id()) + " held by " + peers(each.cluster().replicas());
      case OverlayMessage.Placement each ->
          " " + cluster(each.cluster()) + " held by " + peers(each.replicas());
      case OverlayMessage.Parent each ->
          " " + cluster(each.child()) + " under " + cluster(each.parent());
      case OverlayMessage.Contribution each ->
          " " + each.clusters().size() + " clusters of " + zone(each.of());
      case OverlayMessage.Roots each -> " " + each.clusters().size() + " clusters";
      case LifeMessage.Copy each -> copy(each);
      case LifeMessage.Attach each ->
          " peer " + each.who().peer().number() + " at " + cluster(each.at());
      case LifeMessage.Admit each ->
          " peer " + each.who().peer().number() + " to " + cluster(each.at());
      case LifeMessage.Farewell each -> " " + zone(each.zone());
      case LifeMessage.Dismissal each -> " " + cluster(each.cluster());
      case SearchMessage.Found each -> " " + each.candidates().size() + " candidates";
      default -> "";
    };
  }

  private static String copy(LifeMessage.Copy copy) {
    return " of " + zone(copy.zone());
  }

  private static String level(int level) {
    return " on level " + level;
  }

  private static String zone(ZoneId zone) {
    return "zone " + zone.level() + "." + zone.initiator().number();
  }

  private static String cluster(ClusterId cluster) {
    return "cluster "
        + cluster.level()
        + "."
        + cluster.zone().initiator().number()
        + "."
        + cluster.cluster();
  }

  private static String peers(List<PeerId> peers) {
    return peers.stream()
        .map(peer -> String.valueOf(peer.number()))
        .collect(Collectors.joining(" "));
  }
}

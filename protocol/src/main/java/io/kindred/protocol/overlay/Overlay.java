package io.kindred.protocol.overlay;

import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.Timer;
import io.kindred.core.peer.Machine;
import io.kindred.core.peer.Step;
import io.kindred.core.work.Result;
import io.kindred.protocol.clusters.AffinityPropagation;
import io.kindred.protocol.clusters.ClusterSignatures;
import io.kindred.protocol.clusters.Clustering;
import io.kindred.protocol.overlay.OverlayMessage.OfLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The overlay of one peer. It starts by itself once it knows its neighbours, tells the method when
 * it is {@link OverlayNote.Ready}, and searches on its behalf.
 */
public final class Overlay implements Machine<OverlayState> {
  private final OverlayContext context;

  public Overlay(OverlayContext context) {
    this.context = context;
  }

  /** Everything that a codec has to know to carry an overlay's messages, notes and work. */
  public static List<Class<?>> records() {
    List<Class<?>> records = new ArrayList<>();
    for (Class<?> family :
        List.of(
            OverlayMessage.class,
            OfLevel.class,
            LifeMessage.class,
            SearchMessage.class,
            SearchMessage.Refusable.class,
            OverlayNote.class)) {
      Arrays.stream(family.getPermittedSubclasses()).filter(Class::isRecord).forEach(records::add);
    }
    records.addAll(
        List.of(
            ClusterSignatures.class,
            ClusterSignatures.Clustered.class,
            AffinityPropagation.class,
            Clustering.class));
    return List.copyOf(records);
  }

  @Override
  public OverlayState initial() {
    return OverlayState.EMPTY;
  }

  @Override
  public Step<OverlayState> step(OverlayState state, Event event) {
    Turn turn = new Turn(context, state, event.tick());
    switch (event) {
      case Event.Started started -> begin(turn, started.neighbours());
      case Event.Restored restored -> restore(turn, restored.neighbours());
      case Event.Received received -> receive(turn, received.from(), received.message());
      case Event.SendFailed failed -> new Failures(turn).failed(failed.to(), failed.message());
      case Event.TimerFired fired -> alarm(turn, fired.timer());
      case Event.Computed computed -> computed(turn, computed);
      case Event.Told told when told.note() instanceof OverlayNote note -> told(turn, note);
      case Event.NeighboursChanged changed ->
          turn.standing = turn.standing.with(changed.neighbours());
      case Event.LeaveRequested _ -> new Lives(turn).leave();
      case Event.Told _, Event.LinkMeasured _ -> {}
    }
    hearItself(turn);
    new Queries(turn).sendWaiting();
    hearItself(turn);
    return turn.end();
  }

  private static void hearItself(Turn turn) {
    for (Message own = turn.nextToSelf(); own != null; own = turn.nextToSelf()) {
      receive(turn, turn.self(), own);
    }
  }

  private static void begin(Turn turn, List<PeerId> neighbours) {
    turn.standing = turn.standing.with(neighbours);
    turn.begin(turn.newest() + 1, true);
    new Elections(turn).begin(1, neighbours);
    new Lives(turn).start();
  }

  /** What it knew is past: it comes back as a newcomer, and nobody waits for its answers. */
  private static void restore(Turn turn, List<PeerId> neighbours) {
    turn.standing = OverlayState.Standing.NEW.with(neighbours);
    if (!turn.settings.life().lives()) {
      return;
    }
    new Queries(turn).abandon();
    turn.forget();
    new Lives(turn).start();
  }

  static void receive(Turn turn, PeerId from, Message message) {
    switch (message) {
      case LifeMessage.Hail hail -> new Lives(turn).hailed(hail);
      case LifeMessage.Lost _ -> new Newcomers(turn).shelter(from);
      case LifeMessage.Shelter shelter -> new Newcomers(turn).sheltered(shelter);
      case OverlayMessage known -> {
        if (Eras.enter(turn, from, known)) {
          build(turn, from, known);
        }
      }
      case SearchMessage search -> new Queries(turn).receive(from, search);
      default -> turn.count("overlay-unknown-message");
    }
  }

  private static void build(Turn turn, PeerId from, OverlayMessage message) {
    switch (message) {
      case OfLevel early when !turn.vertex(early.level()).begun() ->
          new Elections(turn).tooEarly(from, early);
      case OverlayMessage.ScoreOffer offer -> new Elections(turn).hear(from, offer);
      case OverlayMessage.Probe probe -> new Zones(turn).probed(from, probe);
      case OverlayMessage.Border border -> new Zones(turn).bordered(from, border);
      case OverlayMessage.Admission admission -> new Zones(turn).admitted(admission);
      case OverlayMessage.Adopted adopted -> new Zones(turn).adopted(adopted);
      case OverlayMessage.Register register -> new Leads(turn).registered(from, register);
      case OverlayMessage.Join join -> new Leads(turn).asked(from, join);
      case OverlayMessage.Neighbor neighbor -> new Leads(turn).reported(from, neighbor);
      case OverlayMessage.HandOver handOver -> new Leads(turn).handedOver(handOver);
      case OverlayMessage.Accepted accepted -> new Leads(turn).accepted(from, accepted);
      case OverlayMessage.Moved moved -> new Leads(turn).moved(from, moved);
      case OverlayMessage.SignatureProbe probe -> new Clusters(turn).probed(from, probe);
      case OverlayMessage.SignatureReply reply -> new Clusters(turn).replied(from, reply);
      case OverlayMessage.Contribution given -> new Clusters(turn).contributed(from, given);
      case OverlayMessage.Appointment appointment -> new Seats(turn).appointed(from, appointment);
      case OverlayMessage.Placement placement -> new Seats(turn).placed(placement);
      case OverlayMessage.Parent parent -> new Seats(turn).parented(parent);
      case OverlayMessage.Roots roots -> new Seats(turn).rooted(roots);
      case OverlayMessage.RootCall call -> new Seats(turn).called(call);
      case OverlayMessage.RootDescriptor root -> new Seats(turn).met(root);
      case OverlayMessage.Agreed agreed -> new Seats(turn).agreed(agreed);
      case LifeMessage life -> live(turn, from, life);
    }
  }

  private static void live(Turn turn, PeerId from, LifeMessage message) {
    switch (message) {
      case LifeMessage.Beat beat -> new Wards(turn).beaten(from, beat);
      case LifeMessage.Renewal renewal -> new Tenants(turn).renewed(from, renewal);
      case LifeMessage.Copy copy -> new Tenants(turn).copied(copy);
      case LifeMessage.Resignation resignation -> new Tenants(turn).resigned(from, resignation);
      case LifeMessage.Farewell farewell -> new Tenants(turn).farewell(from, farewell);
      case LifeMessage.Deposed deposed -> new Tenants(turn).deposed(from, deposed);
      case LifeMessage.Dismissal dismissal -> new Tenants(turn).dismissed(dismissal);
      case LifeMessage.Attach attach -> new Newcomers(turn).attach(attach);
      case LifeMessage.Admit admit -> new Wards(turn).admit(admit);
      case LifeMessage.Full full -> new Newcomers(turn).full(full);
      case LifeMessage.Drifted drifted -> new Regroups(turn).drifted(drifted);
      case LifeMessage.Hail _, LifeMessage.Lost _, LifeMessage.Shelter _ -> {
        // Heard before anybody asks for their epoch.
      }
    }
  }

  private static void alarm(Turn turn, Timer timer) {
    switch (timer.name()) {
      case Lives.BEAT -> new Lives(turn).beat();
      case Queries.ALARM -> new Queries(turn).late(timer.number());
      case Queries.UNANSWERED -> new Queries(turn).unanswered(timer.number());
      default -> {
        if (turn.knows(Turn.epochOf(timer.number()))) {
          turn.enter(Turn.epochOf(timer.number()));
          int level = Turn.levelOf(timer.number());
          // Not where it has joined meanwhile what others built.
          if (turn.vertex(level).begun()) {
            alarm(turn, timer.name(), level);
          }
        }
      }
    }
  }

  private static void alarm(Turn turn, String name, int level) {
    switch (name) {
      case Elections.ALARM -> new Elections(turn).decide(level);
      case Zones.UNREACHED -> new Zones(turn).unreached(level);
      case Leads.RIPE -> new Leads(turn).ripens(level);
      case Leads.ANYWAY -> new Leads(turn).sealsAnyway(level);
      case Leads.MERGE -> new Leads(turn).mergesAgain(level);
      case Clusters.MISSING -> new Clusters(turn).missing(level);
      default -> throw new IllegalStateException("no alarm is named " + name);
    }
  }

  private static void computed(Turn turn, Event.Computed computed) {
    if (computed.result() instanceof Result.Answered answered
        && answered.answer() instanceof ClusterSignatures.Clustered clustered) {
      if (turn.knows(Turn.epochOf(computed.ticket()))) {
        turn.enter(Turn.epochOf(computed.ticket()));
        int level = Turn.levelOf(computed.ticket());
        if (level == Regroups.TICKET) {
          new Regroups(turn).regrouped(clustered);
        } else {
          new Clusters(turn).clustered(level, clustered);
        }
      }
    } else {
      throw new IllegalStateException("asked for clusters, got " + computed.result());
    }
  }

  private static void told(Turn turn, OverlayNote note) {
    switch (note) {
      case OverlayNote.Signed signed -> new Clusters(turn).signed(signed);
      case OverlayNote.Search search -> new Queries(turn).ask(search);
      case OverlayNote.Ready _, OverlayNote.Searched _ -> {
        // What this machine itself says to others.
      }
    }
  }
}

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
        List.of(OverlayMessage.class, OfLevel.class, SearchMessage.class, OverlayNote.class)) {
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
      case Event.Received received -> receive(turn, received.from(), received.message());
      case Event.SendFailed failed -> new Queries(turn).notDelivered(failed.to(), failed.message());
      case Event.TimerFired fired -> alarm(turn, fired.timer());
      case Event.Computed computed -> computed(turn, computed);
      case Event.Told told when told.note() instanceof OverlayNote note -> told(turn, note);
      // Life under churn is another chapter: an overlay stays as it was built.
      case Event.Told _,
          Event.Restored _,
          Event.NeighboursChanged _,
          Event.LinkMeasured _,
          Event.LeaveRequested _ -> {}
    }
    for (Message own = turn.nextToSelf(); own != null; own = turn.nextToSelf()) {
      receive(turn, context.self(), own);
    }
    return turn.end();
  }

  private static void begin(Turn turn, List<PeerId> neighbours) {
    turn.begin(neighbours);
    new Elections(turn).begin(1, neighbours);
  }

  static void receive(Turn turn, PeerId from, Message message) {
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
      case OverlayMessage.SignatureProbe probe -> new Clusters(turn).probed(probe);
      case OverlayMessage.SignatureReply reply -> new Clusters(turn).replied(from, reply);
      case OverlayMessage.Contribution given -> new Clusters(turn).contributed(from, given);
      case OverlayMessage.Appointment appointment -> new Seats(turn).appointed(appointment);
      case OverlayMessage.Placement placement -> new Seats(turn).placed(placement);
      case OverlayMessage.Parent parent -> new Seats(turn).parented(parent);
      case OverlayMessage.Roots roots -> new Seats(turn).rooted(roots);
      case OverlayMessage.RootCall call -> new Seats(turn).called(call);
      case OverlayMessage.RootDescriptor root -> new Seats(turn).met(root);
      case OverlayMessage.Agreed agreed -> new Seats(turn).agreed(agreed);
      case SearchMessage search -> new Queries(turn).receive(from, search);
      default -> turn.count("overlay-unknown-message");
    }
  }

  private static void alarm(Turn turn, Timer timer) {
    int level = (int) timer.number();
    switch (timer.name()) {
      case Elections.ALARM -> new Elections(turn).decide(level);
      case Zones.UNREACHED -> new Zones(turn).unreached(level);
      case Leads.RIPE -> new Leads(turn).ripens(level);
      case Leads.ANYWAY -> new Leads(turn).sealsAnyway(level);
      case Leads.MERGE -> new Leads(turn).mergesAgain(level);
      case Queries.ALARM -> new Queries(turn).late(timer.number());
      case Queries.UNANSWERED -> new Queries(turn).unanswered(timer.number());
      default -> throw new IllegalStateException("no alarm is named " + timer.name());
    }
  }

  private static void computed(Turn turn, Event.Computed computed) {
    if (computed.result() instanceof Result.Answered answered
        && answered.answer() instanceof ClusterSignatures.Clustered clustered) {
      new Clusters(turn).clustered((int) computed.ticket(), clustered);
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

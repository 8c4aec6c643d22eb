package io.kindred.protocol.overlay.machine;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.MembershipMessage;
import io.kindred.protocol.overlay.OverlayContext;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayInput;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;
import io.kindred.protocol.overlay.OverlayTimer;
import io.kindred.protocol.overlay.OverlayTimer.FormationTimer;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.formation.ZoneFormation;
import io.kindred.protocol.overlay.search.SearchProtocol;

/**
 * Brings every input of a step to the sub-protocol that it is for, in the epoch that it is about,
 * and every event that a sub-protocol raises to the one that handles it.
 */
final class OverlayRouter {
  private final OverlayStep step;

  OverlayRouter(OverlayContext context, OverlayState state, long tick) {
    step = new OverlayStep(context, state, tick, this::raised);
  }

  OverlayStep step() {
    return step;
  }

  void raised(OverlayEvent event) {
    switch (event) {
      case OverlayEvent.MessageDue due -> receive(due.from(), due.message());
      case OverlayEvent.EpochRequested requested -> {
        step.beginEpoch(requested.epoch(), /* draws= */ true);
        step.maintain(new OverlayEvent.EpochBegun());
      }
      case OverlayEvent.EpochJoined joined -> {
        // Other peers have built this overlay meanwhile: there is no election left to take part in.
        step.beginEpoch(joined.contact().epoch(), /* draws= */ false);
        step.maintain(new OverlayEvent.ContactAccepted(joined.contact()));
      }
      case OverlayEvent.Formation formation -> step.form(formation);
      case OverlayEvent.Clustering clustering -> step.cluster(clustering);
      case OverlayEvent.ContactRequested requested -> {
        step.enterNewestEpoch();
        step.maintain(requested);
      }
      case OverlayEvent.Membership membership -> step.maintain(membership);
      case OverlayEvent.Search search -> step.search(search);
    }
  }

  void receive(PeerId from, Message message) {
    OverlayInput input = new OverlayInput.MessageReceived(from, message);
    switch (message) {
      case MembershipMessage.RootGossip _,
          MembershipMessage.FindOverlay _,
          MembershipMessage.OverlayContact _ -> {
        step.enterNewestEpoch();
        step.maintain(input);
      }
      case OverlayMessage known -> {
        if (enterEpochOf(from, known)) {
          if (step.senderRoles().accepts(from, known)) {
            dispatch(known, input);
          } else {
            step.count(SubProtocolStep.refusal(known));
          }
        }
      }
      case SearchMessage query -> {
        enterEpochOf(query);
        step.search(input);
      }
      default -> step.count("overlay-unknown-message");
    }
  }

  /**
   * Enters the epoch of a message; false if this peer must not process the message. This peer
   * follows a peer that begins the next epoch. A peer that begins an epoch which is already built
   * was offline, and receives a contact to join through. An epoch too far ahead cannot be genuine
   * and is ignored.
   */
  private boolean enterEpochOf(PeerId from, OverlayMessage message) {
    boolean maintained = step.settings().maintenance().enabled();
    boolean first = message instanceof FormationMessage formation && formation.level() == 1;
    if (maintained
        && first
        && step.knownEpochs().canFollow(message.epoch())
        && !step.status().leaving()) {
      raised(new OverlayEvent.EpochRequested(message.epoch()));
    }
    if (!step.hasEpoch(message.epoch())) {
      step.count("overlay-other-epoch");
      if (maintained && message instanceof ScoreOffer) {
        raised(new OverlayEvent.ContactRequested(from));
      }
      return false;
    }
    step.enterEpoch(message.epoch());
    if (maintained && first && message instanceof ScoreOffer && step.isReady()) {
      raised(new OverlayEvent.ContactRequested(from));
      return false;
    }
    return true;
  }

  private void enterEpochOf(SearchMessage message) {
    SearchProtocol.epochOf(message).filter(step::hasEpoch).ifPresent(step::enterEpoch);
  }

  private void dispatch(OverlayMessage message, OverlayInput input) {
    switch (message) {
      case FormationMessage _, OverlayMessage.ZoneMerged _ -> step.form(input);
      case OverlayMessage.ClusterReport report when isCollecting(report.zone().level()) ->
          step.cluster(input);
      case OverlayMessage.OverlayBuilt built when built.cluster().isPresent() ->
          step.cluster(input);
      case OverlayMessage.SignatureProbe _,
          OverlayMessage.SignatureReply _,
          OverlayMessage.ReplicaAssigned _,
          OverlayMessage.ParentAssigned _,
          OverlayMessage.RootClusters _,
          OverlayMessage.RootExchange _,
          OverlayMessage.RootDescriptor _,
          MembershipMessage.ReplicaRemoved _,
          MembershipMessage.SignatureChanged _ ->
          step.cluster(input);
      case OverlayMessage.ClusterReport _,
          OverlayMessage.OverlayBuilt _,
          OverlayMessage.HomeClusterAssigned _,
          MembershipMessage _ ->
          step.maintain(input);
    }
  }

  /** Whether the zone of a level is being formed and waits for clusters. */
  private boolean isCollecting(int level) {
    ZoneFormation formation = step.formation().formingZones().get(level);
    return formation != null && formation.collecting();
  }

  void undelivered(PeerId to, Message message) {
    OverlayInput input = new OverlayInput.MessageUndelivered(to, message);
    if (message instanceof SearchMessage query) {
      enterEpochOf(query);
      step.search(input);
    } else {
      step.enterNewestEpoch();
      step.maintain(input);
    }
  }

  void timerDue(OverlayTimer timer) {
    OverlayInput input = new OverlayInput.TimerDue(timer);
    switch (timer) {
      case OverlayTimer.HeartbeatDue _ -> step.maintain(input);
      case OverlayTimer.SearchTimeout _ -> step.search(input);
      case OverlayTimer.AnswerTimeout _ -> {
        step.enterReadyEpoch();
        step.search(input);
      }
      case OverlayTimer.FormationDue due when step.hasEpoch(due.epoch()) -> {
        step.enterEpoch(due.epoch());
        // Not started: the peer has meanwhile joined an overlay that others built.
        if (!step.formation().level(due.level()).started()) {
          return;
        }
        if (due.due() == FormationTimer.COLLECT_TIMEOUT) {
          step.cluster(input);
        } else {
          step.form(input);
        }
      }
      case OverlayTimer.FormationDue _ -> {
        // The epoch is over.
      }
    }
  }
}

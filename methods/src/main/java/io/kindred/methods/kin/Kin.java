package io.kindred.methods.kin;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.Method;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
import io.kindred.methods.discovery.PeerDiscoveries;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A method for data of unknown kind. Each peer keeps a shared model, which it mixes with the models
 * of similar peers, a personal model that follows the shared one, and a model of its own. In the
 * first half of the horizon peers score the three on held-out samples and share the scores; then
 * each deploys the best, and trains only what it deploys.
 */
@Named(
    value = "kin",
    summary =
        "mixes a shared model with those of similar peers, and deploys it, a personal or a lone"
            + " model, whichever held-out scores of the peers favour")
public record Kin(@SettingGroup KinSettings settings) implements Method {
  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    List<PeerLayer<?>> layers = new ArrayList<>();
    settings.discovery().layer(context).ifPresent(layers::add);
    layers.add(
        new PeerLayer<>(Component.METHOD, new KinMachine(settings, context), KinState.class));
    return layers;
  }

  @Override
  public SortedSet<Ticket.Kind> ticketKinds() {
    return new TreeSet<>(
        List.of(Ticket.Kind.TRAIN, Ticket.Kind.LOSSES, Ticket.Kind.MIX, Ticket.Kind.CALL));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(KinMessage.ModelRequest.class, KinMessage.ModelReply.class);
  }

  @Override
  public List<Class<?>> otherRecords() {
    List<Class<?>> records = new ArrayList<>(PeerDiscoveries.records());
    records.addAll(
        List.of(
            GuardModels.class,
            GuardModels.GuardedModels.class,
            FinishRound.class,
            FinishRound.FinishedRound.class));
    return records;
  }

  @Override
  public int staleness() {
    return settings.staleness();
  }

  @Override
  public boolean needsGlobalView() {
    return settings.discovery().needsGlobalView();
  }

  @Override
  public boolean continuesAfterLastRound() {
    return settings.discovery().continuesAfterLastRound();
  }

  @Override
  public List<String> warnings(int peers, Training training) {
    List<String> lines = new ArrayList<>();
    if (settings.k() >= peers) {
      lines.add(
          "'method.k': "
              + settings.k()
              + " models in a round, but a peer has only "
              + (peers - 1)
              + " other peers and pulls from all of them; choose at most "
              + (peers - 1));
    }
    if (settings.momentum().rule() == MomentumSettings.Rule.MIXED && training.momentum() == 0) {
      lines.add(
          "'method.momentum.rule': the training has no momentum, so the velocity of the mixed model"
              + " is not used; set 'training.momentum', for example to 0.9");
    }
    return lines;
  }
}

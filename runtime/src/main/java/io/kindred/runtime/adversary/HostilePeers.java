package io.kindred.runtime.adversary;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.InterceptedLayer;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.environment.adversary.Behaviour;
import io.kindred.environment.adversary.HostilePeer;
import io.kindred.methods.contract.Conduct;
import io.kindred.methods.contract.PeerContext;
import io.kindred.runtime.config.Experiment;
import java.util.List;
import java.util.SortedSet;
import java.util.function.UnaryOperator;

/** The hostile peers of an experiment. */
public record HostilePeers(SortedSet<Integer> numbers, Behaviour behaviour)
    implements Conduct.Hostility {
  /** What an experiment adds to the peers of its method. */
  public static Conduct conduct(Experiment experiment) {
    SortedSet<Integer> hostile = experiment.hostilePeers();
    return new Conduct(
        experiment.robust(),
        hostile.isEmpty()
            ? Conduct.Hostility.NONE
            : new HostilePeers(hostile, experiment.adversaries().behaviour()));
  }

  @Override
  public boolean isHostile(PeerId peer) {
    return numbers.contains((int) peer.number());
  }

  private HostilePeer hostile(PeerContext peer) {
    return new HostilePeer(
        peer.self(),
        numbers.stream().map(PeerId::new).toList(),
        peer.streams(),
        () -> peer.initialWeights().apply(0));
  }

  @Override
  public List<InterceptedLayer<?>> layers(PeerContext peer, List<Component> components) {
    return isHostile(peer.self()) ? behaviour.layers(hostile(peer), components) : List.of();
  }

  @Override
  public UnaryOperator<Weights> sentForm(PeerContext peer) {
    return isHostile(peer.self())
        ? behaviour
            .models(hostile(peer))
            .<UnaryOperator<Weights>>map(forgery -> honest -> forgery.forged(honest, honest))
            .orElse(UnaryOperator.identity())
        : UnaryOperator.identity();
  }
}

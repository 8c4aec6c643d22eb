package io.kindred.lab.run;

import io.kindred.core.PeerId;
import io.kindred.core.peer.Peer;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.lab.experiment.Experiment;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.model.Architecture;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.Holdings;
import io.kindred.learning.training.Operations;
import io.kindred.learning.training.Trainer;
import io.kindred.methods.Method;
import io.kindred.methods.PeerContext;
import io.kindred.protocol.wire.Wire;
import io.kindred.simulator.Scene;
import io.kindred.world.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Turns an experiment into a scene: data, shares, graph, machines. Everything here follows from the seed. */
public record Assembly(
    Experiment experiment, Architecture architecture, Holdings holdings, Scene scene) {
  public static Assembly of(Experiment experiment) {
    RandomStreams streams = new RandomStreams(experiment.seed());
    Dataset dataset = experiment.dataset().load(streams);
    Holdings holdings = new Holdings(dataset, share(experiment, dataset, streams));
    Architecture architecture = experiment.model().sizedFor(dataset);
    Graph graph =
        experiment.topology().connect(experiment.peers(), streams.stream(Purpose.TOPOLOGY, 0, 0));
    Operations operations = new Operations(architecture, holdings);
    Scene scene =
        new Scene(
            participants(experiment, holdings, architecture, streams),
            graph,
            experiment.network(),
            operations::of,
            wire(experiment.method()));
    return new Assembly(experiment, architecture, holdings, scene);
  }

  private static List<Holdout.Parts> share(
      Experiment experiment, Dataset dataset, RandomStreams streams) {
    Ints labels = dataset.train().labels();
    List<Ints> shares =
        experiment
            .partition()
            .assign(
                labels,
                dataset.classes(),
                experiment.peers(),
                streams.stream(Purpose.PARTITION, 0, 0));
    List<Holdout.Parts> parts = new ArrayList<>();
    for (int peer = 0; peer < shares.size(); peer++) {
      parts.add(
          Holdout.split(
              shares.get(peer),
              labels,
              experiment.evaluation().validation(),
              experiment.evaluation().localTest(),
              streams.stream(Purpose.HOLD_OUT, peer, 0)));
    }
    return parts;
  }

  private static List<Peer> participants(
      Experiment experiment, Holdings holdings, Architecture architecture, RandomStreams streams) {
    Map<Integer, Weights> starts = new ConcurrentHashMap<>();
    PeerId server = new PeerId(experiment.peers());
    List<PeerId> everybody =
        LongStream.range(0, experiment.peers()).mapToObj(PeerId::new).toList();
    int count = experiment.peers() + (experiment.method().hasServer() ? 1 : 0);
    List<Peer> participants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean serves = i == experiment.peers();
      PeerContext context =
          new PeerContext(
              new PeerId(i),
              serves ? PeerContext.Role.SERVER : PeerContext.Role.PEER,
              server,
              serves ? everybody : List.of(),
              experiment.rounds(),
              experiment.training(),
              serves ? 0 : holdings.peers().get(i).train().size(),
              serves ? Ints.of() : labelCounts(holdings, i),
              streams,
              variant ->
                  starts.computeIfAbsent(
                      variant,
                      number ->
                          architecture.initial(
                              streams.stream(Purpose.INITIAL_WEIGHTS, 0, number))));
      participants.add(new Peer(experiment.method().layers(context)));
    }
    return participants;
  }

  private static Ints labelCounts(Holdings holdings, int peer) {
    Ints train = holdings.peers().get(peer).train();
    int[] counts = new int[holdings.dataset().classes()];
    for (int i = 0; i < train.size(); i++) {
      counts[holdings.dataset().train().labels().get(train.get(i))]++;
    }
    return Ints.wrap(counts);
  }

  private static Wire wire(Method method) {
    List<Class<?>> records = new ArrayList<>(method.messages());
    records.addAll(method.otherRecords());
    return new Wire(records);
  }

  /** Makes trainers, one for each thread that asks. */
  public Supplier<Trainer> trainers() {
    RandomStreams streams = new RandomStreams(experiment.seed());
    return () -> new Trainer(experiment.engine().create(architecture), holdings, streams);
  }
}

package io.kindred.node.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Observation.Deployed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.model.Softmax;
import io.kindred.learning.training.EvaluationResult;
import io.kindred.learning.training.Trainer;
import io.kindred.node.NodePlan;
import io.kindred.node.TinyNetwork;
import io.kindred.node.log.NodeLog;
import io.kindred.node.task.DeploymentSettings;
import io.kindred.node.task.ModelStore;
import io.kindred.node.task.OwnDataset;
import io.kindred.node.task.PredictorCard;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every weight of these models is the accuracy that the trainer says they have. */
class DeploymentTest {
  private static final int ROUNDS = 100;

  @TempDir private Path home;
  private NodePlan plan;
  private Layout layout;
  private ModelStore store;
  private final List<String> log = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // the fields are set before each test
  DeploymentTest() {}

  @BeforeEach
  void plan() {
    TinyNetwork network = new TinyNetwork(home, 2, ROUNDS);
    network.useTrainer(
        0,
        new Trainer() {
          @Override
          public Result perform(PeerId peer, Ticket ticket) {
            return new Result.Trained(weights(0.75f), 1, 1);
          }

          @Override
          public EvaluationResult evaluate(PeerId peer, Predictor predictor, TestSet on) {
            assertThat(on).isEqualTo(TestSet.OWN);
            double accuracy =
                predictor instanceof Predictor.Ensemble(Mixture members)
                    ? members.parts().stream()
                        .mapToDouble(each -> each.coefficient() * each.weights().get(0))
                        .sum()
                    : ((Predictor.Single) predictor).weights().get(0);
            return new EvaluationResult(1, accuracy, new TreeMap<>(), 50);
          }
        });
    plan = network.plan(0, network.identity(0), 0);
    layout = plan.peerFactory().architecture().layout();
    store = new ModelStore(home.resolve("deployed"));
  }

  private Weights weights(float value) {
    float[] values = new float[layout.size()];
    Arrays.fill(values, value);
    return Weights.wrap(layout, values);
  }

  private Deployment deployment(int version, int keep) {
    return new Deployment(
        new OwnDataset(
            "t", version, Optional.empty(), TaskInputs.ofShape(List.of(36)), List.of("a", "b")),
        new Softmax(),
        plan,
        store,
        new DeploymentSettings("deployed", 5, 0.02, keep),
        NodeLog.ofTexts(log::add));
  }

  private static Deployed deployed(int round, Predictor predictor) {
    return new Deployed(round, Observation.Stage.MIXED, predictor, Observation.Audience.SELF);
  }

  private void offer(Deployment deployment, int round, float accuracy) {
    deployment.offer(deployed(round, new Predictor.Single(weights(accuracy))));
  }

  private String current() {
    return store.deployed().map(PredictorCard::name).orElse("none");
  }

  @Test
  void aModelThatIsWorseOnTheHeldOutSamplesIsKeptButNotDeployed() throws IOException {
    Deployment deployment = deployment(1, 5);
    offer(deployment, 5, 0.8f);
    offer(deployment, 10, 0.7f);
    assertThat(current()).isEqualTo("v1-round-5");
    assertThat(store.all())
        .extracting(ModelStore.KeptCard::name)
        .containsExactly("v1-round-10", "v1-round-5");
    assertThat(log.getLast())
        .isEqualTo(
            "the model of round 10 is not deployed: right for 70.0 % of 50 held-out samples, the"
                + " deployed v1-round-5 for 80.0 %");
    offer(deployment, 15, 0.79f);
    assertThat(current()).as("as accurate within the tolerance").isEqualTo("v1-round-15");
    assertThat(Files.readAllLines(home.resolve("deployed/history.jsonl"))).hasSize(3);
  }

  @Test
  void aModelWithWeightsThatAreNoNumbersIsNotWritten() {
    Deployment deployment = deployment(1, 5);
    offer(deployment, 5, 0.8f);
    offer(deployment, 10, Float.NaN);
    assertThat(current()).isEqualTo("v1-round-5");
    assertThat(store.all()).hasSize(1);
  }

  @Test
  void anOperatorGoesBackToAnEarlierModelAndNoNewOneReplacesIt() {
    Deployment deployment = deployment(1, 5);
    offer(deployment, 5, 0.8f);
    offer(deployment, 10, 0.9f);
    store.pin("v1-round-5");
    offer(deployment, 15, 0.95f);
    assertThat(current()).isEqualTo("v1-round-5");
    assertThat(store.unpin().name()).isEqualTo("v1-round-15");
    assertThat(current()).isEqualTo("v1-round-15");
    assertThatThrownBy(() -> store.pin("v1-round-20"))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("[v1-round-15, v1-round-10, v1-round-5]");
  }

  @Test
  void oldModelsAreRemovedButNotTheDeployedOne() throws IOException {
    Deployment deployment = deployment(1, 1);
    offer(deployment, 5, 0.9f);
    offer(deployment, 10, 0.5f);
    offer(deployment, 15, 0.6f);
    assertThat(store.all())
        .extracting(ModelStore.KeptCard::name)
        .containsExactly("v1-round-15", "v1-round-5");
    assertThat(home.resolve("deployed/v1-round-10.safetensors")).doesNotExist();
    assertThat(home.resolve("deployed/v1-round-5.safetensors")).exists();
  }

  @Test
  void anEnsembleIsKeptWithTheSharesOfItsMembers() {
    deployment(2, 5)
        .offer(
            deployed(
                5, new Predictor.Ensemble(Mixture.mean(List.of(weights(0.6f), weights(0.8f))))));
    PredictorCard card = store.deployed().orElseThrow();
    assertThat(card.accuracy().orElseThrow()).isCloseTo(0.7, within(1e-6));
    assertThat(card.members())
        .containsExactly(
            new PredictorCard.MemberWeights("v2-round-5-1.safetensors", 0.5),
            new PredictorCard.MemberWeights("v2-round-5-2.safetensors", 0.5));
    assertThat(store.weights(card, layout).parts())
        .extracting(each -> each.weights().get(0))
        .containsExactly(0.6f, 0.8f);
  }

  @Test
  void aModelThatIsAdaptedToTheOwnDataIsAdaptedBeforeItIsWritten() {
    Ticket.Train adaptation = plan.peerFactory().training().round(weights(0.1f), new PeerId(0), 1);
    deployment(1, 5).offer(deployed(5, new Predictor.Adapted(adaptation)));
    PredictorCard card = store.deployed().orElseThrow();
    assertThat(store.weights(card, layout).parts().getFirst().weights().get(0)).isEqualTo(0.75f);
  }

  @Test
  void aModelOfEveryFifthRoundAndOfTheLastOneIsOffered() {
    Deployment deployment = deployment(1, 5);
    Predictor any = new Predictor.Single(weights(0.5f));
    assertThat(deployment.concerns(deployed(4, any))).isFalse();
    assertThat(deployment.concerns(deployed(5, any))).isTrue();
    assertThat(deployment.concerns(deployed(ROUNDS, any))).isTrue();
    assertThat(
            deployment.concerns(
                new Deployed(5, Observation.Stage.TRAINED, any, Observation.Audience.SELF)))
        .isFalse();
  }
}

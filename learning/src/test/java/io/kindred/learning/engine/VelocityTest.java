package io.kindred.learning.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Optimizer.Rule;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.compute.Ticket.Duration.Epochs;
import io.kindred.core.compute.Ticket.Duration.Steps;
import io.kindred.core.compute.TrainBuilder;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.jvm.Jvm;
import io.kindred.learning.model.Architecture;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Velocities that go from one ticket to the next, checked against loops in doubles. */
class VelocityTest {
  private static final SampleRows ROWS = LearningFixtures.all(QuadraticEngine.SAMPLES);
  private static final int STATISTIC = 2;
  private static final double[] CURVATURES = {1, 2, 0, 0.5, 3};
  private static final double[] MEANS = {1.25 / 3, -0.25, 2, 2.0 / 3, 1.0 / 3};
  private static final float[] START = {0.3f, -0.1f, 9, 0.2f, -0.4f};

  private static Weights velocity(float... values) {
    return Weights.copyOf(QuadraticEngine.LAYOUT, values);
  }

  private static Ticket.Train ticket(Objective objective, Optimizer optimizer, int steps) {
    Ticket.Train plain =
        LearningFixtures.ticket(QuadraticEngine.START, optimizer, 0, new Steps(steps));
    return TrainBuilder.from(plain).objective(objective).build();
  }

  private static Result.Trained train(Ticket.Train ticket) {
    return new LocalTraining(new QuadraticEngine()).train(ticket, ROWS, LearningFixtures.random(0));
  }

  private static float[] velocityOf(Result.Trained trained) {
    return trained.velocity().orElseThrow().copy();
  }

  /** v = m v + g + wd w; w = w - rate v, or w - rate (g + wd w + m v) with Nesterov's variant. */
  private static void checkFormula(Optimizer optimizer, boolean nesterov, int steps) {
    Rule.Sgd rule = (Rule.Sgd) optimizer.rule();
    Result.Trained trained =
        train(
            ticket(Objective.plain(), optimizer, steps).fromVelocity(Optional.of(velocity(START))));
    for (int i : new int[] {0, 1, 3, 4}) {
      double w = QuadraticEngine.START.get(i);
      double v = START[i];
      for (int step = 0; step < steps; step++) {
        double slope = CURVATURES[i] * (w - MEANS[i]) + optimizer.weightDecay() * w;
        v = rule.momentum() * v + slope;
        w -= optimizer.learningRate() * (nesterov ? slope + rule.momentum() * v : v);
      }
      assertThat((double) velocityOf(trained)[i]).isCloseTo(v, within(1e-6));
      assertThat((double) trained.weights().get(i)).isCloseTo(w, within(1e-6));
    }
    assertThat(velocityOf(trained)[STATISTIC]).as("running statistics").isZero();
  }

  @Test
  void theVelocityFollowsTheFormula() {
    for (int steps : new int[] {1, 2, 5}) {
      checkFormula(new Optimizer(0.1, 0.9, 0), false, steps);
      checkFormula(new Optimizer(0.1, 0.9, 0.05), false, steps);
      checkFormula(new Optimizer(new Rule.Sgd(0.9, true), 0.1, 0.05, 0), true, steps);
      checkFormula(new Optimizer(0.1, 0, 0.05), false, steps);
      checkFormula(new Optimizer(0.1, 0, 0), false, steps);
    }
  }

  @Test
  void askingForTheVelocityChangesNothingElse() {
    for (double momentum : new double[] {0, 0.9}) {
      Ticket.Train plain = ticket(Objective.plain(), new Optimizer(0.1, momentum, 0), 4);
      Result.Trained without = train(plain);
      Result.Trained with = train(plain.fromVelocity(Optional.empty()));
      assertThat(without.velocity()).isEmpty();
      assertThat(with.weights()).isEqualTo(without.weights());
      assertThat(with.loss()).isEqualTo(without.loss());
      Weights zero = velocity(new float[5]);
      assertThat(train(plain.fromVelocity(Optional.of(zero)))).isEqualTo(with);
    }
  }

  @Test
  void aScratchVectorIsNotHandedOut() {
    LocalTraining training = new LocalTraining(new QuadraticEngine());
    Ticket.Train ticket =
        ticket(Objective.plain(), new Optimizer(0.1, 0.9, 0), 3).fromVelocity(Optional.empty());
    Result.Trained first = training.train(ticket, ROWS, LearningFixtures.random(0));
    float[] before = velocityOf(first);
    training.train(ticket, ROWS, LearningFixtures.random(1));
    assertThat(velocityOf(first)).containsExactly(before);
  }

  @Test
  void layersThatAreNotTrainedKeepTheirVelocity() {
    Ticket.Train head =
        ticket(Objective.plain().onlyLayers(List.of("head")), new Optimizer(0.1, 0.9, 0.01), 3)
            .fromVelocity(Optional.of(velocity(START)));
    Result.Trained trained = train(head);
    assertThat(velocityOf(trained)[0]).isEqualTo(START[0]);
    assertThat(velocityOf(trained)[1]).isEqualTo(START[1]);
    assertThat(trained.weights().get(0)).isEqualTo(QuadraticEngine.START.get(0));
    assertThat(velocityOf(trained)[3]).isNotEqualTo(START[3]);
    assertThat(velocityOf(trained)[4]).isNotEqualTo(START[4]);
  }

  @Test
  void withoutSamplesTheVelocityStays() {
    LocalTraining training = new LocalTraining(new QuadraticEngine());
    SampleRows none = SampleRows.of(QuadraticEngine.SAMPLES, Ints.of());
    Ticket.Train ticket = ticket(Objective.plain(), new Optimizer(0.1, 0.9, 0), 1);
    RandomStream random = LearningFixtures.random(0);
    assertThat(training.train(ticket, none, random).velocity()).isEmpty();
    Optional<Weights> start = Optional.of(velocity(START));
    assertThat(training.train(ticket.fromVelocity(start), none, random).velocity())
        .isEqualTo(start);
    assertThat(training.train(ticket.fromVelocity(Optional.empty()), none, random).velocity())
        .contains(velocity(new float[5]));
  }

  /** One stream goes on through both tickets, so the order of the samples is the same. */
  private static void checkTwoTicketsEqualOne(
      Engine engine, SampleRows rows, Ticket.Train half, Ticket.Duration twice) {
    Result.Trained whole =
        new LocalTraining(engine)
            .train(
                TrainBuilder.from(half).duration(twice).returnsVelocity(true).build(),
                rows,
                LearningFixtures.random(3));
    LocalTraining training = new LocalTraining(engine);
    RandomStream random = LearningFixtures.random(3);
    Result.Trained first = training.train(half.fromVelocity(Optional.empty()), rows, random);
    Result.Trained second =
        training.train(
            TrainBuilder.from(half).from(first.weights()).build().fromVelocity(first.velocity()),
            rows,
            random);
    assertThat(second.weights()).isEqualTo(whole.weights());
    assertThat(second.velocity()).isEqualTo(whole.velocity());
    assertThat(first.samples() + second.samples()).isEqualTo(whole.samples());
    Result.Trained reset =
        training.train(
            TrainBuilder.from(half).from(first.weights()).build(),
            rows,
            LearningFixtures.random(4));
    assertThat(reset.weights()).as("without the velocity").isNotEqualTo(whole.weights());
  }

  @Test
  void twoTicketsOfOneEpochEqualOneOfTwo() {
    Architecture architecture = LearningFixtures.network(6, 3, 5);
    Weights start = architecture.initialWeights(LearningFixtures.random(1));
    Samples samples = LearningFixtures.randomSamples(2, 22, 6, 3);
    SampleRows rows = LearningFixtures.all(samples);
    for (boolean nesterov : new boolean[] {false, true}) {
      for (double decay : new double[] {0, 0.01}) {
        Optimizer optimizer = new Optimizer(new Rule.Sgd(0.9, nesterov), 0.1, decay, 0);
        Ticket.Train epoch = LearningFixtures.ticket(start, optimizer, 4, new Epochs(1));
        Engine engine = new Jvm().create(architecture);
        checkTwoTicketsEqualOne(engine, rows, epoch, new Epochs(2));
        Ticket.Train steps = LearningFixtures.ticket(start, optimizer, 4, new Steps(6));
        checkTwoTicketsEqualOne(engine, rows, steps, new Steps(12));
        Ticket.Train head =
            TrainBuilder.from(epoch)
                .objective(Objective.plain().onlyLayers(List.of("output")))
                .build();
        checkTwoTicketsEqualOne(engine, rows, head, new Epochs(2));
      }
    }
  }

  @Test
  void twoTicketsOfMetaLearningEqualOne() {
    Ticket.Train half =
        ticket(Objective.plain().withLookahead(0.2), new Optimizer(0.1, 0.9, 0.01), 3);
    checkTwoTicketsEqualOne(new QuadraticEngine(), ROWS, half, new Steps(6));
  }

  @Test
  void onlySgdHasAVelocity() {
    Optimizer adam = new Optimizer(Rule.AdamW.withDefaults(), 0.1, 0, 0);
    Ticket.Train ticket = ticket(Objective.plain(), adam, 1);
    assertThatThrownBy(() -> ticket.fromVelocity(Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("only SGD has a velocity");
  }

  @Test
  void aVelocityHasTheLayoutOfTheWeights() {
    Ticket.Train ticket = ticket(Objective.plain(), new Optimizer(0.1, 0.9, 0), 1);
    Layout other = Layout.builder().add("all", 5).build();
    assertThatThrownBy(() -> ticket.fromVelocity(Optional.of(Weights.wrap(other, new float[5]))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the velocity has the layout");
  }
}

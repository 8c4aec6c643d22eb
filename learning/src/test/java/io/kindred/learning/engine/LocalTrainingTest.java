package io.kindred.learning.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Objective.Term;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Optimizer.Rule;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.compute.Ticket.Duration.Epochs;
import io.kindred.core.compute.Ticket.Duration.Steps;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Expected values come from the update rules implemented in Python, in doubles. */
class LocalTrainingTest {
  private static final Optimizer PLAIN = new Optimizer(0.1, 0, 0);
  private static final SampleRows ROWS = LearningFixtures.all(QuadraticEngine.SAMPLES);
  private static final Weights ORIGIN = weights(0, 0.5f, 7, -0.2f, 0.1f);
  private static final Weights TARGET = weights(1, 0.25f, -3, 0.4f, -0.9f);

  private static Weights weights(float... values) {
    return Weights.copyOf(QuadraticEngine.LAYOUT, values);
  }

  private static Ticket.Train ticket(
      Objective objective, Optimizer optimizer, int batch, Ticket.Duration duration) {
    Ticket.Train plain = LearningFixtures.ticket(QuadraticEngine.START, optimizer, batch, duration);
    return new Ticket.Train(
        plain.from(), objective, plain.view(), optimizer, batch, duration, plain.shuffle());
  }

  private static Result.Trained train(Ticket.Train ticket) {
    return new LocalTraining(new QuadraticEngine()).train(ticket, ROWS, LearningFixtures.random(0));
  }

  private static Weights train(Objective objective, Optimizer optimizer, int steps) {
    return train(ticket(objective, optimizer, 0, new Steps(steps))).weights();
  }

  private static void checkClose(Weights actual, double... expected) {
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) actual.get(i)).as("place %d", i).isCloseTo(expected[i], within(4e-7));
    }
  }

  @Test
  void nesterovStepsLookAlongTheNewVelocity() {
    Optimizer nesterov = new Optimizer(new Rule.Sgd(0.9, true), 0.1, 0.01, 0);
    Objective plain = Objective.plain();
    checkClose(
        train(plain, nesterov, 1), 0.240786667, -0.342240000, 1.1, 0.334263333, -0.066860000);
    checkClose(
        train(plain, nesterov, 2), 0.291134372, -0.281914544, 1.19, 0.379813550, 0.388663234);
    checkClose(
        train(plain, nesterov, 3), 0.344132795, -0.231869685, 1.271, 0.432680832, 0.658245267);
  }

  @Test
  void adamWithDecoupledDecayFollowsTheRule() {
    Optimizer adam = new Optimizer(Rule.AdamW.withDefaults(), 0.1, 0.1, 0);
    Objective plain = Objective.plain();
    checkClose(train(plain, adam, 1), 0.297999995, -0.296000003, 1.1, 0.396999995, -0.494000000);
    checkClose(train(plain, adam, 2), 0.389541365, -0.207154239, 1.19, 0.491102195, -0.389554045);
    checkClose(train(plain, adam, 3), 0.465252544, -0.157886033, 1.271, 0.579920512, -0.287070701);
  }

  @Test
  void momentsStartAtZeroWithEachTicket() {
    for (Rule rule : List.of(new Rule.Sgd(0.9, false), Rule.AdamW.withDefaults())) {
      Ticket.Train ticket =
          ticket(Objective.plain(), new Optimizer(rule, 0.1, 0.1, 0), 2, new Epochs(2));
      LocalTraining used = new LocalTraining(new QuadraticEngine());
      Result.Trained first = used.train(ticket, ROWS, LearningFixtures.random(5));
      assertThat(used.train(ticket, ROWS, LearningFixtures.random(5))).isEqualTo(first);
    }
  }

  @Test
  void aLongGradientIsCutToTheNorm() {
    Optimizer clipped = new Optimizer(new Rule.Sgd(0, false), 0.5, 0, 0.7);
    checkClose(
        train(Objective.plain(), clipped, 1),
        0.226793462,
        -0.362901361,
        1.1,
        0.322671391,
        -0.253746033);
    checkClose(
        train(Objective.plain(), clipped, 2),
        0.263835892,
        -0.318849429,
        1.19,
        0.356226470,
        0.089854523);
  }

  @Test
  void aShortGradientIsNotCut() {
    Optimizer wide = new Optimizer(new Rule.Sgd(0, false), 0.1, 0, 1e3);
    assertThat(train(Objective.plain(), wide, 3)).isEqualTo(train(Objective.plain(), PLAIN, 3));
  }

  @Test
  void theNormCountsOnlyWhatIsTrained() {
    Optimizer clipped = new Optimizer(new Rule.Sgd(0, false), 0.5, 0, 0.7);
    checkClose(
        train(Objective.plain().onlyLayers(List.of("head")), clipped, 2),
        0.2,
        -0.4,
        1,
        0.357039535,
        0.097579998);
  }

  @Test
  void severalAnchorsPullAtOnce() {
    Objective objective =
        Objective.plain()
            .plus(new Term.Proximal(weights(1, 1, 1, 1, 1), 0.5))
            .plus(new Term.Proximal(weights(0, -2, 0, 0.5f, 0), 0.25));
    checkClose(
        train(objective, PLAIN, 3), 0.341985417, -0.264962500, 1.271, 0.454036458, 0.155859375);
  }

  @Test
  void theCosineTermTurnsTheWayTravelledTowardsTheTarget() {
    Objective objective = Objective.plain().plus(new Term.Cosine(ORIGIN, TARGET, 0.3));
    checkClose(
        train(objective, PLAIN, 3), 0.294708510, -0.303869397, 1.271, 0.357853149, -0.011015619);
  }

  @Test
  void theGradientOfTheCosineAgreesWithFiniteDifferences() {
    for (int seed = 0; seed < 20; seed++) {
      RandomStream random = LearningFixtures.random(100 + seed);
      double[] at = draw(random);
      double[] origin = draw(random);
      double[] target = draw(random);
      float[] gradient = new float[5];
      new ObjectiveTerms()
          .add(
              List.of(new Term.Cosine(weights(floats(origin)), weights(floats(target)), 0.8)),
              QuadraticEngine.LAYOUT,
              floats(at),
              gradient);
      for (int i = 0; i < 5; i++) {
        double kept = at[i];
        at[i] = kept + 1e-6;
        double above = cosine(at, origin, target);
        at[i] = kept - 1e-6;
        double below = cosine(at, origin, target);
        at[i] = kept;
        double derivative = -0.8 * (above - below) / 2e-6;
        assertThat((double) gradient[i])
            .isCloseTo(derivative, within(1e-5 + 1e-5 * Math.abs(derivative)));
      }
    }
  }

  private static double[] draw(RandomStream random) {
    double[] values = new double[5];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return values;
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  /** Over the trained weights only: the third is a statistic. */
  private static double cosine(double[] at, double[] origin, double[] target) {
    double product = 0;
    double first = 0;
    double second = 0;
    for (int i : new int[] {0, 1, 3, 4}) {
      double d = at[i] - origin[i];
      double e = target[i] - origin[i];
      product += d * e;
      first += d * d;
      second += e * e;
    }
    return product / Math.sqrt(first * second);
  }

  @Test
  void theCosineTermIsSilentWhereItHasNoGradient() {
    Weights untrained = train(Objective.plain(), PLAIN, 1);
    assertThat(
            train(
                Objective.plain().plus(new Term.Cosine(QuadraticEngine.START, TARGET, 9)),
                PLAIN,
                1))
        .isEqualTo(untrained);
    assertThat(train(Objective.plain().plus(new Term.Cosine(ORIGIN, ORIGIN, 9)), PLAIN, 1))
        .isEqualTo(untrained);
  }

  @Test
  void metaLearningDescendsAlongTheGradientOneStepAhead() {
    checkClose(
        train(Objective.plain().withLookahead(0.2), PLAIN, 2),
        0.233280000,
        -0.366160000,
        1.343900000,
        0.332257500,
        -0.389440000);
  }

  @Test
  void metaLearningTakesTwoBatchesAStepAndOnePassAnEpoch() {
    Result.Trained trained =
        train(ticket(Objective.plain().withLookahead(0.2), PLAIN, 2, new Epochs(1)));
    assertThat(trained.samples()).isEqualTo(3);
    // Two of the three samples form the first batch; the last of the order forms the second.
    switch (LearningFixtures.random(0).permutation(3)[2]) {
      case 0 -> checkClose(trained.weights(), 0.2815, -0.322, 1.355, 0.229, -0.423);
      case 1 -> checkClose(trained.weights(), 0.2265, -0.562, 1.135, 0.3865, -0.813);
      default -> checkClose(trained.weights(), 0.144, -0.262, 1.080, 0.334, -0.228);
    }
  }

  @Test
  void theLossOfMetaLearningIsTheOneAhead() {
    Result.Trained plain = train(ticket(Objective.plain(), PLAIN, 0, new Steps(1)));
    assertThat(plain.loss()).isCloseTo(2.782083333, within(1e-6));
    Result.Trained lookahead =
        train(ticket(Objective.plain().withLookahead(0.2), PLAIN, 0, new Steps(1)));
    assertThat(lookahead.loss()).isCloseTo(1.655247222, within(1e-6));
    assertThat(lookahead.samples()).isEqualTo(6);
  }

  @Test
  void untrainedLayersStayBitByBit() {
    Objective everything =
        Objective.plain()
            .plus(new Term.Proximal(TARGET, 0.5))
            .plus(new Term.Cosine(ORIGIN, TARGET, 0.3));
    for (Rule rule : List.of(new Rule.Sgd(0.9, true), Rule.AdamW.withDefaults())) {
      for (double lookahead : new double[] {0, 0.1}) {
        Optimizer optimizer = new Optimizer(rule, 0.1, 0.01, 1);
        Objective objective = everything.withLookahead(lookahead);
        Weights head = train(objective.onlyLayers(List.of("head")), optimizer, 5);
        assertThat(places(head, 0, 1, 2)).isEqualTo(places(QuadraticEngine.START, 0, 1, 2));
        assertThat(places(head, 3)).isNotEqualTo(places(QuadraticEngine.START, 3));
        assertThat(places(head, 4)).isNotEqualTo(places(QuadraticEngine.START, 4));
        Weights body = train(objective.onlyLayers(List.of("body", "head.bias")), optimizer, 5);
        assertThat(places(body, 3)).isEqualTo(places(QuadraticEngine.START, 3));
        for (int i : new int[] {0, 1, 2, 4}) {
          assertThat(places(body, i)).isNotEqualTo(places(QuadraticEngine.START, i));
        }
      }
    }
  }

  private static List<Integer> places(Weights weights, Integer... indices) {
    return List.of(indices).stream().map(i -> Float.floatToRawIntBits(weights.get(i))).toList();
  }

  @Test
  void allLayersNamedAreAllLayers() {
    Objective named = Objective.plain().onlyLayers(List.of("head", "body"));
    assertThat(train(named, PLAIN, 3)).isEqualTo(train(Objective.plain(), PLAIN, 3));
  }

  @Test
  void aNameIsNotAPrefixOfLetters() {
    assertThatThrownBy(() -> train(Objective.plain().onlyLayers(List.of("head", "bod")), PLAIN, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no layer bod");
  }
}

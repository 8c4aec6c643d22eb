package io.kindred.methods.contract;

import static io.kindred.methods.contract.Driver.model;
import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.MixtureSources.Source;
import java.util.List;
import org.junit.jupiter.api.Test;

class MixtureSourcesTest {
  private static final PeerId SELF = new PeerId(1);

  private static Source source(long peer, Weights model) {
    return new Source(new PeerId(peer), 4, model, 30);
  }

  private static ModelsMixed observe(List<Source> sources, MixturePart... parts) {
    return new MixtureSources(SELF, sources)
        .observe(5, 2, Weighting.EQUAL, new Mixture(List.of(parts)));
  }

  private static MixedModel mixed(long peer, double weight) {
    return new MixedModel(new PeerId(peer), 4, weight, 30, MixedModel.Treatment.FULL);
  }

  @Test
  void aPartThatIsNoSourceIsThePeersOwn() {
    assertThat(
            observe(
                List.of(source(2, model(7)), source(3, model(8))),
                new MixturePart(model(1), 0.5),
                new MixturePart(model(8), 0.25),
                new MixturePart(model(7), 0.25)))
        .isEqualTo(
            new ModelsMixed(5, 2, Weighting.EQUAL, 0.5, List.of(mixed(3, 0.25), mixed(2, 0.25))));
  }

  @Test
  void aModelThatIsCountedTwiceIsObservedTwice() {
    assertThat(
            observe(
                List.of(source(2, model(7))),
                new MixturePart(model(1), 0.5),
                new MixturePart(model(7), 0.25),
                new MixturePart(model(7), 0.25)))
        .isEqualTo(
            new ModelsMixed(5, 2, Weighting.EQUAL, 0.5, List.of(mixed(2, 0.25), mixed(2, 0.25))));
  }

  @Test
  void aReceivedModelThatEqualsTheOwnOneIsToldFromIt() {
    assertThat(
            observe(
                List.of(source(1, model(7)), source(2, model(7)), source(3, model(8))),
                new MixturePart(model(7), 0.5),
                new MixturePart(model(7), 0.25),
                new MixturePart(model(8), 0.25)))
        .isEqualTo(
            new ModelsMixed(5, 2, Weighting.EQUAL, 0.5, List.of(mixed(2, 0.25), mixed(3, 0.25))));
  }

  @Test
  void theOwnModelIsNotTakenForAReceivedOneThatIsNotMixed() {
    assertThat(
            observe(
                List.of(source(1, model(7)), source(2, model(7)), source(3, model(8))),
                new MixturePart(model(7), 0.5),
                new MixturePart(model(8), 0.5)))
        .isEqualTo(new ModelsMixed(5, 2, Weighting.EQUAL, 0.5, List.of(mixed(3, 0.5))));
  }
}

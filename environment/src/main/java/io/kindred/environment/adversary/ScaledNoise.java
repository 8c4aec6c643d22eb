package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import java.util.Optional;

/** Sends the start plus Gaussian noise as long as a multiple of the own change since the start. */
@Named(value = "noise", summary = "sends noise as long as a multiple of the model's change")
public record ScaledNoise(
    @Setting(
            doc = "length of the noise as a multiple of the length of the own change",
            fallback = "1",
            above = 0)
        double factor)
    implements Behaviour {
  private static final Purpose NOISE = new Purpose("adversary-noise");

  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of((_, honest) -> noisy(peer, honest));
  }

  private Weights noisy(HostilePeer peer, Weights honest) {
    Weights start = peer.start().get();
    // The model itself names the draw, so that a model that is sent again gets the same noise.
    RandomStream random =
        peer.streams().stream(NOISE, peer.self().number(), honest.digest().a() >>> 1);
    float[] values = start.copy();
    double scale = factor * Forgeries.length(start, honest) / Math.sqrt(values.length);
    for (int i = 0; i < values.length; i++) {
      values[i] += (float) (scale * random.nextGaussian());
    }
    return Weights.wrap(start.layout(), values);
  }
}

package io.kindred.studies.discovery;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.studies.overlay.SavedModels;
import java.util.ArrayList;
import java.util.List;

/** The changes of a run's models since their common start. A stranger is the mean of two models. */
public final class ModelVectors implements PeerVectors {
  private static final Purpose STRANGERS = new Purpose("discovery-strangers");

  private final List<Weights> models;
  private final List<float[]> changes;
  private final Weights start;
  private final RandomStreams streams;

  public ModelVectors(SavedModels.Saved saved, long seed) {
    models = saved.models();
    start = saved.start();
    streams = new RandomStreams(seed);
    changes = new ArrayList<>();
    for (Weights each : models) {
      changes.add(difference(each.shared(), start.shared()));
    }
  }

  private static float[] difference(float[] values, float[] origin) {
    float[] difference = new float[values.length];
    for (int i = 0; i < difference.length; i++) {
      difference[i] = values[i] - origin[i];
    }
    return difference;
  }

  @Override
  public int size() {
    return models.size();
  }

  @Override
  public float[] vector(int peer, int version) {
    return peer < models.size()
        ? changes.get(peer)
        : difference(stranger(peer).shared(), start.shared());
  }

  @Override
  public Sketch sketch(int peer, int version, SketchRule rule) {
    return rule.sketch(peer < models.size() ? models.get(peer) : stranger(peer), start, start);
  }

  private Weights stranger(int number) {
    RandomStream random = streams.stream(STRANGERS, number, 0);
    float[] one = models.get(random.nextInt(models.size())).shared();
    float[] other = models.get(random.nextInt(models.size())).shared();
    float[] mean = new float[one.length];
    for (int i = 0; i < mean.length; i++) {
      mean[i] = (one[i] + other[i]) / 2;
    }
    return Weights.wrap(start.layout(), mean);
  }

  @Override
  public int levels() {
    return 1;
  }

  @Override
  public int part(int peer, int version, int level) {
    return 0;
  }

  @Override
  public boolean canDrift() {
    return false;
  }
}

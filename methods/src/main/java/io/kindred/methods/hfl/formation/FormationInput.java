package io.kindred.methods.hfl.formation;

/**
 * What is known of the clients when clusters are formed. Clients are numbered from zero; arrays are
 * shared and only read.
 *
 * @param shares weight of each client in a mean, such as its number of samples
 * @param computeSeconds seconds of each client's local training (t' in section 3.3.2)
 * @param sendSeconds seconds to send a model from one client to another (t''); infinite if they
 *     cannot reach each other
 * @param features a vector for each client's direction of learning, or its number of samples of
 *     each label
 * @param labelFeatures whether features are counts of labels
 * @param heads which clients may be heads
 */
@SuppressWarnings("ArrayRecordComponent") // made once, read millions of times, compared never
public record FormationInput(
    double[] shares,
    double[] computeSeconds,
    float[][] sendSeconds,
    float[][] features,
    boolean labelFeatures,
    HeadChoice heads) {
  /** Clients of which any may lead. */
  public FormationInput(
      double[] shares,
      double[] computeSeconds,
      float[][] sendSeconds,
      float[][] features,
      boolean labelFeatures) {
    this(shares, computeSeconds, sendSeconds, features, labelFeatures, HeadChoice.BY_TIME);
  }

  FormationInput withHeads(HeadChoice others) {
    return new FormationInput(shares, computeSeconds, sendSeconds, features, labelFeatures, others);
  }

  public int clients() {
    return shares.length;
  }

  public boolean canReach(int one, int other) {
    return one == other
        || (sendSeconds[one][other] < Float.POSITIVE_INFINITY
            && sendSeconds[other][one] < Float.POSITIVE_INFINITY);
  }

  /** Seconds from the start of a client's training until the head has its model; entry of T_c. */
  public double updateSeconds(int client, int head) {
    return client == head
        ? computeSeconds[client]
        : computeSeconds[client] + sendSeconds[client][head];
  }

  /** The divergence of clusters from the whole, on which swaps are tried. */
  Divergence divergence(ClientAssignment assignment) {
    return labelFeatures
        ? new LabelSkewDivergence(this, assignment)
        : new AngleDivergence(this, new GramMatrix(features), assignment);
  }
}

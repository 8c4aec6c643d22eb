package io.kindred.methods.hfl.formation;

/**
 * What is known of the clients when clusters are formed. Clients are numbered from zero; arrays are
 * shared and only read.
 *
 * @param shares what each counts for in a mean, such as its number of samples
 * @param computeSeconds seconds that each takes for its local training (t' in section 3.3.2)
 * @param sendSeconds seconds from one to another for a model (t''); infinite where they cannot
 *     reach each other
 * @param features what stands for each one's direction of learning, or how many samples of each
 *     label it has
 * @param labelFeatures whether features are counts of labels
 */
@SuppressWarnings("ArrayRecordComponent") // made once, read millions of times, compared never
public record FormationInput(
    double[] shares,
    double[] computeSeconds,
    float[][] sendSeconds,
    float[][] features,
    boolean labelFeatures) {
  public int clients() {
    return shares.length;
  }

  public boolean canReach(int one, int other) {
    return one == other
        || (sendSeconds[one][other] < Float.POSITIVE_INFINITY
            && sendSeconds[other][one] < Float.POSITIVE_INFINITY);
  }

  /** From the start of its training until a client's model is with the head; entry of T_c. */
  public double updateSeconds(int client, int head) {
    return client == head
        ? computeSeconds[client]
        : computeSeconds[client] + sendSeconds[client][head];
  }

  /** How far clusters point from where the whole points, for swaps to be tried on. */
  Divergence divergence(ClientAssignment assignment) {
    return labelFeatures
        ? new LabelSkewDivergence(this, assignment)
        : new AngleDivergence(this, new GramMatrix(features), assignment);
  }
}

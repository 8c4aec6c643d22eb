package io.kindred.methods.hierarchy.forming;

/**
 * What is known of the clients when clusters are formed. Clients are numbered from zero; arrays are
 * shared and only read.
 *
 * @param shares what each counts for in a mean, such as its number of samples
 * @param computing seconds that each takes for its local training (t' in section 3.3.2)
 * @param sending seconds from one to another for a model (t''); infinite where they cannot reach
 *     each other
 * @param features what stands for each one's direction of learning, or how many samples of each
 *     label it has
 * @param labels whether features are counts of labels
 */
@SuppressWarnings("ArrayRecordComponent") // made once, read millions of times, compared never
public record Situation(
    double[] shares, double[] computing, float[][] sending, float[][] features, boolean labels) {
  public int clients() {
    return shares.length;
  }

  public boolean reach(int one, int other) {
    return one == other
        || (sending[one][other] < Float.POSITIVE_INFINITY
            && sending[other][one] < Float.POSITIVE_INFINITY);
  }

  /** From the start of its training until a client's model is with the head; entry of T_c. */
  public double seconds(int client, int head) {
    return client == head ? computing[client] : computing[client] + sending[client][head];
  }

  /** How far clusters point from where the whole points, for swaps to be tried on. */
  Divergence divergence(Clustering clustering) {
    return labels ? new Skews(this, clustering) : new Angles(this, new Gram(features), clustering);
  }
}

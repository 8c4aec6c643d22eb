package io.kindred.methods.kin;

/**
 * When each part of the method begins, in rounds from one on. Shares of the horizon become rounds
 * here, so that a run needs no known end: it may stop earlier or go on.
 *
 * @param mixedVelocity first round in which the velocity of the shared model is that of the mixed
 *     model
 * @param personal first round of the personal model
 * @param scores first round whose end is scored
 * @param scoresEvery rounds between two scores
 * @param choice the round at whose end the peer chooses, the first one that trains on all samples
 */
record Schedule(int mixedVelocity, int personal, int scores, int scoresEvery, int choice) {
  static Schedule of(KinSettings settings, int rounds) {
    int horizon = settings.horizon() > 0 ? settings.horizon() : rounds;
    int choice = firstRound(settings.choice().at(), horizon);
    // Scores need two rounds to reach the peers of the pulled peers, so the last score is early
    // enough for that, however short the run is.
    int lastScore = Math.max(1, choice - 2);
    return new Schedule(
        firstRound(settings.momentum().from(), horizon),
        Math.min(firstRound(settings.personal().from(), horizon), lastScore),
        Math.min(firstRound(settings.choice().scoresFrom(), horizon), lastScore),
        settings.choice().scoresEvery(),
        choice);
  }

  /** The first round that begins after this share of the horizon. */
  private static int firstRound(double share, int horizon) {
    return 1 + (int) Math.ceil(share * horizon);
  }

  /** Whether the held-out samples are scored at the end of this round. */
  boolean scoresIn(int round) {
    int last = Math.max(1, choice - 2);
    return round >= scores && round <= last && (last - round) % scoresEvery == 0;
  }

  /** Whether part of the samples is held out from the training of this round. */
  boolean holdsOut(int round) {
    return round < choice;
  }

  /** Whether the peer combines the scores of the peers that it pulls in this round. */
  boolean combinesScores(int round) {
    return round >= choice - 1;
  }

  boolean chooses(int round) {
    return round >= choice;
  }
}

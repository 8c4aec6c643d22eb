package io.kindred.runtime;

/** Shows the progress of a run. */
public interface Progress {
  /** Shows nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void begin(String what, long steps, long done) {}

        @Override
        public void stepCompleted() {}

        @Override
        public void accuracy(double mean) {}

        @Override
        public void end(String outcome) {}
      };

  /** Information about the run that needs no action by the user. */
  default void note(String line) {}

  /**
   * A run of so many steps begins, of which some may be done already. A step is one peer finishing
   * one round.
   */
  void begin(String what, long steps, long done);

  void stepCompleted();

  /** Mean accuracy of the newest complete round. */
  void accuracy(double mean);

  void end(String outcome);
}

package io.kindred.benchmarks;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Ticket;
import io.kindred.learning.engine.Rows;
import java.util.stream.IntStream;

/** One ticket of a workload with random pictures for it. */
record TrainingTask(Ticket.Train ticket, Rows rows) {
  static TrainingTask of(Workload workload) {
    RandomStreams streams = new RandomStreams(1);
    Rows rows =
        Rows.of(
            workload.samples(workload.batch()),
            Ints.wrap(IntStream.range(0, workload.batch()).toArray()));
    Ticket.Train ticket =
        new Ticket.Train(
            workload.architecture().initial(streams.stream(Purpose.INITIAL_WEIGHTS, 0, 0)),
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(1e-4, 0.9, 0),
            workload.batch(),
            new Ticket.Duration.Steps(workload.stepsPerTicket()),
            new StreamKey(Purpose.BATCHES, 0, 0));
    return new TrainingTask(ticket, rows);
  }
}

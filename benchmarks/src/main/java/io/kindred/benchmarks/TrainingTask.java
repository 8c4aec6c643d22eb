package io.kindred.benchmarks;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Ints;
import io.kindred.learning.engine.SampleRows;
import java.util.stream.IntStream;

/** One ticket of a workload with random pictures for it. */
record TrainingTask(Ticket.Train ticket, SampleRows rows) {
  static TrainingTask of(Workload workload) {
    RandomStreams streams = new RandomStreams(1);
    SampleRows rows =
        SampleRows.of(
            workload.samples(workload.batch()),
            Ints.wrap(IntStream.range(0, workload.batch()).toArray()));
    Ticket.Train ticket =
        new Ticket.Train(
            workload.architecture().initialWeights(streams.stream(Purpose.INITIAL_WEIGHTS, 0, 0)),
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(1e-4, 0.9, 0),
            workload.batch(),
            new Ticket.Duration.Steps(workload.stepsPerTicket()),
            new StreamKey(Purpose.BATCHES, 0, 0));
    return new TrainingTask(ticket, rows);
  }
}

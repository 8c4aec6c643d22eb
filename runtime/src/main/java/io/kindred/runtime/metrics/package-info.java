/**
 * Metrics of a run in either shell: evaluation, metrics.jsonl, the table of rounds and the summary.
 */
@NullMarked
package io.kindred.runtime.metrics;

import org.jspecify.annotations.NullMarked;

/**
 * One run from configuration to run folder: assembly, evaluation, records, checkpoints and
 * resuming.
 */
@NullMarked
package io.kindred.experiment;

import org.jspecify.annotations.NullMarked;

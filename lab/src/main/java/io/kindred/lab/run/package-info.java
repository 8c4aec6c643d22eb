/**
 * One run from configuration to run folder: assembly, evaluation, records, checkpoints and
 * resuming.
 */
@NullMarked
package io.kindred.lab.run;

import org.jspecify.annotations.NullMarked;

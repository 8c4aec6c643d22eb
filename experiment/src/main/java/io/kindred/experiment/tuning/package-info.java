/** Equal tuning budgets: every method gets the same number of tries on validation samples. */
@NullMarked
package io.kindred.experiment.tuning;

import org.jspecify.annotations.NullMarked;

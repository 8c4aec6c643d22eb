/** Churn models: no churn, a steady rate, sessions, or a recorded trace. */
@NullMarked
package io.kindred.environment.churn;

import org.jspecify.annotations.NullMarked;

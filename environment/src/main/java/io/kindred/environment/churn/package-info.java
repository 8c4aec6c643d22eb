/** How peers come and go: none, at a steady rate, in sessions, or as a recorded trace says. */
@NullMarked
package io.kindred.environment.churn;

import org.jspecify.annotations.NullMarked;

/** Puts the hostile peers of an experiment among the honest ones, for both shells. */
@NullMarked
package io.kindred.runtime.adversary;

import org.jspecify.annotations.NullMarked;

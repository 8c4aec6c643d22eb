/**
 * Studies of hierarchical learning that train nothing: clusters formed on a network alone, and how
 * many rounds runs that were made need to a target.
 */
@NullMarked
package io.kindred.studies.hfl;

import org.jspecify.annotations.NullMarked;

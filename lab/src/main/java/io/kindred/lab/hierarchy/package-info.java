/**
 * Studies of hierarchical learning that train nothing: clusters formed on a network alone, and how
 * many rounds runs that were made need to a target.
 */
@NullMarked
package io.kindred.lab.hierarchy;

import org.jspecify.annotations.NullMarked;

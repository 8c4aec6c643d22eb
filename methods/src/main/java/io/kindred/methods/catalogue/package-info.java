/** The list of all methods. */
@NullMarked
package io.kindred.methods.catalogue;

import org.jspecify.annotations.NullMarked;

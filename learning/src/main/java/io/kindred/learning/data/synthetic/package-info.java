/** Glyphs that are drawn, so that an experiment needs no download. */
@NullMarked
package io.kindred.learning.data.synthetic;

import org.jspecify.annotations.NullMarked;

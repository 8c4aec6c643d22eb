/** Where experiments are stated, run, compared and explained. */
@NullMarked
package io.kindred.lab;

import org.jspecify.annotations.NullMarked;

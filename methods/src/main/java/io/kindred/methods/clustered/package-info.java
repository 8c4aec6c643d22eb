/**
 * The clustered family: several models at once, for peers whose data come from several
 * distributions - FedSPD, DFCA and what their papers compare with.
 */
@NullMarked
package io.kindred.methods.clustered;

import org.jspecify.annotations.NullMarked;

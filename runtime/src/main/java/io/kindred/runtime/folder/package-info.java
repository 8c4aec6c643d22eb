/** The run folder: its files, the models in it, and the machine a run was computed on. */
@NullMarked
package io.kindred.runtime.folder;

import org.jspecify.annotations.NullMarked;

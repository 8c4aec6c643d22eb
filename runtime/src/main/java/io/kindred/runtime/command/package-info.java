/**
 * What the command line and the node's own command line share: exit codes, data folders, error
 * messages.
 */
@NullMarked
package io.kindred.runtime.command;

import org.jspecify.annotations.NullMarked;

/**
 * Training in another process and another language: the messages of {@code trainer.proto}, who
 * starts and restarts the process, and a trainer that hands tickets on to it.
 */
@NullMarked
package io.kindred.node.trainer;

import org.jspecify.annotations.NullMarked;

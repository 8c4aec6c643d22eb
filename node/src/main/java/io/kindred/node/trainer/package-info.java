/**
 * Training in another process and another language: the messages of {@code trainer.proto}, the
 * supervision of the process, and a trainer that forwards tickets to it.
 */
@NullMarked
package io.kindred.node.trainer;

import org.jspecify.annotations.NullMarked;

/** Tasks: what the nodes of a network agree on, and the data of one owner read as the task says. */
@NullMarked
package io.kindred.node.task;

import org.jspecify.annotations.NullMarked;

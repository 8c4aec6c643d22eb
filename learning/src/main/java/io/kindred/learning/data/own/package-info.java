/**
 * Data of one owner, read as the task of a network agrees: inputs scaled by the task's statistics,
 * classes numbered by the task's list.
 */
@NullMarked
package io.kindred.learning.data.own;

import org.jspecify.annotations.NullMarked;

/** Studies of gossiped views: how fast, at what cost and against which lies they find peers. */
@NullMarked
package io.kindred.studies.discovery;

import org.jspecify.annotations.NullMarked;

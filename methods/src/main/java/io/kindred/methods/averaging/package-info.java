/** One model for all peers, averaged by a server or among neighbours. */
@NullMarked
package io.kindred.methods.averaging;

import org.jspecify.annotations.NullMarked;

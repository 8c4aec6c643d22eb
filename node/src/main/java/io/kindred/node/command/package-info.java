/** The node's command line: identity, certificates, preflight, start, status and replay. */
@NullMarked
package io.kindred.node.command;

import org.jspecify.annotations.NullMarked;

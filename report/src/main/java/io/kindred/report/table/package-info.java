/** Tables of figures as text, CSV, Markdown, LaTeX and HTML. */
@NullMarked
package io.kindred.report.table;

import org.jspecify.annotations.NullMarked;

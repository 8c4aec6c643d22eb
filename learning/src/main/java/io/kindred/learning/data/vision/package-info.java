/** Image data sets in their original files, and folders of pictures. */
@NullMarked
package io.kindred.learning.data.vision;

import org.jspecify.annotations.NullMarked;

/** Exports runs to the formats of other tools: TensorBoard, MLflow, Parquet and CSV. */
@NullMarked
package io.kindred.cli.export;

import org.jspecify.annotations.NullMarked;

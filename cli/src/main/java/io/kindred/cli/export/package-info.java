/** Runs in the forms that other tools expect: TensorBoard, MLflow, Parquet and CSV. */
@NullMarked
package io.kindred.cli.export;

import org.jspecify.annotations.NullMarked;

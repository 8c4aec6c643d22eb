/** Runs in the forms that other tools expect: TensorBoard, MLflow, Parquet and CSV. */
@NullMarked
package io.kindred.lab.export;

import org.jspecify.annotations.NullMarked;

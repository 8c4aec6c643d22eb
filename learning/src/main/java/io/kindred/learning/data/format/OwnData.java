package io.kindred.learning.data.format;

import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DamagedDataException;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataSource;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.TaskDescription;
import java.util.Optional;

/** Data of a user, which can be read as a new task or as a task that exists already. */
public interface OwnData extends DataSource {
  /** The file of a run folder that says how its data were read. */
  String READING_FILE = "data.json";

  /** The run folder whose task the data are read as; empty for a new task. */
  Optional<String> like();

  /**
   * Reads the data.
   *
   * @param given the task to read the data as: its classes in their order, its columns and its
   *     scaling; empty to take all of these from the data
   * @throws DamagedDataException when the data have a class or column that the given task lacks
   */
  Dataset load(RandomStreams streams, DataFiles files, Optional<TaskDescription> given);

  @Override
  default Dataset load(RandomStreams streams, DataFiles files) {
    return load(
        streams,
        files,
        like()
            .map(
                folder ->
                    TaskReader.ofReading(
                        folder + "/" + READING_FILE, files.read(folder, READING_FILE))));
  }
}

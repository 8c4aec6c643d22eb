package io.kindred.learning.data.audio;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.own.ClassFolder;
import io.kindred.learning.data.own.OwnSamples;
import io.kindred.learning.data.own.OwnSource;
import io.kindred.learning.data.own.SampleCollector;
import io.kindred.learning.data.own.TaskInputs;
import io.kindred.learning.data.own.TaskSuggestion;
import java.util.List;
import java.util.TreeSet;

/** Sounds of one owner: a folder for each class. */
@Named(value = "sounds", summary = "sounds: one folder per class; wav files")
public record OwnSounds(@Setting(doc = "the folder") String folder) implements OwnSource {
  /** What a new task gets; an author edits the file for other sounds. */
  private static final TaskInputs.Sounds SUGGESTED = new TaskInputs.Sounds(8_000, 1, 40, 0, 1);

  @Override
  public String location() {
    return folder;
  }

  private ClassFolder sounds() {
    return new ClassFolder(folder, "wav files", SoundFolder.SOUNDS::has);
  }

  @Override
  public OwnSamples read(
      TaskInputs inputs, List<String> classes, boolean labelled, DataFiles files) {
    SampleCollector collector = new SampleCollector(inputs, classes);
    if (inputs.sounds().isEmpty()) {
      collector.reportOtherKind(folder + " holds sounds", inputs);
      return collector.samples();
    }
    sounds().reportUnused(files, collector);
    TaskInputs.Sounds form = inputs.sounds().get();
    visit(
        form,
        files,
        (name, values) -> {
          for (int i = 0; i < values.length; i++) {
            values[i] = (float) ((values[i] - form.mean()) / form.deviation());
          }
          collector.addOf(ClassFolder.className(name), name, values, labelled);
        });
    return collector.samples();
  }

  /** Receives the spectrogram of a file. */
  private interface Visitor {
    void visit(String name, float[] values);
  }

  private void visit(TaskInputs.Sounds form, DataFiles files, Visitor visitor) {
    LogMel logMel = new LogMel(form.rate(), form.bands(), form.clip());
    List<String> names = sounds().names(files);
    files.readAll(
        folder,
        names,
        (index, bytes) -> {
          float[] values = new float[logMel.width()];
          String name = names.get(index);
          logMel.write(Wav.decode(folder + "/" + name, bytes, form.rate()), values, 0);
          visitor.visit(name, values);
        });
  }

  @Override
  public TaskSuggestion suggest(DataFiles files) {
    TreeSet<String> classes = new TreeSet<>();
    double[] sums = new double[3];
    visit(
        SUGGESTED,
        files,
        (name, values) -> {
          classes.add(ClassFolder.className(name));
          for (float value : values) {
            sums[0]++;
            sums[1] += value;
            sums[2] += (double) value * value;
          }
        });
    double mean = sums[1] / sums[0];
    double deviation = Math.sqrt(Math.max(0, sums[2] / sums[0] - mean * mean));
    return new TaskSuggestion(
        TaskInputs.ofSounds(
            new TaskInputs.Sounds(
                SUGGESTED.rate(),
                SUGGESTED.seconds(),
                SUGGESTED.bands(),
                SampleCollector.rounded(mean),
                deviation > 0 ? SampleCollector.rounded(deviation) : 1)),
        List.copyOf(classes));
  }
}

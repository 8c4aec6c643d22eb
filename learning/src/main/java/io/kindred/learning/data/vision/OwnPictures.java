package io.kindred.learning.data.vision;

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

/** Pictures of one owner: a folder for each class. */
@Named(value = "images", summary = "pictures: one folder per class; png, jpg, gif, bmp, webp")
public record OwnPictures(@Setting(doc = "the folder") String folder) implements OwnSource {
  /** Width and height that a new task gets; an author edits the file for another size. */
  private static final int SUGGESTED_SIZE = 32;

  @Override
  public String location() {
    return folder;
  }

  @Override
  public OwnSamples read(
      TaskInputs inputs, List<String> classes, boolean labelled, DataFiles files) {
    SampleCollector collector = new SampleCollector(inputs, classes);
    if (inputs.pictures().isEmpty()) {
      collector.reportOtherKind(folder + " holds pictures", inputs);
      return collector.samples();
    }
    TaskInputs.Pictures form = inputs.pictures().get();
    List<String> names = pictures().names(files);
    pictures().reportUnused(files, collector);
    files.readAll(
        folder,
        names,
        (index, bytes) -> {
          String name = names.get(index);
          byte[] pixels = new byte[inputs.width()];
          files
              .picture(folder + "/" + name, bytes)
              .writeSquare(form.size(), form.colour() ? 3 : 1, pixels, 0);
          collector.addOf(ClassFolder.className(name), name, scaled(pixels, form), labelled);
        });
    return collector.samples();
  }

  private ClassFolder pictures() {
    return new ClassFolder(folder, "pictures", ImageFolder.PICTURES::has);
  }

  private static float[] scaled(byte[] pixels, TaskInputs.Pictures form) {
    float[] values = new float[pixels.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (((pixels[i] & 0xff) - form.mean()) / form.deviation());
    }
    return values;
  }

  @Override
  public TaskSuggestion suggest(DataFiles files) {
    List<String> names = pictures().names(files);
    TreeSet<String> classes = new TreeSet<>();
    names.forEach(name -> classes.add(ClassFolder.className(name)));
    byte[] all = new byte[Math.multiplyExact(names.size(), 3 * SUGGESTED_SIZE * SUGGESTED_SIZE)];
    int width = 3 * SUGGESTED_SIZE * SUGGESTED_SIZE;
    files.readAll(
        folder,
        names,
        (index, bytes) ->
            files
                .picture(folder + "/" + names.get(index), bytes)
                .writeSquare(SUGGESTED_SIZE, 3, all, index * width));
    ByteScaling scaling = ByteScaling.fit(all);
    return new TaskSuggestion(
        TaskInputs.ofPictures(
            new TaskInputs.Pictures(
                SUGGESTED_SIZE,
                true,
                SampleCollector.rounded(scaling.mean()),
                SampleCollector.rounded(scaling.deviation()))),
        List.copyOf(classes));
  }
}

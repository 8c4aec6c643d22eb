package io.kindred.learning.data.vision;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.DataReading;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Picture;
import io.kindred.learning.data.TaskDescription;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.format.FolderTree;
import io.kindred.learning.data.format.OwnData;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A user's own pictures in folders that name their classes. */
@Named(
    value = "images",
    summary = "your own pictures: one folder per class; png, jpg, gif, bmp, webp")
public record ImageFolder(
    @Setting(
            doc = "folder of the pictures: a path below the data folder, or any other path",
            fallback = "images")
        String folder,
    @Setting(
            doc =
                "which folder is a picture's class: `auto`, the only one, and a deeper tree is"
                    + " refused; `path`, all together; `first` or `last`; `name`, the beginning of"
                    + " the file's name up to _, - or point",
            fallback = "auto")
        FolderTree.ClassRule classes,
    @Setting(
            doc =
                "who took a picture: `none`; the `first` or `last` folder; `name`, the beginning of"
                    + " the file's name",
            fallback = "none")
        FolderTree.UserRule users,
    @Setting(
            doc = "width and height in pixels to which pictures are scaled",
            fallback = "32",
            min = 1)
        int size,
    @Setting(
            doc =
                "how a picture becomes a square: `crop` cuts off both ends of the longer side,"
                    + " `pad` adds borders, `stretch` distorts",
            fallback = "crop")
        Picture.Fit fit,
    @Setting(doc = "whether pictures keep their colours", fallback = "true") boolean colour,
    @Setting(
            doc = "whether a damaged picture is left out instead of ending the reading",
            fallback = "false")
        boolean skipDamaged,
    @Setting(
            doc =
                "share of each class that becomes the common test set if there are no folders"
                    + " `train` and `test`",
            fallback = "0.2",
            above = 0,
            max = 0.9)
        double testShare,
    @Setting(
            doc =
                "folder of a run whose classes and scaling are taken, so that new pictures are the"
                    + " same task")
        Optional<String> like)
    implements OwnData {
  /** The files that are read. */
  public static final FolderTree.Kind PICTURES =
      new FolderTree.Kind("a picture", List.of("png", "jpg", "jpeg", "gif", "bmp", "webp"));

  /** A folder per class, and everything else as by default. */
  public ImageFolder(String folder, int size, boolean colour, double testShare) {
    this(
        folder,
        FolderTree.ClassRule.AUTO,
        FolderTree.UserRule.NONE,
        size,
        Picture.Fit.CROP,
        colour,
        false,
        testShare,
        Optional.empty());
  }

  @Override
  public Dataset load(RandomStreams streams, DataFiles files, Optional<TaskDescription> given) {
    FolderTree tree =
        FolderTree.read(
            files,
            folder,
            PICTURES,
            new FolderTree.Rules(classes, users, testShare),
            streams,
            given);
    List<ImageSetReader.LabelledFile> labelledFiles =
        tree.samples().stream()
            .map(
                each ->
                    new ImageSetReader.LabelledFile(
                        each.file(), each.label(), each.user(), each.test()))
            .toList();
    Dataset dataset =
        new ImageSetReader(folder, size, colour ? 3 : 1, fit, skipDamaged)
            .read(
                "images",
                files,
                tree.classes().size(),
                labelledFiles,
                tree.users(),
                given.map(task -> task.scales().getFirst()));
    DataReading pictures = dataset.reading();
    List<UnusedFile> unused = new ArrayList<>(tree.unused());
    unused.addAll(pictures.unused());
    List<String> remarks = new ArrayList<>(pictures.remarks());
    remarks.addAll(tree.remarks());
    return dataset.read(
        new DataReading(
            TaskDescription.of(tree.classes(), pictures.task().scales()),
            pictures.used(),
            unused,
            remarks));
  }
}

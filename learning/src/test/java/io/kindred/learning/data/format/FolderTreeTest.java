package io.kindred.learning.data.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.UnusedFile;
import io.kindred.learning.data.format.FolderTree.ClassRule;
import io.kindred.learning.data.format.FolderTree.Rules;
import io.kindred.learning.data.format.FolderTree.Sample;
import io.kindred.learning.data.format.FolderTree.UserRule;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FolderTreeTest {
  private static final FolderTree.Kind KIND = new FolderTree.Kind("a picture", List.of("png"));

  private static InMemoryDataFiles files(String... names) {
    InMemoryDataFiles files = new InMemoryDataFiles();
    for (String name : names) {
      files.with("set/" + name, "x");
    }
    return files;
  }

  /** Two alphabets with two characters each, of which two share a name, as in Omniglot. */
  private static InMemoryDataFiles alphabets() {
    return files(
        "all/Greek/char01/1_1.png",
        "all/Greek/char01/1_2.png",
        "all/Greek/char02/2_1.png",
        "all/Latin/char01/3_1.png",
        "all/Latin/char01/3_2.png",
        "all/Latin/char03/4_1.png");
  }

  private static FolderTree read(InMemoryDataFiles files, ClassRule classes, UserRule users) {
    return FolderTree.read(
        files, "set", KIND, new Rules(classes, users, 0.5), new RandomStreams(3), Optional.empty());
  }

  @Test
  void aDeepTreeIsRefusedUnlessARuleSaysWhichFolderIsTheClass() {
    assertThatThrownBy(() -> read(alphabets(), ClassRule.AUTO, UserRule.NONE))
        .isInstanceOf(SettingException.class)
        .extracting(e -> ((SettingException) e).line())
        .isEqualTo(
            "'dataset.classes': set has more than one folder above a file, as in"
                + " all/Greek/char01/1_1.png; say which one is the class: path makes 4 classes"
                + " (Greek/char01, Greek/char02, ...), first 2 classes (Greek, Latin), last 3"
                + " classes (char01, char02, ...); with dataset.users: first or last the other"
                + " folder is the user");
    assertThat(read(alphabets(), ClassRule.PATH, UserRule.NONE).classes())
        .containsExactly("Greek/char01", "Greek/char02", "Latin/char01", "Latin/char03");
    assertThat(read(alphabets(), ClassRule.FIRST, UserRule.NONE).classes())
        .containsExactly("Greek", "Latin");
    assertThat(read(alphabets(), ClassRule.LAST, UserRule.NONE).classes())
        .containsExactly("char01", "char02", "char03");
    assertThat(read(alphabets(), ClassRule.LAST, UserRule.NONE).remarks())
        .contains(
            "1 of 3 classes join folders of the same name, such as Greek/char01 and Latin/char01;"
                + " classes: path keeps them apart");
    assertThat(read(alphabets(), ClassRule.PATH, UserRule.NONE).remarks())
        .noneMatch(each -> each.contains("join folders"));
    assertThat(read(alphabets(), ClassRule.NAME, UserRule.NONE).classes())
        .containsExactly("1", "2", "3", "4");
  }

  @Test
  void aFolderThatNamesTheUserNamesNoClass() {
    FolderTree tree = read(alphabets(), ClassRule.AUTO, UserRule.FIRST);
    assertThat(tree.users()).containsExactly("Greek", "Latin");
    assertThat(tree.classes()).containsExactly("char01", "char02", "char03");
    assertThat(tree.samples().stream().map(Sample::user)).containsExactly(0, 0, 0, 1, 1, 1);
    assertThat(tree.remarks())
        .containsExactly(
            "the test is 50.0 % of each class, drawn from the seed",
            "classes with a single file, which stays in one part: char02, char03");
    FolderTree spoken =
        read(
            files("01/3_01_0.png", "01/7_01_0.png", "02/3_02_0.png"),
            ClassRule.NAME,
            UserRule.LAST);
    assertThat(spoken.classes()).containsExactly("3", "7");
    assertThat(spoken.users()).containsExactly("01", "02");
  }

  @Test
  void partsAreTakenWhereBothExistAndOtherFoldersAreUnused() {
    FolderTree tree =
        read(
            files("Train/a/1.png", "Train/b/1.png", "test/b/2.png", "val/a/3.png", "notes.md"),
            ClassRule.AUTO,
            UserRule.NONE);
    assertThat(tree.samples())
        .containsExactly(
            new Sample("Train/a/1.png", 0, -1, false),
            new Sample("Train/b/1.png", 1, -1, false),
            new Sample("test/b/2.png", 1, -1, true));
    assertThat(tree.unused())
        .containsExactly(
            new UnusedFile("notes.md", "not a picture (.md)"),
            new UnusedFile("val/a/3.png", "neither in the folder train nor in test"));
    assertThat(tree.remarks()).contains("the test is the folder test");
    assertThatThrownBy(() -> read(files("test/a/1.png", "b/1.png"), ClassRule.AUTO, UserRule.NONE))
        .hasMessageContaining("there is a folder 'test' but no folder 'train' beside it");
  }

  @Test
  void partsMayHaveTheNameOfTheirDataSetInFront() {
    FolderTree tree =
        read(
            files("news-bydate-train/a/1.png", "news-bydate-train/b/1.png", "news_test/b/2.png"),
            ClassRule.AUTO,
            UserRule.NONE);
    assertThat(tree.classes()).containsExactly("a", "b");
    assertThat(tree.samples().stream().map(Sample::test)).containsExactly(false, false, true);
    assertThat(tree.remarks()).contains("the test is the folder news_test");
    assertThat(FolderTree.part("latest")).isEmpty();
  }

  @Test
  void aFolderWithoutSamplesSaysWhatItHolds() {
    assertThatThrownBy(() -> read(files("a/1.txt", "b/2.txt"), ClassRule.AUTO, UserRule.NONE))
        .hasMessage(
            "set is damaged at its files: none of its 2 files is a picture (.png), such as a/1.txt");
    assertThatThrownBy(() -> read(files("1.png", "2.png"), ClassRule.AUTO, UserRule.NONE))
        .hasMessageContaining("no file is in a folder of a class, such as 1.png");
  }
}

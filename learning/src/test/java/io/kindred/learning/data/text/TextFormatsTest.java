package io.kindred.learning.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStreams;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.InMemoryDataFiles;
import io.kindred.learning.data.MissingDataException;
import io.kindred.learning.data.Users;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TextFormatsTest {
  private static final RandomStreams STREAMS = new RandomStreams(1);

  private static InMemoryDataFiles news() {
    String train = "20newsgroups/20news-bydate-train/";
    String test = "20newsgroups/20news-bydate-test/";
    return new InMemoryDataFiles()
        .with(train + "rec.autos/1", "From: secret\nSubject: Re\n\nCar engine, CAR wheel\n")
        .with(train + "rec.autos/2", "From: secret\n\nengine oil\n")
        .with(train + "sci.space/1", "From: secret\n\nmoon engine\n")
        .with(train + "sci.space/2", "From: secret\n\nmoon orbit\n")
        .with(test + "sci.space/9", "From: secret\n\nmoon car novel\n");
  }

  @Test
  void postingsAreWeightedWordsOfTheTrainingTexts() {
    Dataset dataset = new Newsgroups(100, false, true, true).load(STREAMS, news());
    // A word needs two postings at least and half of the four at most: only moon remains.
    assertThat(dataset.shape()).containsExactly(1);
    assertThat(dataset.classes()).isEqualTo(2);
    assertThat(dataset.train().labels().copy()).containsExactly(0, 0, 1, 1);
    assertThat(InMemoryDataFiles.sample(dataset.train(), 0)).containsExactly(0);
    assertThat(InMemoryDataFiles.sample(dataset.test(), 0)).containsExactly(10);
  }

  /** Start, the pieces, end and padding; "engine" is in three texts and so a piece of its own. */
  @Test
  void postingsCanBeNumbersOfTokens() {
    Newsgroups source = new Newsgroups(40, false, true, true, 8, Optional.empty());
    Dataset dataset = source.load(STREAMS, news());
    assertThat(dataset.shape()).containsExactly(8);
    float[] posting = InMemoryDataFiles.sample(dataset.train(), 2);
    assertThat(posting[0]).isEqualTo(2);
    assertThat(posting[3]).isEqualTo(3);
    assertThat(posting[4]).isZero();
    assertThat(InMemoryDataFiles.sample(dataset.train(), 1)[1]).isEqualTo(posting[2]);
    Newsgroups brought = new Newsgroups(40, false, true, true, 8, Optional.of("spiece.model"));
    assertThatThrownBy(() -> brought.load(STREAMS, news()))
        .isInstanceOf(MissingDataException.class)
        .hasMessageContaining("spiece.model");
  }

  @Test
  void headersCountOnlyWhereAskedFor() {
    InMemoryDataFiles marked =
        news()
            .with("20newsgroups/20news-bydate-train/rec.autos/1", "From: garage\n\ncar\n")
            .with("20newsgroups/20news-bydate-train/rec.autos/2", "From: garage\n\ncar\n");
    assertThat(new Newsgroups(100, false, true, true).load(STREAMS, marked).shape())
        .containsExactly(2);
    // The words garage and secret join moon and car; "from" is in every posting.
    assertThat(new Newsgroups(100, true, true, true).load(STREAMS, marked).shape())
        .containsExactly(4);
  }

  @Test
  void aWordsWeightIsThatOfTheFormula() {
    TfIdfVocabulary words =
        TfIdfVocabulary.fit(List.of("aa bb", "aa cc", "bb dd", "ee", "ff", "gg"), 10);
    assertThat(words.size()).isEqualTo(2);
    SparseFeatures.Row row = words.row("aa aa aa bb zz", 1);
    SparseFeatures features = new SparseFeatures(List.of(row), 2);
    float[] values = new float[3];
    features.copy(0, values, 1);
    // Both words are in two of six texts, so that only their counts differ: 1 + ln 3 against 1.
    double first = 1 + Math.log(3);
    double length = Math.sqrt(first * first + 1);
    assertThat(values[1]).isCloseTo((float) (first / length), offset(1e-6f));
    assertThat(values[2]).isCloseTo((float) (1 / length), offset(1e-6f));
    // With another word in three texts its weight is 1 + ln(7/4) against 1 + ln(7/3).
    TfIdfVocabulary uneven =
        TfIdfVocabulary.fit(List.of("aa bb", "aa bb", "aa", "ee", "ff", "gg"), 10);
    new SparseFeatures(List.of(uneven.row("aa bb", 1)), 2).copy(0, values, 0);
    assertThat(values[0] / values[1])
        .isCloseTo((float) ((1 + Math.log(7 / 4.0)) / (1 + Math.log(7 / 3.0))), offset(1e-6f));
    assertThat(TfIdfVocabulary.fit(List.of("aa bb", "aa bb", "aa", "ee", "ff", "gg"), 1).size())
        .isEqualTo(1);
  }

  @Test
  void signaturesAndQuotationsCanBeLeftOut() {
    String body = "Ann writes:\n> old words\nnew words\n--\nAnn, Somewhere\n";
    assertThat(NewsPost.withoutFooter(body)).isEqualTo("Ann writes:\n> old words\nnew words");
    assertThat(NewsPost.withoutQuotes(body)).isEqualTo("new words\n--\nAnn, Somewhere");
    assertThat(NewsPost.withoutHeaders("From: a\n\nb\n\nc")).isEqualTo("b\n\nc");
    assertThat(NewsPost.withoutHeaders("From: a")).isEmpty();
    String early = "--\n" + "line\n".repeat(20);
    assertThat(NewsPost.withoutFooter(early)).isEqualTo(early);
  }

  @Test
  void emptyPostingsUnknownGroupsAndMissingPartsAreNamed() {
    Newsgroups source = new Newsgroups(100, false, true, true);
    assertThatThrownBy(
            () ->
                source.load(
                    STREAMS, news().with("20newsgroups/20news-bydate-train/rec.autos/3", "")))
        .hasMessage(
            "20newsgroups/20news-bydate-train/rec.autos/3 is damaged at byte 0: the posting is empty");
    assertThatThrownBy(
            () ->
                source.load(
                    STREAMS, news().with("20newsgroups/20news-bydate-test/talk.new/1", "x")))
        .hasMessageEndingWith("there is no training posting of the group talk.new");
    assertThatThrownBy(() -> source.load(STREAMS, new InMemoryDataFiles()))
        .hasMessage("data set 20newsgroups lacks the file 20news-bydate-train/GROUP/NUMBER");
  }

  private static InMemoryDataFiles play(String text) {
    return new InMemoryDataFiles().with("shakespeare/tinyshakespeare-input.txt", text);
  }

  @Test
  void whatARoleSaysIsCutIntoWindows() {
    Dataset dataset =
        new Shakespeare(2, 1, 0, 0.5)
            .load(STREAMS, play("Ben:\nabcab\n\nAnn:\nbab\nz\n\nBen:\ncabc\n"));
    // Ann says "bab\nz\n", Ben "abcab\ncabc\n"; the first three and six characters are training.
    Users roles = dataset.train().users().orElseThrow();
    assertThat(roles.names()).containsExactly("Ann", "Ben");
    assertThat(roles.bySample().copy()).containsExactly(0, 1, 1, 1, 1);
    // The alphabet is the line end, a, b, c and a code for unknown characters: after "ba" comes b.
    assertThat(dataset.shape()).containsExactly(5, 1, 2);
    assertThat(dataset.train().labels().copy()).containsExactly(2, 3, 1, 2, 0);
    assertThat(InMemoryDataFiles.sample(dataset.train(), 0))
        .containsExactly(0, 0, 0, 1, 1, 0, 0, 0, 0, 0);
    // Only the test text has a z.
    assertThat(dataset.test().labels().copy()).containsExactly(0, 2, 3, 0);
    assertThat(InMemoryDataFiles.sample(dataset.test(), 0))
        .containsExactly(1, 0, 0, 0, 0, 0, 0, 0, 0, 1);
  }

  @Test
  void theLongestRolesAreTakenFirst() {
    String text = "Ann:\nabcdef\n\nBen:\nabcdefgh\n\nCyd:\nab\n";
    Dataset dataset = new Shakespeare(1, 2, 2, 0.4).load(STREAMS, play(text));
    assertThat(dataset.train().users().orElseThrow().names()).containsExactly("Ann", "Ben");
    assertThatThrownBy(() -> new Shakespeare(1, 2, 4, 0.4).load(STREAMS, play(text)))
        .isInstanceOf(SettingException.class)
        .hasMessage("4 roles are requested, but the text has 3");
    assertThatThrownBy(() -> new Shakespeare(50, 1, 0, 0.4).load(STREAMS, play(text)))
        .hasMessage("no role has a text of more than 50 characters");
  }

  @Test
  void aSpeechWithoutARoleAndAnEmptyPlayAreNamed() {
    assertThatThrownBy(
            () -> new Shakespeare(1, 1, 0, 0.2).load(STREAMS, play("Ann:\nabc\n\nabc\n")))
        .hasMessage(
            "shakespeare/tinyshakespeare-input.txt is damaged at line 4: a role and a colon are expected after an empty line");
    assertThatThrownBy(() -> new Shakespeare(1, 1, 0, 0.2).load(STREAMS, play("\n\n")))
        .hasMessageEndingWith("line 1: the file is empty");
  }
}

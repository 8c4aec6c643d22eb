package io.kindred.learning.data.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.text.Piece.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokenizerTest {
  /** A vocabulary made for the test; scores are logarithms of made-up probabilities. */
  private static List<Piece> vocabulary() {
    List<Piece> pieces = new ArrayList<>();
    pieces.add(new Piece("<pad>", 0, Kind.CONTROL));
    pieces.add(new Piece("<unk>", 0, Kind.UNKNOWN));
    pieces.add(new Piece("[CLS]", 0, Kind.CONTROL));
    pieces.add(new Piece("[SEP]", 0, Kind.CONTROL));
    pieces.add(new Piece("▁", -4, Kind.NORMAL));
    pieces.add(new Piece("▁un", -3, Kind.NORMAL));
    pieces.add(new Piece("▁unit", -5, Kind.NORMAL));
    pieces.add(new Piece("it", -3, Kind.NORMAL));
    pieces.add(new Piece("ed", -2, Kind.NORMAL));
    pieces.add(new Piece("i", -4, Kind.NORMAL));
    pieces.add(new Piece("t", -4, Kind.NORMAL));
    pieces.add(new Piece("e", -4, Kind.NORMAL));
    pieces.add(new Piece("d", -4.5, Kind.NORMAL));
    pieces.add(new Piece("▁gone", -1, Kind.UNUSED));
    return pieces;
  }

  private static final Tokenizer TOKENIZER = new Tokenizer(vocabulary());

  /** "▁unit" + "ed" scores -7; "▁un" + "it" + "ed" -8; single letters score far worse. */
  @Test
  void theLikeliestPiecesWin() {
    assertThat(TOKENIZER.pieces("united")).containsExactly("▁unit", "ed");
    assertThat(TOKENIZER.pieces("unit")).containsExactly("▁unit");
    assertThat(TOKENIZER.pieces("ted it")).containsExactly("▁", "t", "ed", "▁", "it");
    assertThat(TOKENIZER.tokenIds("unit")).containsExactly(6);
  }

  /** An exhaustive search over all segmentations finds no better score. */
  @Test
  void noOtherWayToCutScoresBetter() {
    for (String text : List.of("united", "united united", "tedit", "deedit unit", "it it ed")) {
      String normal = Tokenizer.normalize(text);
      double found =
          TOKENIZER.tokenIds(text).stream().mapToDouble(n -> vocabulary().get(n).score()).sum();
      assertThat(found).as(text).isEqualTo(bestByHand(normal));
    }
  }

  private static double bestByHand(String rest) {
    if (rest.isEmpty()) {
      return 0;
    }
    double best = Double.NEGATIVE_INFINITY;
    for (Piece piece : vocabulary()) {
      if (piece.kind() == Kind.NORMAL && rest.startsWith(piece.text())) {
        best = Math.max(best, piece.score() + bestByHand(rest.substring(piece.text().length())));
      }
    }
    return best;
  }

  @Test
  void whatNoPieceCoversIsUnknownOnce() {
    assertThat(TOKENIZER.pieces("unitxyzed")).containsExactly("▁unit", "<unk>", "ed");
    assertThat(TOKENIZER.pieces("gone")).containsExactly("▁", "<unk>", "e");
    assertThat(TOKENIZER.pieces("[CLS]")).doesNotContain("[CLS]");
    assertThat(TOKENIZER.pieces("  \n ")).isEmpty();
  }

  @Test
  void capitalsAccentsAndBlanksDoNotMatter() {
    assertThat(Tokenizer.normalize(" Únited\t\n ``IT'' ")).isEqualTo("▁united▁\"it\"");
    assertThat(TOKENIZER.pieces("UNITÉD")).isEqualTo(TOKENIZER.pieces("united"));
  }

  @Test
  void textsStartEndAndArePaddedOrCut() {
    assertThat(TOKENIZER.encode("united", 6)).isEqualTo(Ints.of(2, 6, 8, 3, 0, 0));
    assertThat(TOKENIZER.encode("united", 4)).isEqualTo(Ints.of(2, 6, 8, 3));
    assertThat(TOKENIZER.encode("united", 3)).isEqualTo(Ints.of(2, 6, 3));
    assertThat(TOKENIZER.encode("", 3)).isEqualTo(Ints.of(2, 3, 0));
  }

  @Test
  void piecesCanBeLearntByCounting() {
    List<String> texts = List.of("the cat and the hat", "the bat", "that cat");
    Tokenizer learnt = Tokenizer.fit(texts, 16);
    assertThat(learnt.size()).isEqualTo(16);
    assertThat(learnt.pieces("the cat")).containsExactly("▁the", "▁cat");
    assertThat(learnt.pieces("tea")).containsExactly("▁", "t", "e", "a");
    assertThat(Tokenizer.fit(texts, 16).tokenIds("bat")).isEqualTo(learnt.tokenIds("bat"));
  }

  @Test
  void piecesForOtherModelsAreRefused() {
    assertThatThrownBy(() -> new Tokenizer(vocabulary().subList(1, 8)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("<pad>");
    assertThatThrownBy(() -> new Tokenizer(vocabulary().subList(0, 3)))
        .isInstanceOf(SettingException.class)
        .hasMessage("the pieces lack [SEP]");
  }
}

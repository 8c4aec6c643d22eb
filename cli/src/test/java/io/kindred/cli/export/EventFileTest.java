package io.kindred.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class EventFileTest {
  /** The bytes that TensorBoard 2.21's own RecordWriter writes for the same two events. */
  @Test
  void bytesAreThoseOfTensorBoardItself() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new EventFile(out, 0.25).writeScalar("accuracy/mixed", 300, 1.5, 0.625f);
    assertThat(HexFormat.of().formatHex(out.toByteArray()))
        .isEqualTo(
            "1800000000000000a37f4b2209000000000000d03f1a0d627261696e2e4576656e743a320f5aa63b"
                + "2500000000000000eabc36f309000000000000f83f10ac022a170a150a0e61636375726163792f"
                + "6d69786564150000203f0b13ff20");
  }
}

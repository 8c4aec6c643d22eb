package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sessions with a server that answers every call with the same bytes. */
@Timeout(60)
class TrainerRepliesTest {
  private static final TrainerMessages.View VIEW = TrainerMessages.View.getDefaultInstance();

  private volatile byte[] reply = new byte[0];
  private final Server server =
      NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .fallbackHandlerRegistry(new EveryMethod())
          .build();
  private TrainerAddress.@Nullable TrainerConnection connection;

  @BeforeEach
  void start() throws IOException {
    server.start();
    connection = TrainerAddress.parse("127.0.0.1:" + server.getPort()).open();
  }

  @AfterEach
  void stop() {
    if (connection != null) {
      connection.close();
    }
    server.shutdownNow();
  }

  private <T> T answer(String hex, Function<TrainerSession, T> call) {
    if (connection == null) {
      throw new IllegalStateException("not started");
    }
    reply = HexFormat.of().parseHex(hex);
    return call.apply(TrainerSession.forWork(connection.channel(), 20));
  }

  private TrainerMessages.TrainReply train(String hex) {
    return answer(hex, session -> session.train(TrainerMessages.TrainRequest.getDefaultInstance()));
  }

  @Test
  void anEmptyReplyHasTheDefaults() {
    assertThat(train("").getLoss()).isZero();
    assertThat(train("").getSamples()).isZero();
  }

  @Test
  void unknownFieldsArePassedOver() {
    TrainerMessages.TrainReply read =
        train("1a03616263" + "2101020304050607ff" + "2d01020304" + "3005" + "109601");
    assertThat(read.getSamples()).isEqualTo(150);
  }

  @ParameterizedTest
  @CsvSource({
    "10, ended unexpectedly in the middle of a field",
    "09ff, ended unexpectedly in the middle of a field",
    "1a07746573, ended unexpectedly in the middle of a field",
    "1affffffffffffffffff7f, negative size",
    "1affffffff0f, negative size",
    "00, invalid tag (zero)",
    "0b, end-group tag",
    "0f, invalid wire type"
  })
  void bytesThatAreNoMessageAreAFaultInOneLine(String hex, String words) {
    assertThatThrownBy(() -> train(hex))
        .isInstanceOf(TrainerFault.class)
        .hasMessageStartingWith("Train answered with bytes that are no message of trainer.proto: ")
        .hasMessageContaining(words)
        .message()
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "1001 0801, field loss of TrainReply",
    "1101000000000000f0, field samples of TrainReply",
    "1203616263, field samples of TrainReply"
  })
  void aFieldOfAnotherTypeIsAFault(String hex, String words) {
    assertThatThrownBy(() -> train(hex.replace(" ", "")))
        .isInstanceOf(TrainerFault.class)
        .hasMessageStartingWith("Train answered with ")
        .hasMessageContaining(words);
  }

  @Test
  void aFieldOfAnotherTypeInsideAMessageIsAFault() {
    assertThatThrownBy(() -> answer("22020801", session -> session.evaluate(VIEW)))
        .isInstanceOf(TrainerFault.class)
        .hasMessage("Evaluate answered with field name of Figure, which is no string");
  }

  @Test
  void textThatIsNoUnicodeIsAFault() {
    assertThatThrownBy(() -> answer("22040a02c3ff", session -> session.evaluate(VIEW)))
        .isInstanceOf(TrainerFault.class)
        .hasMessageContaining("invalid UTF-8");
  }

  @Test
  void valuesAreReadAndPartsThatDoNotFitAreFaults() {
    float[] losses = answer("12080000803f000000c0", session -> session.losses(VIEW, 2));
    assertThat(losses).containsExactly(1, -2);
    assertThatThrownBy(() -> answer("1203010203", session -> session.losses(VIEW, 2)))
        .isInstanceOf(TrainerFault.class)
        .hasMessage("Losses gave a part of 3 bytes, which are no whole 32-bit floats");
    assertThatThrownBy(() -> answer("12080000803f000000c0", session -> session.losses(VIEW, 1)))
        .isInstanceOf(TrainerFault.class)
        .hasMessage("Losses gave more than the 1 values it should");
    assertThatThrownBy(() -> answer("12040000c07f", session -> session.outputs(VIEW, 1)))
        .isInstanceOf(TrainerFault.class)
        .hasMessageContaining("not finite");
    assertThatThrownBy(() -> answer("1005", session -> session.getWeights("model", 1)))
        .isInstanceOf(TrainerFault.class)
        .hasMessage("GetWeights answered with field values of VectorPart, which is no bytes");
  }

  @Test
  void aReplyAboveTheLimitOfGrpcIsAFault() {
    assertThatThrownBy(() -> train("1a".repeat((4 << 20) + 1)))
        .isInstanceOf(TrainerFault.class)
        .hasMessageContaining("RESOURCE_EXHAUSTED")
        .hasMessageContaining("4194304");
  }

  /** Answers any method, without looking at the request. */
  private final class EveryMethod extends HandlerRegistry {
    @Override
    public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
      return ServerMethodDefinition.create(
          MethodDescriptor.<byte[], byte[]>newBuilder()
              .setType(MethodType.SERVER_STREAMING)
              .setFullMethodName(name)
              .setRequestMarshaller(new Bytes())
              .setResponseMarshaller(new Bytes())
              .build(),
          ServerCalls.asyncServerStreamingCall(
              (request, responses) -> {
                responses.onNext(reply);
                responses.onCompleted();
              }));
    }
  }

  private record Bytes() implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] bytes) {
      return new ByteArrayInputStream(bytes);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

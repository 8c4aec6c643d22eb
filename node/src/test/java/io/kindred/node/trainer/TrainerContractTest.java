package io.kindred.node.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.kindred.node.trainer.contract.TrainerGrpc;
import io.kindred.node.trainer.contract.TrainerMessages;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The bytes and names that trainers in other languages rely on. The bytes were written down by an
 * encoder that shares no code with the generated classes.
 */
class TrainerContractTest {
  private static final TrainerMessages.View VIEW =
      TrainerMessages.View.newBuilder().setSplit("train").setSelection("all").build();

  private static void assertBytes(Message message, String hex) throws Exception {
    assertThat(HexFormat.of().formatHex(message.toByteArray())).isEqualTo(hex);
    assertThat(message.getParserForType().parseFrom(HexFormat.of().parseHex(hex)))
        .isEqualTo(message);
  }

  private static ByteString floats(float... values) {
    return TrainerRequests.bytes(values, 0, values.length);
  }

  @Test
  void theHandshakeHasTheBytesOfTheContract() throws Exception {
    assertBytes(
        TrainerMessages.HelloRequest.newBuilder()
            .setVersion(1)
            .setPeer(-2)
            .addLayout(
                TrainerMessages.Block.newBuilder()
                    .setName("output.bias")
                    .addAllShape(List.of(4, 270))
                    .setTrained(true))
            .addAllLayers(List.of("dense", "relu"))
            .setTask("classification")
            .addAllInputShape(List.of(1, 28, 28))
            .setOutputs(10)
            .setDataFile("/däta")
            .build(),
        "080110feffffffffffffffff011a140a0b6f75747075742e626961731203048e021801220564656e7365220472656c"
            + "752a0e636c617373696669636174696f6e3203011c1c380a42062f64c3a47461");
    assertBytes(
        TrainerMessages.HelloReply.newBuilder()
            .setVersion(1)
            .setName("fake")
            .addAllOffers(List.of("train", "some"))
            .setTrainSamples(30)
            .setValidationSamples(5)
            .setTestSamples(7)
            .setCommonSamples(300)
            .addAllLabelCounts(List.of(10, 0, 20))
            .build(),
        "0801120466616b651a05747261696e1a04736f6d65201e2805300738ac0242030a0014");
  }

  @Test
  void vectorsAndViewsHaveTheBytesOfTheContract() throws Exception {
    assertBytes(
        TrainerMessages.VectorPart.newBuilder().setName("model").setValues(floats(1, -2)).build(),
        "0a056d6f64656c12080000803f000000c0");
    assertBytes(TrainerMessages.VectorName.newBuilder().setName("model").build(), "0a056d6f64656c");
    assertBytes(TrainerMessages.Done.getDefaultInstance(), "");
    assertBytes(
        TrainerMessages.View.newBuilder()
            .setSplit("train")
            .setSelection("weighted")
            .addAllIndices(List.of(3, 0, 7))
            .setWeights(floats(0.5f, 1.5f))
            .build(),
        "0a05747261696e120877656967687465641a0303000722080000003f0000c03f");
  }

  @Test
  void trainingHasTheBytesOfTheContract() throws Exception {
    assertBytes(
        TrainerMessages.TrainRequest.newBuilder()
            .setView(VIEW)
            .setBatch(8)
            .setEpochs(2)
            .setSteps(3)
            .setOptimizer(
                TrainerMessages.Optimizer.newBuilder()
                    .setRule("sgd")
                    .setLearningRate(0.05)
                    .setWeightDecay(0.001)
                    .setClip(0.5)
                    .setMomentum(0.9)
                    .setNesterov(true)
                    .setFirstDecay(0.25)
                    .setSecondDecay(0.125)
                    .setEpsilon(1e-8))
            .addProximal(TrainerMessages.Proximal.newBuilder().setAnchor("anchor-0").setMu(0.5))
            .addCosine(
                TrainerMessages.Cosine.newBuilder()
                    .setOrigin("origin-1")
                    .setTarget("target-1")
                    .setLambda(2))
            .setLookahead(0.1)
            .addLayers("output")
            .setSeed(Long.MIN_VALUE)
            .setVelocity("velocity")
            .setReturnVelocity(true)
            .build(),
        "0a0c0a05747261696e1203616c6c1008180220032a460a03736764119a9999999999a93f19fca9f1d24d62503f2100"
            + "0000000000e03f29cdccccccccccec3f300139000000000000d03f41000000000000c03f493a8c30e28e7945"
            + "3e32130a08616e63686f722d3011000000000000e03f3a1d0a086f726967696e2d3112087461726765742d31"
            + "190000000000000040419a9999999999b93f4a066f757470757450808080808080808080015a0876656c6f636974796001");
    assertBytes(
        TrainerMessages.TrainReply.newBuilder().setLoss(0.25).setSamples(3).build(),
        "09000000000000d03f1003");
    assertBytes(
        TrainerMessages.EvaluateReply.newBuilder()
            .setSamples(7)
            .setLoss(0.5)
            .setAccuracy(0.75)
            .addErrors(TrainerMessages.Figure.newBuilder().setName("mse").setValue(0.25))
            .build(),
        "080711000000000000e03f19000000000000e83f220e0a036d736511000000000000d03f");
  }

  /** Generated classes of most languages pack whole numbers; simple encoders may not. */
  @Test
  void wholeNumbersAreReadPackedAndOneByOne() throws Exception {
    assertThat(
            TrainerMessages.HelloReply.parseFrom(HexFormat.of().parseHex("4003408e02"))
                .getLabelCountsList())
        .containsExactly(3, 270);
  }

  @Test
  void theMethodsHaveTheNamesOfTheContract() {
    assertThat(TrainerGrpc.getServiceDescriptor().getMethods())
        .extracting(method -> method.getFullMethodName() + " " + method.getType())
        .containsExactlyInAnyOrder(
            "kindred.trainer.Trainer/Hello UNARY",
            "kindred.trainer.Trainer/SetWeights CLIENT_STREAMING",
            "kindred.trainer.Trainer/GetWeights SERVER_STREAMING",
            "kindred.trainer.Trainer/Train UNARY",
            "kindred.trainer.Trainer/Evaluate UNARY",
            "kindred.trainer.Trainer/Losses SERVER_STREAMING",
            "kindred.trainer.Trainer/Outputs SERVER_STREAMING");
  }
}

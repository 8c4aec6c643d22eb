package io.kindred.environment.adversary;

import io.kindred.core.config.Catalogue;
import java.util.List;

/** Every behaviour of hostile peers that an experiment file can name. */
public final class Behaviours {
  public static final Catalogue<Behaviour> ALL =
      new Catalogue<>(
          Behaviour.class,
          "behaviour",
          List.of(
              SignFlip.class,
              ScaledNoise.class,
              ConstantModel.class,
              RescaledUpdate.class,
              LabelFlip.class,
              BackDoor.class,
              FreeRider.class,
              SketchLiar.class,
              ScoreLiar.class,
              RoundLiar.class,
              CountLiar.class,
              AnswerForger.class,
              Sybils.class));

  private Behaviours() {}
}

package io.kindred.node.task;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.Safetensors;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The models of a node that can be used for predictions. Every model has weights and a card of its
 * own; {@code model.json} is a copy of the card of the deployed one. So one replaced file deploys a
 * model, and a reader never sees half of one.
 */
public final class ModelStore {
  /** The card of the deployed model. */
  public static final String DEPLOYED = "model.json";

  private static final String CARD_ENDING = ".json";
  private static final String WEIGHTS_ENDING = ".safetensors";
  private static final String HISTORY = "history.jsonl";
  private static final String PINNED = "pinned";

  private final Path folder;

  public ModelStore(Path folder) {
    this.folder = folder;
  }

  /** A model that is kept. */
  public record KeptCard(String name, PredictorCard card, boolean deployed, boolean pinned) {}

  /**
   * A line of the history.
   *
   * @param action deployed, kept (the deployed model stays) or chosen (by the operator)
   */
  private record Decision(String time, String action, String model, String reason) {}

  /** The card of the deployed model, if there is one. */
  public Optional<PredictorCard> deployed() {
    Path file = folder.resolve(DEPLOYED);
    return Files.exists(file) ? Optional.of(PredictorCard.read(file)) : Optional.empty();
  }

  /** The weights of a model. */
  public Mixture weights(PredictorCard card, Layout layout) {
    return card.weights(folder, layout);
  }

  /** All models, the newest first. */
  public List<KeptCard> all() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    Optional<String> current = deployed().map(PredictorCard::name);
    Optional<String> pinned = pinned();
    try (Stream<Path> files = Files.list(folder)) {
      List<KeptCard> cards = new ArrayList<>();
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(CARD_ENDING) && !name.equals(DEPLOYED)) {
          PredictorCard card = PredictorCard.read(file);
          cards.add(
              new KeptCard(
                  card.name(),
                  card,
                  current.equals(Optional.of(card.name())),
                  pinned.equals(Optional.of(card.name()))));
        }
      }
      cards.sort(Comparator.comparing((KeptCard each) -> each.card().made()).reversed());
      return cards;
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot list " + folder, unreadable);
    }
  }

  /** The model that an operator has chosen to stay deployed, if any. */
  public Optional<String> pinned() {
    Path file = folder.resolve(PINNED);
    return Files.exists(file) ? Optional.of(RunFolder.readText(file).strip()) : Optional.empty();
  }

  /** Writes a model without deploying it. */
  public void add(PredictorCard card, Mixture members) {
    try {
      Files.createDirectories(folder);
      List<MixturePart> parts = members.parts();
      for (int i = 0; i < parts.size(); i++) {
        Safetensors.write(folder.resolve(card.members().get(i).file()), parts.get(i).weights());
      }
    } catch (IOException unwritten) {
      throw new UncheckedIOException("cannot write the model to " + folder, unwritten);
    }
    RunFolder.writeText(cardFile(card.name()), Json.document(card));
  }

  private Path cardFile(String name) {
    return folder.resolve(name + CARD_ENDING);
  }

  /** The name of the file of one member of a model. */
  static String weightsFile(String name, int member, int members) {
    return name + (members == 1 ? "" : "-" + (member + 1)) + WEIGHTS_ENDING;
  }

  /** Makes a model the deployed one. */
  public void deploy(PredictorCard card, String reason) {
    RunFolder.writeText(folder.resolve(DEPLOYED), Json.document(card));
    record("deployed", card.name(), reason);
  }

  /** Notes that the deployed model stays, and why. */
  public void keepDeployed(PredictorCard refused, String reason) {
    record("kept", refused.name(), reason);
  }

  /** Deploys a kept model and lets no new one replace it. */
  public void pin(String name) {
    PredictorCard card = require(name);
    RunFolder.writeText(folder.resolve(PINNED), card.name() + "\n");
    RunFolder.writeText(folder.resolve(DEPLOYED), Json.document(card));
    record("chosen", card.name(), "chosen by the operator; it stays until another choice");
  }

  /** Deploys the newest model, and lets newer ones replace it again. Returns its card. */
  public PredictorCard unpin() {
    PredictorCard newest =
        all().stream().findFirst().map(KeptCard::card).orElseThrow(this::noModel);
    try {
      Files.deleteIfExists(folder.resolve(PINNED));
    } catch (IOException locked) {
      throw new UncheckedIOException("cannot delete " + folder.resolve(PINNED), locked);
    }
    RunFolder.writeText(folder.resolve(DEPLOYED), Json.document(newest));
    record(
        "chosen", newest.name(), "the newest, chosen by the operator; newer ones may replace it");
    return newest;
  }

  private PredictorCard require(String name) {
    return all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .map(KeptCard::card)
        .orElseThrow(
            () ->
                new OperatorException(
                    OperatorException.WRONG_USE,
                    "there is no model '%s' in %s; choose one of %s"
                        .formatted(name, folder, all().stream().map(KeptCard::name).toList())));
  }

  private OperatorException noModel() {
    return new OperatorException(
        OperatorException.WRONG_USE,
        "there is no model in " + folder + " yet; a node writes one every few rounds");
  }

  /** Removes the oldest models that are neither deployed nor pinned. */
  public void removeOld(int keep) {
    List<KeptCard> removable =
        all().stream().filter(each -> !each.deployed() && !each.pinned()).toList();
    for (KeptCard each : removable.subList(Math.min(keep, removable.size()), removable.size())) {
      try {
        Files.deleteIfExists(cardFile(each.name()));
        for (PredictorCard.MemberWeights member : each.card().members()) {
          Files.deleteIfExists(folder.resolve(member.file()));
        }
      } catch (IOException locked) {
        throw new UncheckedIOException("cannot remove " + each.name() + " in " + folder, locked);
      }
    }
  }

  private void record(String action, String model, String reason) {
    try {
      Files.writeString(
          folder.resolve(HISTORY),
          Json.line(new Decision(Instant.now().toString(), action, model, reason)) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException unwritten) {
      throw new UncheckedIOException("cannot write " + folder.resolve(HISTORY), unwritten);
    }
  }
}

package io.kindred.methods.pull;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.signature.SignatureState;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes how similar late models are to the own model now: the guard of SemanticDFL's section
 * 3.6. The signatures of late models are computed as their owners would compute them.
 */
@Named("semantic/score-models")
public record ScoreModels(Signature own, List<Weights> models, Weights start, SignatureRule rule)
    implements PureFunction {
  /** A similarity for each model. */
  @Named("semantic/model-scores")
  public record ModelScores(List<Double> similarities) implements Answer {
    public ModelScores {
      similarities = List.copyOf(similarities);
    }
  }

  public ScoreModels {
    models = List.copyOf(models);
  }

  @Override
  public Answer apply() {
    List<Double> similarities = new ArrayList<>();
    for (Weights model : models) {
      Weights subject = rule.subject(model, start);
      similarities.add(own.cosine(SignatureState.first(rule, subject, own.size()).signature()));
    }
    return new ModelScores(similarities);
  }

  @Override
  public long operations() {
    return 8L * start.size() * models.size();
  }
}

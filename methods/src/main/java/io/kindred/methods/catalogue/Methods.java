package io.kindred.methods.catalogue;

import io.kindred.core.config.Catalogue;
import io.kindred.methods.averaging.Dfedavgm;
import io.kindred.methods.averaging.FedAvg;
import io.kindred.methods.baseline.Centralized;
import io.kindred.methods.baseline.Local;
import io.kindred.methods.clustered.Dfca;
import io.kindred.methods.clustered.FedEm;
import io.kindred.methods.clustered.FedSoft;
import io.kindred.methods.clustered.FedSpd;
import io.kindred.methods.clustered.Ifca;
import io.kindred.methods.clustered.PFedMe;
import io.kindred.methods.contract.Method;
import io.kindred.methods.hfl.Hfl;
import io.kindred.methods.kin.Kin;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.mixing.FedAmp;
import io.kindred.methods.mixing.FedProx;
import io.kindred.methods.mixing.PerFedAvg;
import io.kindred.methods.mixing.Pfedwn;
import io.kindred.methods.personal.DFedPgp;
import io.kindred.methods.personal.Ditto;
import io.kindred.methods.personal.PFedGraph;
import io.kindred.methods.pull.ClassSimilarity;
import io.kindred.methods.pull.RandomK;
import io.kindred.methods.pull.SemanticDfl;
import java.util.List;

/**
 * Every method that an experiment file can name. Adding one is a new file, a line here and a row in
 * the docs.
 */
public final class Methods {
  public static final Catalogue<Method> ALL =
      new Catalogue<>(
          Method.class,
          "method",
          List.of(
              Local.class,
              Centralized.class,
              FedAvg.class,
              Dfedavgm.class,
              Dfca.class,
              FedSpd.class,
              Ifca.class,
              FedEm.class,
              FedSoft.class,
              PFedMe.class,
              FedProx.class,
              PerFedAvg.class,
              FedAmp.class,
              Pfedwn.class,
              Kin.class,
              SemanticDfl.class,
              RandomK.class,
              ClassSimilarity.class,
              Ditto.class,
              PFedGraph.class,
              Dpfl.class,
              DFedPgp.class,
              Hfl.class));

  private Methods() {}
}

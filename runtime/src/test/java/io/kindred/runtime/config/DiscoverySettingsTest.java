package io.kindred.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.methods.discovery.ExactDiscovery;
import io.kindred.methods.discovery.NeighbourDiscovery;
import io.kindred.methods.discovery.OverlayDiscovery;
import io.kindred.methods.discovery.PeerDiscoveries;
import io.kindred.methods.discovery.PeerDiscovery;
import io.kindred.methods.discovery.RandomDiscovery;
import io.kindred.methods.discovery.ViewDiscovery;
import io.kindred.methods.mixing.Dpfl;
import io.kindred.methods.mixing.Pfedwn;
import io.kindred.methods.pull.ClassSimilarity;
import io.kindred.methods.pull.RandomK;
import io.kindred.methods.pull.SemanticDfl;
import io.kindred.methods.rounds.PartnerSettings;
import io.kindred.storage.config.ConfigException;
import io.kindred.storage.config.ConfigFile;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The setting {@code discovery} of the methods that pull models, as experiment files write it. */
class DiscoverySettingsTest {
  private static Experiment read(String method, String... assignments) {
    return ExperimentFile.of(
            ConfigFile.parse("file.yaml", "method: " + method + "\n"),
            Optional.empty(),
            List.of(assignments))
        .experiment();
  }

  private static PeerDiscovery discovery(String method, String... assignments) {
    return ((SemanticDfl) read(method, assignments).method()).discovery();
  }

  @Test
  void everyMethodHasItsDefault() {
    assertThat(discovery("semantic-dfl")).isInstanceOf(OverlayDiscovery.class);
    assertThat(((RandomK) read("random-k").method()).discovery())
        .isInstanceOf(RandomDiscovery.class);
    assertThat(((ClassSimilarity) read("class-similarity").method()).discovery())
        .isInstanceOf(ExactDiscovery.class);
    assertThat(((Dpfl) read("dpfl").method()).partners()).isEqualTo(PartnerSettings.NEIGHBOURS);
    assertThat(((Pfedwn) read("pfedwn").method()).partners()).isEqualTo(PartnerSettings.NEIGHBOURS);
  }

  @Test
  void methodsInRoundsHaveTheSameSetting() {
    Dpfl dpfl = (Dpfl) read("{name: dpfl, k: 4, discovery: {name: views, size: 12}}").method();
    assertThat(dpfl.partners().k()).isEqualTo(4);
    assertThat(((ViewDiscovery) dpfl.partners().discovery()).views().size()).isEqualTo(12);
    assertThat(Experiment.keyOf(PeerDiscoveries.ALL)).isEqualTo("method.discovery");
  }

  @Test
  void aNameAloneOrANameWithSettingsIsAChoice() {
    assertThat(discovery("{name: semantic-dfl, discovery: neighbours}"))
        .isInstanceOf(NeighbourDiscovery.class);
    PeerDiscovery views =
        discovery("{name: semantic-dfl, discovery: {name: views, size: 12, sketch: {bytes: 512}}}");
    assertThat(((ViewDiscovery) views).views().size()).isEqualTo(12);
    assertThat(((ViewDiscovery) views).views().sketch().bytes()).isEqualTo(512);
    PeerDiscovery exact =
        discovery("semantic-dfl", "method.discovery={name: exact, comparedBy: weights}");
    assertThat(((ExactDiscovery) exact).comparedBy()).isEqualTo(ExactDiscovery.Similarity.WEIGHTS);
  }

  @Test
  void aSectionWithoutANameChangesTheDefault() {
    OverlayDiscovery overlay =
        (OverlayDiscovery)
            discovery(
                "{name: semantic-dfl, discovery: {zoneShare: 0, maintenance: {leaseSeconds: 5}}}",
                "method.discovery.zoneSize=7");
    assertThat(overlay.zoneShare()).isZero();
    assertThat(overlay.overlay().zoneSize()).isEqualTo(7);
    assertThat(overlay.overlay().maintenance().leaseSeconds()).isEqualTo(5);
  }

  @Test
  void aResolvedExperimentReadsBackAsItself() {
    for (String each :
        List.of(
            "semantic-dfl",
            "{name: semantic-dfl, discovery: views}",
            "random-k",
            "dpfl",
            "{name: pfedwn, discovery: overlay}")) {
      Experiment experiment = read(each);
      String resolved = ExperimentFile.resolvedYaml(experiment);
      assertThat(
              ExperimentFile.of(ConfigFile.parse("resolved", resolved), Optional.empty(), List.of())
                  .experiment())
          .isEqualTo(experiment);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {name: semantic-dfl, search: exact}                       | key 'method.search' is unknown for 'semantic-dfl' (known: pull, discovery)
          {name: semantic-dfl, comparedBy: weights}                 | it belongs under 'method.discovery' of 'exact'
          {name: semantic-dfl, zoneShare: 0}                        | it belongs under 'method.discovery' of 'overlay'
          {name: semantic-dfl, signatureShare: 0.1}                 | it belongs under 'method.discovery' of 'overlay'
          {name: semantic-dfl, reach: {beam: 4}}                    | it belongs under 'method.discovery' of 'overlay'
          {name: semantic-dfl, overlay: {zoneSize: 4}}              | key 'method.overlay' is unknown for 'semantic-dfl'
          {name: semantic-dfl, discovery: {name: views, zoneSize: 4}} | key 'method.discovery.zoneSize' is unknown for 'views'; it is a setting of 'overlay'
          {name: semantic-dfl, discovery: veiws}                    | did you mean 'views'?
          {name: semantic-dfl, discovery: {name: views, sketch: {bytes: 500}}} | power of two
          {name: semantic-dfl, discovery: {name: views, sketch: {of: update}}} | 'method.discovery.sketch.of': a sketch of the `update` cannot be checked
          {name: semantic-dfl, discovery: {name: exact, comparedBy: chance}} | must be one of signature, weights, update
          {name: random-k, discovery: views}                        | 'method.discovery': random-k does not choose peers by similarity; choose `random` or `neighbours`
          {name: class-similarity, discovery: views}                | 'method.discovery': class-similarity compares class counts
          {name: class-similarity, discovery: {comparedBy: weights}} | 'method.discovery.comparedBy': class-similarity compares class counts
          """)
  void aWrongSettingIsToldInOneLineWithItsPlace(String method, String message) {
    assertThatThrownBy(() -> read(method))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("file.yaml:1: ")
        .hasMessageContaining(message)
        .message()
        .satisfies(text -> assertThat(text.lines()).hasSize(1));
  }
}

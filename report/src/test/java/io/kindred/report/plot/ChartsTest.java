package io.kindred.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChartsTest {
  private static final Axis ROUND = Axis.whole("round");
  private static final Axis ACCURACY = Axis.percent("accuracy");

  private static LineChart chart(List<Series> series) {
    return new LineChart("Title", ROUND, ACCURACY, series);
  }

  private static Series line(String name, int position, double... values) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      points.add(new Point(i + 1, values[i], 0.05));
    }
    return new Series(name, SeriesStyle.of(position), points);
  }

  @Test
  void lineChartNamesLinesAtTheirEnds() {
    String svg = chart(List.of(line("first", 0, 0.1, 0.5), line("second", 1, 0.2, 0.9))).svg();
    Xml.parse(svg);
    assertThat(svg).contains(">first</text>", ">second</text>", "k-band");
  }

  @Test
  void lineChartFallsBackToALegendWhereNamesWouldCollide() {
    List<Series> series = IntStream.range(0, 9).mapToObj(i -> line("s" + i, i, 0.4, 0.5)).toList();
    String svg = chart(series).svg();
    Xml.parse(svg);
    assertThat(svg).contains(">s0</text>", ">s8</text>");
    assertThat(Xml.parse(svg).getDocumentElement().getAttribute("height")).isNotEqualTo("380");
  }

  @Test
  void lineChartFallsBackToALegendWhereNamesAreTooLongForTheEnds() {
    String shared = "semantic-dfl (signatureShare=0.123, of=";
    String svg =
        chart(List.of(line(shared + "a)", 0, 0.1, 0.5), line(shared + "b)", 1, 0.2, 0.9))).svg();
    assertThat(svg).contains(">" + shared + "a)</text>", ">" + shared + "b)</text>");
  }

  @Test
  void lineChartSurvivesDegenerateInput() {
    double nan = Double.NaN;
    double infinite = Double.POSITIVE_INFINITY;
    for (List<Series> series :
        List.of(
            List.<Series>of(),
            List.of(new Series("empty", SeriesStyle.of(0), List.of())),
            List.of(line("one", 0, 0.5)),
            List.of(line("constant", 0, 0.5, 0.5, 0.5)),
            List.of(line("gap", 0, 0.5, nan, 0.7, infinite, 0.8)),
            List.of(line("nothing", 0, nan, nan)),
            List.of(line("zero", 0, 0, 0), line("full", 1, 1, 1)))) {
      String svg = chart(series).svg();
      Xml.parse(svg);
      assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
    }
  }

  /**
   * Adjacent cells of equal shade are one piece, and the shades span the values off the diagonal.
   */
  @Test
  void matrixMapShadesByHowAlikeThingsAre() {
    List<double[]> values =
        List.of(new double[] {1, 0.5, 0.1}, new double[] {0.5, 1, 0.1}, new double[] {0.1, 0.1, 1});
    String svg =
        new MatrixMap("Title", "legend", List.of(new MatrixMap.Panel("a", values, List.of(2, 1))))
            .svg();
    Xml.parse(svg);
    assertThat(svg).contains(">0.10</text>", ">0.50   legend</text>");
    assertThat(svg.split("k-median", -1)).as("a rule down and a rule across").hasSize(3);
    assertThat(svg).contains("M0 50H200V150H0Z").contains("fill-opacity=\"0.05\"");
    Xml.parse(new MatrixMap("", "nothing", List.of()).svg());
  }

  @Test
  void gapsBreakTheLine() {
    Series gap = line("gap", 0, 0.1, 0.2, Double.NaN, 0.3, 0.4);
    assertThat(gap.segments()).hasSize(2);
  }

  @Test
  void textIsEscaped() {
    String svg =
        new LineChart("a < b & \"c\"\u0001", ROUND, ACCURACY, List.of(line("<x>", 0, 1, 1))).svg();
    assertThat(Xml.parse(svg).getDocumentElement().getAttribute("aria-label"))
        .isEqualTo("a < b & \"c\"\uFFFD");
    assertThat(svg).contains("&lt;x&gt;").doesNotContain("<x>");
  }

  @Test
  void sameInputGivesTheSameBytes() {
    List<Series> series = List.of(line("first", 0, 0.1, 0.5, 0.6), line("second", 1, 0.2, 0.9));
    assertThat(chart(series).svg()).isEqualTo(chart(series).svg());
  }

  @Test
  void twentyLooksAreDistinct() {
    Set<SeriesStyle> styles =
        new HashSet<>(IntStream.range(0, 20).mapToObj(SeriesStyle::of).toList());
    assertThat(styles).hasSize(20).doesNotContain(SeriesStyle.REFERENCE);
    for (int i = 1; i < 20; i++) {
      assertThat(SeriesStyle.of(i).dash()).isNotEqualTo(SeriesStyle.of(i - 1).dash());
      assertThat(SeriesStyle.of(i).marker()).isNotEqualTo(SeriesStyle.of(i - 1).marker());
    }
  }

  @Test
  void stripPlotDrawsAThousandPeersOfTwentyMethods() {
    List<Double> values = IntStream.range(0, 1000).mapToObj(i -> (i * 37 % 1000) / 1000.0).toList();
    List<Distribution> distributions =
        IntStream.range(0, 20)
            .mapToObj(i -> new Distribution("m" + i, SeriesStyle.of(i), values))
            .toList();
    String svg = new StripPlot("Peers", ACCURACY, distributions).svg();
    Xml.parse(svg);
    assertThat(svg.split("h0", -1)).hasSize(20_001);
    assertThat(svg.length()).isLessThan(700_000);
  }

  @Test
  void longNamesAreWrappedBetweenWords() {
    String name = "fedspd (matching=false, start=together, update=received)";
    assertThat(TextStyle.LABEL.wrappedToWidth(name, 230))
        .containsExactly("fedspd (matching=false,", "start=together, update=received)");
    assertThat(TextStyle.LABEL.wrappedToWidth("local", 1)).containsExactly("local");
    String svg =
        new StripPlot(
                "", ACCURACY, List.of(new Distribution(name, SeriesStyle.of(0), List.of(0.5))))
            .svg();
    assertThat(svg).contains("update=received)");
  }

  @Test
  void stripPlotSurvivesDegenerateInput() {
    for (List<Double> values :
        List.of(List.<Double>of(), List.of(0.5), List.of(0.5, 0.5, 0.5), List.of(Double.NaN))) {
      Xml.parse(
          new StripPlot("", ACCURACY, List.of(new Distribution("m", SeriesStyle.of(0), values)))
              .svg());
    }
    Xml.parse(new StripPlot("", ACCURACY, List.of()).svg());
  }

  @Test
  void quantilesInterpolate() {
    double[] values = {4, 1, 3, 2};
    assertThat(Distribution.quantile(values, 0.5)).isEqualTo(2.5);
    assertThat(Distribution.quantile(values, 0)).isEqualTo(1);
    assertThat(Distribution.quantile(values, 1)).isEqualTo(4);
    assertThat(Distribution.quantile(new double[0], 0.5)).isNaN();
  }

  @Test
  void sortedBarsCountGainersAndLosers() {
    List<SortedBars.Bar> bars =
        List.of(
            new SortedBars.Bar("peer 1", -0.02),
            new SortedBars.Bar("peer 2", 0.1),
            new SortedBars.Bar("peer 3", 0),
            new SortedBars.Bar("peer 4", Double.NaN));
    SortedBars.Panel panel = new SortedBars.Panel("method", bars);
    String svg = new SortedBars("Gains", Axis.points("gain"), List.of(panel)).svg();
    assertThat(svg).contains("1 gain, 1 lose; mean +2.7", "peer 2: +10.0", "peer 1: −2.0");
    assertThat(Xml.count(svg, "title")).isEqualTo(3);
  }

  @Test
  void sortedBarsDrawManyPeersAsTwoShapes() {
    List<SortedBars.Bar> bars =
        IntStream.range(0, 1000)
            .mapToObj(i -> new SortedBars.Bar("p" + i, (i - 500) / 1e3))
            .toList();
    String svg =
        new SortedBars("", Axis.points("gain"), List.of(new SortedBars.Panel("m", bars))).svg();
    assertThat(Xml.count(svg, "path")).isEqualTo(2);
    Xml.parse(new SortedBars("", Axis.points("gain"), List.of()).svg());
  }

  @Test
  void stackedBarsKeepTheOrderOfPartsAndShowTotals() {
    String svg =
        new StackedBars(
                "Time",
                Axis.seconds(""),
                List.of(stack("a", 1, Double.NaN, 2), stack("b", 1, 3, 2), stack("none", 0, 0, 0)))
            .svg();
    Xml.parse(svg);
    assertThat(svg.indexOf(">mixing</text>")).isLessThan(svg.indexOf(">other</text>"));
    assertThat(svg).contains(">3.00 s</text>", ">6.00 s</text>", "mixing: 3.00 s");
  }

  private static StackedBars.Stack stack(String name, double train, double mix, double other) {
    return new StackedBars.Stack(
        name,
        List.of(
            new StackedBars.Part("training", train),
            new StackedBars.Part("mixing", mix),
            new StackedBars.Part("other", other)));
  }

  @Test
  void heatMapDrawsOneCellPerPositiveShare() {
    HeatMap.Row row = new HeatMap.Row("peer 1", List.of(0.0, 3.0, Double.NaN, 1.0));
    String svg = new HeatMap("", "peer", "class", List.of(), List.of(row), 400).svg();
    assertThat(Xml.count(svg, "rect")).isEqualTo(3);
    Xml.parse(new HeatMap("", "peer", "class", List.of(), List.of(), 400).svg());
  }

  @Test
  void columnsHaveTheirNamesSideBySideOrUpright() {
    HeatMap.Row row = new HeatMap.Row("peer 1", List.of(1.0, 3.0));
    String wide = new HeatMap("", "peer", "class", List.of("owl", "wren"), List.of(row), 400).svg();
    assertThat(wide).contains(">owl<", ">wren<").doesNotContain("rotate(");
    String narrow =
        new HeatMap(
                "",
                "peer",
                "class",
                List.of("great grey owl of the north", "wren"),
                List.of(row),
                320)
            .svg();
    assertThat(narrow).contains(">great grey owl of the…<", "rotate(-90");
    Xml.parse(narrow);
  }

  @Test
  void aConfusionIsShadedByTheShareOfItsClassAndNamed() {
    ConfusionMap.Panel panel =
        new ConfusionMap.Panel("kin <1>", List.of(new long[] {90, 10}, new long[] {0, 4}));
    String svg = new ConfusionMap("", List.of("owl & co", "wren"), List.of(panel), 600).svg();
    Xml.parse(svg);
    assertThat(svg)
        .contains("owl &amp; co taken for wren: 10", ">kin &lt;1&gt;<", ">90<", ">true class<")
        // 4 of 4 wrens are as dark as can be, 90 of 100 owls are a little lighter.
        .contains("fill-opacity=\"1\"", "fill-opacity=\"0.91\"", "fill-opacity=\"0.15\"")
        .doesNotContain("wren taken for owl");
    List<String> many = IntStream.range(0, 200).mapToObj(i -> "class " + i).toList();
    List<long[]> rows = IntStream.range(0, 200).mapToObj(_ -> new long[200]).toList();
    Xml.parse(new ConfusionMap("", many, List.of(new ConfusionMap.Panel("x", rows)), 600).svg());
  }

  @Test
  void icicleDrawsEveryBlockAsWideAsWhatItHolds() {
    IcicleChart.Block small = new IcicleChart.Block("s", "small", 1, List.of());
    IcicleChart.Block large = new IcicleChart.Block("l", "large <1>", 3, List.of());
    IcicleChart.Block top =
        new IcicleChart.Block(
            "a name too long for a block of this width, by far, whatever the letters",
            "top",
            0,
            List.of(small, large));
    String svg = new IcicleChart("", "peers", List.of(), List.of(top), 416).svg();
    assertThat(Xml.count(svg, "rect")).isEqualTo(4);
    assertThat(svg).contains("width=\"399\"").contains("width=\"99\"").contains("width=\"299\"");
    Xml.parse(new IcicleChart("", "peers", List.of("level 1"), List.of(), 400).svg());
  }
}

package io.kindred.studies.fuzz;

import io.kindred.environment.fault.Faults;
import io.kindred.environment.fault.FaultsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;

/** The rates of faults, each of which can be zero. */
final class FaultRates {
  private record Rate(
      String name,
      ToDoubleFunction<Faults> value,
      BiFunction<FaultsBuilder, Double, FaultsBuilder> change) {}

  private static final List<Rate> ALL =
      List.of(
          new Rate("loss", Faults::loss, FaultsBuilder::loss),
          new Rate("duplicate", Faults::duplicate, FaultsBuilder::duplicate),
          new Rate("delay", Faults::delay, FaultsBuilder::delay),
          new Rate("corrupt", Faults::corrupt, FaultsBuilder::corrupt),
          new Rate("misreport", Faults::misreport, FaultsBuilder::misreport),
          new Rate("crashes", Faults::crashes, FaultsBuilder::crashes),
          new Rate("forgetful", Faults::forgetful, FaultsBuilder::forgetful),
          new Rate("pauses", Faults::pauses, FaultsBuilder::pauses),
          new Rate("slow", Faults::slow, FaultsBuilder::slow),
          new Rate("splits", Faults::splits, FaultsBuilder::splits),
          new Rate("cuts", Faults::cuts, FaultsBuilder::cuts),
          new Rate("drift", Faults::drift, FaultsBuilder::drift),
          new Rate("serverCrashes", Faults::serverCrashes, FaultsBuilder::serverCrashes),
          new Rate(
              "serverStopSeconds", Faults::serverStopSeconds, FaultsBuilder::serverStopSeconds));

  private FaultRates() {}

  /** The faults without one of the kinds, for each kind that there is. */
  static List<Faults> withoutOne(Faults faults) {
    List<Faults> fewer = new ArrayList<>();
    for (Rate rate : ALL) {
      if (rate.value().applyAsDouble(faults) > 0) {
        fewer.add(rate.change().apply(FaultsBuilder.from(faults), 0.0).build());
      }
    }
    return fewer;
  }

  /** The kinds that there are, with their rates. */
  static String text(Faults faults) {
    List<String> kinds =
        ALL.stream()
            .filter(rate -> rate.value().applyAsDouble(faults) > 0)
            .map(rate -> rate.name() + " " + rate.value().applyAsDouble(faults))
            .toList();
    return kinds.isEmpty() ? "none" : String.join(", ", kinds);
  }
}

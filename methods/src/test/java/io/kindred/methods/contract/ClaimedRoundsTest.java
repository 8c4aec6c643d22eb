package io.kindred.methods.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimedRoundsTest {
  @Test
  void severalClaimsCountByTheirLowerMedian() {
    assertThat(ClaimedRounds.reached(List.of(9, 20), 1, 20)).isEqualTo(9);
    assertThat(ClaimedRounds.reached(List.of(20, 1, 2), 1, 20)).isEqualTo(2);
    assertThat(ClaimedRounds.reached(List.of(20, 20), 1, 20)).isEqualTo(20);
    assertThat(ClaimedRounds.reached(List.of(), 1, 20)).isZero();
  }

  @Test
  void aClaimThatStandsAloneMovesAPeerByATenthOfTheRunAtMost() {
    assertThat(ClaimedRounds.reached(List.of(200), 1, 200)).isEqualTo(21);
    assertThat(ClaimedRounds.reached(List.of(20), 1, 20)).isEqualTo(3);
    assertThat(ClaimedRounds.reached(List.of(2), 1, 20)).isEqualTo(2);
    assertThat(ClaimedRounds.reached(List.of(5), 7, 20)).isEqualTo(5);
  }

  @Test
  void aClaimThatStandsAloneNeverMovesAPeerIntoTheLastRound() {
    assertThat(ClaimedRounds.reached(List.of(20), 18, 20)).isEqualTo(19);
    assertThat(ClaimedRounds.reached(List.of(20), 19, 20)).isEqualTo(19);
    assertThat(ClaimedRounds.reached(List.of(Integer.MAX_VALUE), 1, 2)).isEqualTo(1);
  }
}

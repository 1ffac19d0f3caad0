// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.manifest.NewestSearch.Found;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The newest of consecutive numbers is found with few probes, even while more appear. */
class NewestSearchTest {
  private final List<Long> probes = new ArrayList<>();
  private long oldest = 1;
  private long newest;
  private long growth;

  private final NewestSearch<String> search = new NewestSearch<>(this::probe);

  private Optional<String> probe(long number) {
    probes.add(number);
    Optional<String> found =
        number >= oldest && number <= newest ? Optional.of("#" + number) : Optional.empty();
    newest += growth;
    return found;
  }

  private static int log2(long number) {
    return Long.SIZE - Long.numberOfLeadingZeros(number);
  }

  @Test
  void theNewestAboveAKnownOneIsFoundInTwiceTheLogarithmOfTheDistance() throws IOException {
    for (long known = 0; known < 40; known++) {
      for (long distance = 1; distance < 300; distance++) {
        newest = known + distance;
        probes.clear();
        assertThat(search.above(known)).contains(new Found<>(newest, "#" + newest));
        assertThat(probes).hasSizeLessThanOrEqualTo(2 * log2(distance) + 2).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void aDistanceOfFortyBitsTakesEightyProbes() throws IOException {
    newest = 1L << 40;
    assertThat(search.above(0)).map(Found::number).contains(1L << 40);
    assertThat(probes).hasSizeLessThanOrEqualTo(82);
  }

  @Test
  void nothingAboveTakesOneProbe() throws IOException {
    newest = 7;
    assertThat(search.above(7)).isEmpty();
    assertThat(probes).containsExactly(8L);
    assertThat(search.above(100)).isEmpty();
  }

  @Test
  void aRecentOneAtMostFourBehindTakesThreeProbes() throws IOException {
    for (long behind = 0; behind <= 4; behind++) {
      newest = 100;
      probes.clear();
      assertThat(search.near(100 - behind)).contains(new Found<>(100, "#100"));
      assertThat(probes).as("%d behind", behind).hasSizeLessThanOrEqualTo(3);
    }
  }

  @Test
  void aRecentOneFarBehindIsAsGoodAsAKnownOne() throws IOException {
    for (long behind = 5; behind < 500; behind++) {
      newest = 1_000;
      probes.clear();
      assertThat(search.near(1_000 - behind)).map(Found::number).contains(1_000L);
      assertThat(probes).hasSizeLessThanOrEqualTo(2 * log2(behind) + 3);
    }
  }

  @Test
  void aRecentOneThatIsNotThereGivesNothing() throws IOException {
    newest = 100;
    assertThat(search.near(103)).isEmpty();
    assertThat(probes).hasSizeLessThanOrEqualTo(3);
    assertThat(search.near(101)).isEmpty();
    assertThat(search.near(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void aRecentOneThatWasDeletedIsNoHindranceIfItsSuccessorsAreThere() throws IOException {
    oldest = 50;
    newest = 60;
    assertThat(search.near(48)).map(Found::number).contains(60L);
    assertThat(search.near(49)).map(Found::number).contains(60L);
  }

  @Test
  void whatIsFoundWasTheNewestAtSomeMomentOfTheSearch() throws IOException {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      long start = 1L + random.nextInt(1_000);
      newest = start;
      growth = random.nextInt(3);
      long found = search.above(random.nextInt((int) start)).orElseThrow().number();
      assertThat(found).as("seed %d", seed).isBetween(start, newest);
      growth = 0;
    }
  }
}

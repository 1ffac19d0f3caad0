// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli.soak;

import io.lakestream.cli.soak.Strike.Action;
import io.lakestream.cli.soak.Strike.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Who is struck, when and how: a function of the settings, of which the seed is one. */
final class StrikePlan {
  /** One strike a second on average: what was struck needs that time to get to work again. */
  private static final int GAP_MILLIS_MIN = 500;

  private static final int GAP_MILLIS_MAX = 1_500;

  /** A producer that sleeps for so long is passed by hundreds of versions. */
  private static final int SLEEP_MILLIS_MIN = 2_000;

  private static final int SLEEP_MILLIS_MAX = 8_000;

  /** A rank that sleeps soon holds back its job, then reclamation, then all producers. */
  private static final int NAP_MILLIS_MIN = 300;

  private static final int NAP_MILLIS_MAX = 3_000;

  private StrikePlan() {}

  /** The strikes of a soak, in order. */
  static List<Strike> of(SoakSettings settings) {
    SplittableRandom random = new SplittableRandom(settings.seed());
    List<Strike> strikes = new ArrayList<>();
    long atMillis = gap(random);
    while (atMillis < settings.chaosMillis()) {
      strikes.add(strike(settings, atMillis, random));
      atMillis += gap(random);
    }
    return strikes;
  }

  private static int gap(SplittableRandom random) {
    return random.nextInt(GAP_MILLIS_MIN, GAP_MILLIS_MAX + 1);
  }

  private static Strike strike(SoakSettings settings, long atMillis, SplittableRandom random) {
    Kind kind = kind(random.nextInt(100));
    int index = random.nextInt(settings.count(kind));
    Action action = action(kind, random.nextInt(100));
    long pauseMillis = 0;
    if (action != Action.KILL) {
      pauseMillis =
          kind == Kind.RANK
              ? random.nextInt(NAP_MILLIS_MIN, NAP_MILLIS_MAX)
              : random.nextInt(SLEEP_MILLIS_MIN, SLEEP_MILLIS_MAX);
    }
    return new Strike(atMillis, kind, index, action, pauseMillis);
  }

  /** Ranks less often than producers: the kill of one starts all of its job again. */
  private static Kind kind(int percent) {
    if (percent < 55) {
      return Kind.PRODUCER;
    }
    return percent < 80 ? Kind.RANK : Kind.RECLAIMER;
  }

  /** Only producers are replaced while they sleep; ranks are when another rank of theirs dies. */
  private static Action action(Kind kind, int percent) {
    if (kind == Kind.PRODUCER && percent < 25) {
      return Action.REPLACE;
    }
    return percent < 60 ? Action.PAUSE : Action.KILL;
  }
}

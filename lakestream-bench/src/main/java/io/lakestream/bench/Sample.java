// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.bench;

import java.util.List;

/**
 * Some measured values of one thing.
 *
 * @param values the values, which are kept in ascending order; not empty
 */
public record Sample(List<Double> values) {
  public Sample {
    values = values.stream().sorted().toList();
    if (values.isEmpty()) {
      throw new IllegalArgumentException("a sample has at least one value");
    }
  }

  /** The arithmetic mean. */
  public double mean() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  /** The median: the mean of the two in the middle if they are even in number. */
  public double median() {
    int middle = values.size() / 2;
    boolean isOdd = values.size() % 2 == 1;
    return isOdd ? values.get(middle) : (values.get(middle - 1) + values.get(middle)) / 2;
  }

  /** The smallest value that at least this share of the values does not exceed. */
  public double quantile(double share) {
    int rank = (int) Math.ceil(share * values.size());
    return values.get(Math.min(values.size(), Math.max(1, rank)) - 1);
  }
}

// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import io.lakestream.sim.Scenario;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the name of a scenario from an argument. */
final class ScenarioText implements ITypeConverter<Scenario> {
  @Override
  public Scenario convert(String text) {
    return List.of(Scenario.values()).stream()
        .filter(scenario -> scenario.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is none of the scenarios %s"
                        .formatted(text, List.of(Scenario.values()))));
  }
}

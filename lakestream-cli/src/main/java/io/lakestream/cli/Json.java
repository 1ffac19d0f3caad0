// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.EnumNaming;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lakestream.model.Pin;
import io.lakestream.model.Promise;
import java.util.List;
import java.util.stream.Collectors;

/** Records as JSON, under the names of their components. */
public final class Json {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addMixIn(Promise.Kind.class, InCamelCase.class)
          .addMixIn(Pin.Holder.class, InCamelCase.class)
          .build();

  /** For enums whose names are printed like those of fields. */
  @EnumNaming(EnumNamingStrategies.LowerCamelCaseStrategy.class)
  private interface InCamelCase {}

  private Json() {}

  /** A value on one line. */
  public static String line(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new AssertionError("a record has no form in JSON", e);
    }
  }

  /** A value laid out for people who look at it. */
  static String pretty(Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new AssertionError("a record has no form in JSON", e);
    }
  }

  /** A list with a line for each value. */
  public static String list(List<?> values) {
    return values.stream().map(Json::line).collect(Collectors.joining(",\n", "[\n", "\n]"));
  }

  /** The value in a text. */
  static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }
}

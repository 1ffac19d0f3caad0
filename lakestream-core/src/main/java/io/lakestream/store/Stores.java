// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.store;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.StoreUnavailable;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Opens stores by their URI, with the {@link StoreProvider}s that are on the class or module path.
 */
public final class Stores {

  /**
   * A scheme has two letters at least, so that a path with a drive letter is not mistaken for one.
   */
  private static final Pattern WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private static final Pattern WITH_OPTIONS = Pattern.compile(".*\\?[A-Za-z]+=.*");

  /** Remembers what it found; not safe for use by several threads. */
  private static final ServiceLoader<StoreProvider> OWN =
      ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader());

  private Stores() {}

  /**
   * The URI of a place as people write it: a URI, or else the path of a folder, absolute or
   * relative to the working directory. A path is taken literally; one that looks as if it had
   * options is refused, since only a URI has any.
   *
   * @throws InvalidRequest if it is neither
   */
  public static URI uri(String place) {
    if (place.isBlank()) {
      throw new InvalidRequest("the place of the store is empty; give a URI or a folder");
    }
    boolean hasScheme = WITH_SCHEME.matcher(place).matches();
    if (!hasScheme && WITH_OPTIONS.matcher(place).matches()) {
      throw new InvalidRequest(
          ("'%s' is a path, which has no options: write a URI, such as"
                  + " file:///runs/a?durability=none")
              .formatted(place));
    }
    try {
      return hasScheme
          ? new URI(place)
          : new URI("file", "", Path.of(place).toAbsolutePath().normalize().toString(), null);
    } catch (URISyntaxException | InvalidPathException e) {
      throw new InvalidRequest(
          "'" + place + "' is neither a URI nor a path: " + e.getMessage() + "; give one of them");
    }
  }

  /**
   * Opens the store at a place as people write it: see {@link #uri}.
   *
   * @throws InvalidRequest if the place cannot be meant so; the message says what to change
   * @throws StoreUnavailable if the place cannot be reached or used
   */
  public static ObjectStore open(String place) {
    return open(uri(place));
  }

  /**
   * Opens the store at {@code uri}.
   *
   * @throws InvalidRequest if no provider knows the scheme, or its provider refuses the URI
   * @throws StoreUnavailable if the place cannot be reached or used
   */
  public static ObjectStore open(URI uri) {
    StoreProvider provider = provider(uri);
    try {
      return provider.open(uri);
    } catch (IllegalArgumentException e) {
      throw new InvalidRequest("cannot open the store " + shown(uri) + ": " + e.getMessage());
    } catch (IOException e) {
      throw new StoreUnavailable("cannot open the store " + shown(uri) + ": " + e.getMessage(), e);
    }
  }

  /** A URI without what may be a secret that does not belong there. */
  private static String shown(URI uri) {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    boolean hasUser = authority.contains("@");
    boolean isPlain = uri.getRawQuery() == null && !hasUser;
    return isPlain
        ? uri.toString()
        : "%s://%s%s"
            .formatted(
                uri.getScheme(),
                authority.substring(authority.lastIndexOf('@') + 1),
                uri.getRawPath());
  }

  private static StoreProvider provider(URI uri) {
    String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
    TreeSet<String> known = new TreeSet<>();
    for (StoreProvider provider : providers()) {
      if (provider.scheme().equals(scheme)) {
        return provider;
      }
      known.add(provider.scheme());
    }
    throw new InvalidRequest(
        "no store is known for the scheme '"
            + scheme
            + "' of "
            + uri
            + "; known are: "
            + String.join(", ", known)
            + ". Correct the URI, add the module of that store to the class path, or write ./"
            + uri
            + " if a folder is meant");
  }

  /**
   * The application's providers, then ours: a framework's threads may know only one of the two.
   * Those beside this class are looked for once, since that reads every jar of the class path.
   */
  private static List<StoreProvider> providers() {
    ClassLoader own = Stores.class.getClassLoader();
    ClassLoader application = Thread.currentThread().getContextClassLoader();
    List<StoreProvider> providers = new ArrayList<>();
    if (application != own) {
      ServiceLoader.load(StoreProvider.class, application).forEach(providers::add);
    }
    synchronized (OWN) {
      OWN.forEach(providers::add);
    }
    return providers;
  }
}

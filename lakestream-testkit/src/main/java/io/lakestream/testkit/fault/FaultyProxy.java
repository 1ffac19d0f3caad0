// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.runtime.Clock;
import io.lakestream.runtime.Environment;
import io.lakestream.runtime.Tasks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Stands on loopback between a client and a server that speak HTTP/1.1, and breaks what passes by
 * as its rules say; so a store's client meets real sockets that break. All else passes byte for
 * byte, the {@code Host} header too, so that signatures hold. It reads no encrypted connections.
 *
 * <p>The first rule that matches a request and whose chance says so strikes it. Chance comes from a
 * seed; with several connections at once it also matters which is first. Safe for use by several
 * threads.
 */
public final class FaultyProxy implements Closeable {
  private static final System.Logger LOG = System.getLogger(FaultyProxy.class.getName());

  /** Twice as many as a client of a store holds; more wait until one ends. */
  private static final int CONNECTIONS_MAX = 256;

  private final InetSocketAddress server;
  private final Refusal refusal;
  private final Environment environment;
  private final long seed;
  private final ServerSocket listener;
  private final SplittableRandom random;
  private final List<WireRule> rules = new ArrayList<>();
  private final Map<WireFault, Long> counts = new EnumMap<>(WireFault.class);
  private final List<Open> open = new ArrayList<>();
  private final Tasks.Task acceptor;
  private long requests;
  private boolean isClosed;

  /** A connection and its thread. */
  private static final class Open {
    private final ProxiedConnection connection;
    private Tasks.@Nullable Task task;

    Open(ProxiedConnection connection) {
      this.connection = connection;
    }
  }

  private FaultyProxy(
      InetSocketAddress server,
      Refusal refusal,
      long seed,
      Environment environment,
      ServerSocket listener) {
    this.server = server;
    this.refusal = refusal;
    this.environment = environment;
    this.seed = seed;
    this.listener = listener;
    this.random = new SplittableRandom(seed);
    this.acceptor = environment.tasks().start("faulty-proxy", this::accept);
  }

  /**
   * Begins to listen, without any rule.
   *
   * @param server where requests are passed on to
   * @param refusal how requests are refused
   * @param seed decides what chance decides
   */
  public static FaultyProxy start(InetSocketAddress server, Refusal refusal, long seed)
      throws IOException {
    return start(server, refusal, seed, Environment.system());
  }

  /** As {@link #start(InetSocketAddress, Refusal, long)}, with a clock of the caller's choice. */
  public static FaultyProxy start(
      InetSocketAddress server, Refusal refusal, long seed, Environment environment)
      throws IOException {
    ServerSocket listener = new ServerSocket(0, CONNECTIONS_MAX, InetAddress.getLoopbackAddress());
    LOG.log(System.Logger.Level.INFO, "a faulty proxy before {0} has the seed {1}", server, seed);
    return new FaultyProxy(server, refusal, seed, environment, listener);
  }

  /** Where clients find it. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** What decides what chance decides. */
  public long seed() {
    return seed;
  }

  /** Adds a rule behind the others. */
  public synchronized void add(WireRule rule) {
    rules.add(rule);
  }

  /** From now on nothing goes wrong. What is held up already goes on when its time has come. */
  public synchronized void heal() {
    rules.clear();
  }

  /** How many requests came. */
  public synchronized long requests() {
    return requests;
  }

  /** How often a fault struck. */
  public synchronized long count(WireFault fault) {
    return counts.getOrDefault(fault, 0L);
  }

  /** What goes wrong with a request, if anything does. */
  synchronized Optional<WireRule> next(HttpHead request) {
    requests++;
    for (WireRule rule : rules) {
      if (rule.matches(request.method(), request.target()) && random.nextDouble() < rule.chance()) {
        counts.merge(rule.fault(), 1L, Long::sum);
        return Optional.of(rule);
      }
    }
    return Optional.empty();
  }

  /** How long a rule holds something up this time. */
  synchronized long millis(WireRule rule) {
    boolean isRandom = rule.fault() == WireFault.DELAYED;
    return isRandom ? random.nextLong(rule.millis() + 1) : rule.millis();
  }

  Refusal refusal() {
    return refusal;
  }

  Clock clock() {
    return environment.clock();
  }

  private void accept() {
    try {
      while (true) {
        awaitRoom();
        begin(listener.accept());
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "the proxy accepts no more connections", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitRoom() throws InterruptedException {
    while (open.size() >= CONNECTIONS_MAX) {
      wait();
    }
  }

  private synchronized void begin(Socket client) throws IOException {
    Open next = new Open(new ProxiedConnection(this, client, server));
    if (isClosed) {
      next.connection.close();
      return;
    }
    open.add(next);
    next.task = environment.tasks().start("faulty-proxy-connection", () -> run(next));
  }

  private void run(Open own) {
    try (ProxiedConnection connection = own.connection) {
      connection.run();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "a connection broke", e);
    } finally {
      end(own);
    }
  }

  private synchronized void end(Open own) {
    open.remove(own);
    notifyAll();
  }

  private synchronized List<Open> closeAll() {
    isClosed = true;
    return List.copyOf(open);
  }

  /** Breaks all connections, and waits until their threads have ended. */
  @Override
  public void close() throws IOException {
    listener.close();
    List<Open> left = closeAll();
    try {
      acceptor.interrupt();
      acceptor.join();
      for (Open each : left) {
        each.connection.close();
        if (each.task != null) {
          each.task.interrupt();
          each.task.join();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the proxy was closed");
    }
  }
}

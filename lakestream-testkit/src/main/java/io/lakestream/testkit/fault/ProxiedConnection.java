// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection and the server's behind it, for use by one thread; closed by any. What a
 * client sends early, before the reply to what it sent last, waits.
 */
final class ProxiedConnection implements Closeable {
  /** How long a server may think about whether it wants a body, before the body is sent anyway. */
  private static final int CONTINUE_MILLIS = 1_000;

  private final FaultyProxy proxy;
  private final Socket client;
  private final InetSocketAddress address;
  private volatile @Nullable Server server;

  ProxiedConnection(FaultyProxy proxy, Socket client, InetSocketAddress address) {
    this.proxy = proxy;
    this.client = client;
    this.address = address;
  }

  /** A connection to the server. */
  private static final class Server implements Closeable {
    private final SocketChannel channel;
    private final InputStream in;
    private final BreakableOutput out;

    Server(InetSocketAddress address) throws IOException {
      channel = SocketChannel.open(address);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      in = new BufferedInputStream(channel.socket().getInputStream());
      out = new BreakableOutput(channel.socket().getOutputStream());
    }

    /** Whether the server still listens, as far as can be seen; nothing of it is unread. */
    boolean isUsable() throws IOException {
      channel.configureBlocking(false);
      try {
        return channel.isOpen() && channel.read(ByteBuffer.allocate(1)) == 0;
      } finally {
        channel.configureBlocking(true);
      }
    }

    /** Waits a while for a reply. */
    boolean hasReply() throws IOException {
      channel.socket().setSoTimeout(CONTINUE_MILLIS);
      in.mark(1);
      try {
        int ignored = in.read();
        in.reset();
        return true;
      } catch (SocketTimeoutException e) {
        return false;
      } finally {
        channel.socket().setSoTimeout(0);
      }
    }

    HttpHead readHead() throws IOException {
      return HttpHead.read(in).orElseThrow(() -> new EOFException("the server sent no reply"));
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  /** Passes requests on until one of the sides, or a fault, ends the connection. */
  void run() throws IOException {
    client.setTcpNoDelay(true);
    InputStream in = new BufferedInputStream(client.getInputStream());
    Optional<HttpHead> request = HttpHead.read(in);
    while (request.isPresent() && exchange(request.get(), in)) {
      request = HttpHead.read(in);
    }
  }

  /** Passes on one request and its reply. Whether the connection goes on. */
  private boolean exchange(HttpHead request, InputStream in) throws IOException {
    Optional<WireRule> rule = proxy.next(request);
    WireFault fault = rule.map(WireRule::fault).orElse(null);
    if (fault == WireFault.REFUSED) {
      return refuse(request, in);
    }
    if (fault == WireFault.STALLED_REQUEST || fault == WireFault.DELAYED) {
      pause(proxy.millis(rule.orElseThrow()));
    }
    HttpBody body = HttpBody.ofRequest(request);
    if (fault == WireFault.CUT_REQUEST && body.isEmpty()) {
      return false;
    }
    Server to = connected();
    to.out.write(request.bytes());
    Optional<HttpHead> early = Optional.empty();
    if (request.has("expect", "100-continue")) {
      early = awaitContinue(to);
    }
    if (early.isEmpty() && fault != WireFault.CUT_REQUEST) {
      body.relay(in, to.out);
    } else if (early.isEmpty()) {
      body.relayHalf(in, to.out);
    }
    if (fault == WireFault.CUT_REQUEST) {
      return false;
    }
    HttpHead reply = early.isPresent() ? early.get() : finalHead(to);
    if (fault == WireFault.STALLED_REPLY) {
      pause(proxy.millis(rule.orElseThrow()));
    }
    return reply(request, reply, to, fault) && early.isEmpty();
  }

  private boolean refuse(HttpHead request, InputStream in) throws IOException {
    boolean isBodyHeldBack = request.has("expect", "100-continue");
    if (!isBodyHeldBack) {
      HttpBody.ofRequest(request).relay(in, OutputStream.nullOutputStream());
    }
    client.getOutputStream().write(proxy.refusal().reply(request.method()));
    return !isBodyHeldBack && !request.isLast();
  }

  /** Lets the client send its body if the server wants it; else the server's reply. */
  private Optional<HttpHead> awaitContinue(Server to) throws IOException {
    if (!to.hasReply()) {
      return Optional.empty();
    }
    HttpHead reply = to.readHead();
    if (reply.status() >= 200) {
      return Optional.of(reply);
    }
    client.getOutputStream().write(reply.bytes());
    return Optional.empty();
  }

  /** The head of the reply; what the server says before it is passed on. */
  private HttpHead finalHead(Server from) throws IOException {
    HttpHead reply = from.readHead();
    while (reply.status() < 200) {
      client.getOutputStream().write(reply.bytes());
      reply = from.readHead();
    }
    return reply;
  }

  private boolean reply(HttpHead request, HttpHead reply, Server from, @Nullable WireFault fault)
      throws IOException {
    HttpBody body = HttpBody.ofReply(reply, request.method());
    boolean isLost =
        fault == WireFault.LOST_REPLY || (fault == WireFault.CUT_REPLY && body.isEmpty());
    if (isLost) {
      body.relay(from.in, OutputStream.nullOutputStream());
      return false;
    }
    OutputStream out = client.getOutputStream();
    out.write(reply.bytes());
    if (fault == WireFault.CUT_REPLY) {
      body.relayHalf(from.in, out);
      return false;
    }
    body.relay(from.in, out);
    return !request.isLast()
        && !reply.isLast()
        && body.framing() != HttpBody.Framing.CLOSE
        && !from.out.isBroken();
  }

  /** A server closes a connection that was idle for long; its client would have noticed. */
  private Server connected() throws IOException {
    Server known = server;
    if (known != null && known.isUsable()) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    Server opened = new Server(address);
    server = opened;
    return opened;
  }

  private void pause(long millis) throws InterruptedIOException {
    try {
      proxy.clock().sleep(TimeUnit.MILLISECONDS.toNanos(millis));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the proxy is closed");
    }
  }

  /** Ends it from outside, whatever it is doing. */
  @Override
  public void close() throws IOException {
    try {
      Server known = server;
      if (known != null) {
        known.close();
      }
    } finally {
      client.close();
    }
  }

  /**
   * Swallows what the server does not take any more: a server may answer before it has read all,
   * and its answer is what counts.
   */
  private static final class BreakableOutput extends OutputStream {
    private final OutputStream out;
    private boolean isBroken;

    BreakableOutput(OutputStream out) {
      this.out = out;
    }

    boolean isBroken() {
      return isBroken;
    }

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      try {
        if (!isBroken) {
          out.write(bytes, offset, length);
        }
      } catch (IOException e) {
        isBroken = true;
      }
    }
  }
}

// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.testkit.fault;

import io.lakestream.store.ThrottledException;
import io.lakestream.store.TransientStoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/**
 * What goes wrong with one call. Each is something that a store, its client or the network between
 * them was seen to do.
 */
public interface Fault {

  /** Makes the call in its way. */
  <T> T strike(Request<T> request) throws IOException;

  /** It has no effect and the store says so: another attempt may succeed (429, 503). */
  record Throttled() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      throw new ThrottledException(request.name() + ": slow down");
    }
  }

  /**
   * Its key is taken, and it has no effect; but all that the store says is that too many change one
   * object (429). On a key that is free nothing goes wrong.
   */
  record Contested() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      if (request.isTaken()) {
        throw new TransientStoreException(request.name() + ": too many change this object");
      }
      return request.make();
    }
  }

  /** It has no effect and the store says so: another attempt will not succeed (403). */
  record Denied() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      throw new IOException(request.name() + ": denied");
    }
  }

  /** It has no effect, and the answer decides nothing (a 409, a time-out before it was sent). */
  record Undecided() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.unanswered("undecided");
    }
  }

  /** It takes effect, and the answer is lost. */
  record LostReply() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      T unused = request.make();
      return request.unanswered("the reply was lost");
    }
  }

  /**
   * The caller gives up; the request takes effect later, whatever has happened meanwhile.
   *
   * @param afterNanos how much later
   */
  record Late(long afterNanos) implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      request.makeLater(afterNanos);
      return request.unanswered("timed out");
    }
  }

  /** The client sends it again after it took effect; the answer is that to the second. */
  record Resent() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      T unused = request.make();
      return request.make();
    }
  }

  /**
   * It takes effect and is answered; a copy of it arrives later.
   *
   * @param afterNanos how much later
   */
  record Duplicated(long afterNanos) implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      T answer = request.make();
      request.makeLater(afterNanos);
      return answer;
    }
  }

  /**
   * It takes long.
   *
   * @param nanos how much longer
   */
  record Slow(long nanos) implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      request.sleep(nanos);
      return request.make();
    }
  }

  /** The caller dies before it has an effect. */
  record CrashBefore() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      request.crash();
      return request.unanswered("the caller is dead");
    }
  }

  /** The caller dies after it took effect, before it learns of it. */
  record CrashAfter() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      T unused = request.make();
      request.crash();
      return request.unanswered("the caller is dead");
    }
  }

  /** A read brings less than was asked for and is there. */
  record ShortBody() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithBody(bytes -> bytes.slice(bytes.position(), bytes.remaining() / 2));
    }
  }

  /** A read brings more than was asked for. */
  record LongBody() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithBody(
          bytes -> {
            byte[] longer = new byte[bytes.remaining() + 1];
            bytes.duplicate().get(longer, 0, bytes.remaining());
            return ByteBuffer.wrap(longer);
          });
    }
  }

  /** The store leaves the range aside and sends the whole object (200 in place of 206). */
  record IgnoredRange() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithoutRange();
    }
  }

  /**
   * A read brings again what one of the last reads of that key brought, as something in between
   * kept it. Only for objects that are replaced: a store that does so with others breaks its
   * promises.
   */
  final class Stale implements Fault {
    private static final int KEPT_MAX = 4;

    private final Map<String, Queue<ByteBuffer>> kept = new TreeMap<>();

    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithBody(bytes -> oldest(request.key(), bytes));
    }

    private synchronized ByteBuffer oldest(String key, ByteBuffer newest) {
      Queue<ByteBuffer> seen = kept.computeIfAbsent(key, k -> new ArrayDeque<>());
      if (seen.size() == KEPT_MAX) {
        ByteBuffer unused = seen.remove();
      }
      seen.add(copy(newest));
      return copy(seen.element());
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
      return ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate()).flip();
    }
  }

  /**
   * A listing comes in any order and in small pages, some of them empty though more follow.
   *
   * @param seed decides the order
   * @param keysMax keys of a page, at most
   */
  record SmallPages(long seed, int keysMax) implements Fault {
    public SmallPages {
      if (keysMax < 1) {
        throw new IllegalArgumentException("pages of %d keys never end".formatted(keysMax));
      }
    }

    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeInPages(seed, keysMax);
    }
  }

  /** One bit of what a read brings is another. */
  record FlippedBit() implements Fault {
    @Override
    public <T> T strike(Request<T> request) throws IOException {
      return request.makeWithBody(
          bytes -> {
            byte[] flipped = new byte[bytes.remaining()];
            bytes.duplicate().get(flipped);
            if (flipped.length > 0) {
              flipped[flipped.length / 2] ^= 1;
            }
            return ByteBuffer.wrap(flipped);
          });
    }
  }
}

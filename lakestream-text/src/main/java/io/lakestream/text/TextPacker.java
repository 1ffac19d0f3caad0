// Copyright The Lakestream authors
// SPDX-License-Identifier: Apache-2.0
package io.lakestream.text;

import io.lakestream.model.InvalidRequest;
import io.lakestream.model.TensorTgbBuilder;
import io.lakestream.model.Tgb;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Packs the documents of a share into batches of token rows of one length, without a gap: the
 * tokens of each document, the end-of-text token, then the next document. For use by one thread;
 * holds one document and one batch in memory.
 *
 * <p>A document runs on into the next row, the next replica and the next batch. One longer than a
 * whole batch spans several, which {@link #statistics} counts. Rows go to replicas in (d,row)
 * order: replica 0 has the first {@code rowsPerReplica} rows of a batch. Only the last batch of a
 * share is padded, with the end-of-text token.
 *
 * <p>Tensors of a replica, all of 32-bit integers:
 *
 * <ul>
 *   <li>{@code tokens} (rows, S), a sequence;
 *   <li>{@code row_lengths} (rows): real tokens of each row, padding excluded;
 *   <li>{@code cu_seqlens} (n), shared: where documents begin if the rows are laid end to end. It
 *       begins with 0 and ends with rows·S; every row start is in it, and the padding of a row is a
 *       segment of its own. Each value is there once.
 * </ul>
 *
 * <p>The row table tells tokens and documents of each row; a row's offset there is that of its part
 * of the slice's first block. The {@link Provenance} names the vocabulary, documents and their
 * token ranges.
 *
 * <p>Batches depend on input, share, tokenizer and settings only: a packer resumed from the offset
 * of a batch gives, bit for bit, the batches that would have followed it. Offsets carry
 * fingerprints of all this, so that one is not mistaken for another's; from the content of the
 * input they take only what a listing tells.
 */
public final class TextPacker implements Iterator<PackedBatch>, AutoCloseable {
  private final TokenStream stream;
  private final Tokenizer tokenizer;
  private final PackingSettings settings;
  private long batches;
  private long tokens;
  private long documents;
  private long longDocuments;

  private TextPacker(TokenStream stream, Tokenizer tokenizer, PackingSettings settings) {
    this.stream = stream;
    this.tokenizer = tokenizer;
    this.settings = settings;
  }

  /**
   * Starts with the first document.
   *
   * @throws UnusableInput if the archive that has the documents cannot be read
   */
  public static TextPacker open(
      Documents documents, Tokenizer tokenizer, PackingSettings settings) {
    TextOffset start = TextOffset.start(Fingerprint.of(documents, tokenizer, settings));
    return new TextPacker(new TokenStream(documents, tokenizer, start), tokenizer, settings);
  }

  /**
   * Goes on where another packer of the same share, tokenizer and settings was.
   *
   * @param offset the {@link PackedBatch#offset} of the last batch that is not to be made again
   * @throws InvalidRequest if the offset has another form, is past the end of the share, or was
   *     made with other settings or another input, as far as the names and lengths of files tell
   * @throws UnusableInput if what comes before the offset, or the document at it, cannot be used
   */
  public static TextPacker resume(
      Documents documents, Tokenizer tokenizer, PackingSettings settings, String offset) {
    TextOffset from = TextOffset.parse(offset, Fingerprint.of(documents, tokenizer, settings));
    return new TextPacker(new TokenStream(documents, tokenizer, from), tokenizer, settings);
  }

  /**
   * Whether there is another batch; reads on to know.
   *
   * @throws UnusableInput if the next document cannot be used, as {@link DocumentCursor#next} says;
   *     the packer is of no use afterwards
   */
  @Override
  public boolean hasNext() {
    return stream.hasNext();
  }

  /**
   * The next batch.
   *
   * @throws NoSuchElementException at the end of the share
   * @throws UnusableInput if a document cannot be used; the packer is of no use afterwards
   */
  @Override
  public PackedBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the share has no more batches");
    }
    long tokensBefore = tokens;
    long documentsBefore = documents;
    TensorTgbBuilder batch = Tgb.tensors(settings.mesh(), settings.schema(), settings.cpLayout());
    batch.blocksPerRank(settings.blocksPerRank());
    Provenance provenance = new Provenance(tokenizer.name());
    for (int d = 0; d < settings.mesh().dataParallel(); d++) {
      ReplicaRows rows = new ReplicaRows(settings);
      fill(rows, provenance);
      rows.finish(batch, d, tokenizer.endOfText());
    }
    batches++;
    return new PackedBatch(
        batch.provenance(provenance.finish()).build(),
        stream.offset().toString(),
        tokens - tokensBefore,
        documents - documentsBefore);
  }

  /** What was done since this packer was opened. */
  public PackingStatistics statistics() {
    long padding = batches * settings.batchTokens() - tokens;
    return new PackingStatistics(
        batches, tokens, padding, documents, longDocuments, stream.skipped());
  }

  /**
   * Closes the input.
   *
   * @throws UnusableInput if that fails
   */
  @Override
  public void close() {
    stream.close();
  }

  private void fill(ReplicaRows rows, Provenance provenance) {
    while (!rows.isFull() && stream.hasNext()) {
      int[] source = stream.tokens();
      int from = stream.position();
      int count = Math.min(rows.roomInRow(), source.length - from);
      provenance.add(stream.document(), from, count);
      rows.add(source, from, count);
      boolean isDocumentEnd = stream.pass(count);
      tokens += count;
      if (isDocumentEnd) {
        documents++;
        longDocuments += source.length > settings.batchTokens() ? 1 : 0;
      }
    }
  }
}

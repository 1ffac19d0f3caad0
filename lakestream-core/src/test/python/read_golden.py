#!/usr/bin/env python3
# Copyright The Lakestream authors
# SPDX-License-Identifier: Apache-2.0
"""Reads a Lakestream namespace in a folder, by docs/format.md alone and the standard library alone.

Prints one line for each slice of each step: "<step> (<d>,<c>) <text>" for raw bytes, and
"<step> (<d>,<c>) <tensor> <shape> <elements>" for tensors. Further arguments are files of segments,
index nodes, archive runs and manifests; of each, one line says what was found.

A check of the specification and a start for readers in other languages; no part of the product.
"""

import hashlib
import json
import struct
import sys
import uuid
from pathlib import Path


class Corrupt(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Corrupt(what)


# 1 Conventions ---------------------------------------------------------------------------------

CRC_TABLE = []
for n in range(256):
    for _ in range(8):
        n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
    CRC_TABLE.append(n)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def varint(data, at):
    value = shift = 0
    while True:
        check(at < len(data) and shift < 70, "a varint that does not end")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def message(data):
    """The fields of a message: number -> list of values, which are ints or bytes."""
    fields, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        number, wire = tag >> 3, tag & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
            check(at + size <= len(data), "a fixed number that is cut off")
            value, at = int.from_bytes(data[at : at + size], "little"), at + size
        else:
            check(wire == 2, f"wire type {wire}")
            size, at = varint(data, at)
            check(at + size <= len(data), "a field that is cut off")
            value, at = data[at : at + size], at + size
        fields.setdefault(number, []).append(value)
    return fields


def one(fields, number, default=0):
    return fields.get(number, [default])[-1]


def text(fields, number):
    return one(fields, number, b"").decode()


def packed(fields, number, size=None):
    """Repeated numbers, packed or not: varints, or fixed ones of a size."""
    numbers = []
    for value in fields.get(number, []):
        if isinstance(value, int):
            numbers.append(value)
            continue
        at = 0
        while at < len(value):
            if size:
                numbers.append(int.from_bytes(value[at : at + size], "little"))
                at += size
            else:
                number_, at = varint(value, at)
                numbers.append(number_)
    return numbers


# 2 Names ---------------------------------------------------------------------------------------


def escaped(producer):
    plain = b"abcdefghijklmnopqrstuvwxyz0123456789._-"
    return "".join(chr(b) if b in plain else f"={b:02x}" for b in producer.encode())


def data_key(producer, epoch, seq, random, suffix):
    name = f"{escaped(producer)}-{epoch}-{seq}-{random:016x}{suffix}"
    return f"data/{crc32c(name.encode()) & 0xFF:02x}/{name}"


# 3 Envelope ------------------------------------------------------------------------------------


def envelope(data, kind, namespace):
    """The sections in order: (id, body)."""
    check(data[:4] == b"LAKE", "no magic")
    check(data[5] == 1, f"major version {data[5]}: upgrade")
    check(data[4:5] == kind, f"kind {data[4:5]}")
    head = 28 + 12 * data[7]
    check(crc32c(data[:head]) == struct.unpack_from("<I", data, head)[0], "the head's checksum")
    check(data[8:24] == namespace.bytes, "another namespace")
    check(struct.unpack_from("<I", data, 24)[0] == len(data), "the total length")
    sections, at = [], head + 4
    for i in range(data[7]):
        number, length, crc = struct.unpack_from("<III", data, 28 + 12 * i)
        body = data[at : at + length]
        check(len(body) == length and crc32c(body) == crc, f"section {number}")
        sections.append((number, body))
        at += length
    check(at == len(data), "the lengths of the sections")
    return sections


def section(sections, number):
    found = [body for n, body in sections if n == number]
    check(len(found) == 1, f"{len(found)} sections {number}")
    return found[0]


# 5 Manifest ------------------------------------------------------------------------------------


def descriptors(body):
    """First step of a chunk, and its descriptors."""
    block = message(body)
    writers = [message(w) for w in block.get(3, [])]
    schemas = packed(block, 4, 8)
    version, found = one(block, 2), []
    for raw in block.get(5, []):
        d = message(raw)
        version += one(d, 3)
        writer = writers[one(d, 1)]
        found.append(
            {
                "producer": text(writer, 1),
                "epoch": one(writer, 2),
                "schema": schemas[one(d, 2)],
                "version": version,
                "seq": one(d, 4),
                "offset": text(d, 5),
                "random": one(d, 6),
                "last_seq": one(d, 4) + one(d, 7),
                "object_offset": one(d, 8),
                "length": one(d, 9),
                "part_bytes": one(d, 10),
                "footer_length": one(d, 11),
                "footer_crc": one(d, 12),
                "uniform": one(d, 13, None),
                "lengths": packed(d, 14) if 14 in d else None,
                "cp_layout": one(d, 15),
            }
        )
    return one(block, 1), found


def manifest(data, version, namespace):
    sections = envelope(data, b"M", namespace)
    check(sections[0][0] == 1, "the header is not first")
    header = message(section(sections, 1))
    check(one(header, 1) == version, f"version {one(header, 1)}")
    first, end, tail_first = one(header, 6), one(header, 7), one(header, 9)
    chunks = [body for number, body in sections if number == 2]
    check(len(chunks) == (end - tail_first + 63) // 64, f"{len(chunks)} chunks")
    tail = {}
    for i, body in enumerate(reversed(chunks)):
        step, found = descriptors(body)
        check(step == tail_first + 64 * i, f"a chunk of step {step}")
        check(len(found) == min(64, end - step), f"{len(found)} descriptors from step {step}")
        tail.update({step + j: d for j, d in enumerate(found)})
    levels = []
    for raw in message(section(sections, 3)).get(1, []):
        level = message(raw)
        hashes = one(level, 2, b"")
        levels.append((one(level, 1), [hashes[k : k + 16] for k in range(0, len(hashes), 16)]))
    tables = message(section(sections, 5))
    schemas = {}
    for raw in tables.get(1, []):
        entry = message(raw)
        stored = one(entry, 2, b"")
        identity = int.from_bytes(hashlib.sha256(stored).digest()[:8], "little")
        check(identity == one(entry, 1), "the id of a schema")
        schemas[identity] = schema(stored)
    return {
        "version": version,
        "boundary_index": one(header, 10),
        "first_step": first,
        "next_step": end,
        "sealed": bool(one(header, 12)),
        "tail": tail,
        "levels": levels,
        "schemas": schemas,
        "producers": message(section(sections, 4)),
    }


def schema(stored):
    fields = message(stored)
    tensors = []
    for raw in fields.get(2, []):
        t = message(raw)
        shape = [(n >> 1) ^ -(n & 1) for n in packed(t, 3)]
        tensors.append((text(t, 1), text(t, 2), shape, one(t, 4)))
    return tensors


# 6 Segments and the tree -----------------------------------------------------------------------


def locate(levels, step):
    for n, (first, hashes) in enumerate(levels):
        i = step // (128 * 32**n)
        if first <= i < first + len(hashes):
            return n, i, hashes[i - first]
    raise Corrupt(f"no reference to step {step}")


def segment_key(level, index, content_hash):
    width = 128 * 32**level
    first, last = index * width, (index + 1) * width - 1
    return f"segment/{first:020d}-{last:020d}-{content_hash.hex()}"


# 8 TGB -----------------------------------------------------------------------------------------

ELEMENTS = {
    "BOOL": "?", "U8": "B", "I8": "b", "I16": "h", "U16": "H", "F16": "e", "I32": "i",
    "U32": "I", "F32": "f", "I64": "q", "U64": "Q", "F64": "d",
}  # fmt: skip


def slice_range(descriptor, k):
    if descriptor["uniform"] is not None:
        return 32 + k * descriptor["uniform"], descriptor["uniform"]
    lengths = descriptor["lengths"]
    return 32 + sum(lengths[:k]), lengths[k]


def blocks_of(stored):
    (count,) = struct.unpack_from("<I", stored, len(stored) - 4)
    check(1 <= count <= (len(stored) - 1) // 8, f"{count} blocks")
    trailer = struct.unpack_from(f"<{2 * count}I", stored, len(stored) - 8 * count)
    lengths = list(trailer[: count - 1])
    lengths.append(len(stored) - 8 * count - sum(lengths))
    blocks, at = [], 0
    for length, crc in zip(lengths, trailer[count - 1 : -1]):
        block = stored[at : at + length]
        check(length >= 1 and len(block) == length and crc32c(block) == crc, "a block")
        blocks.append(block)
        at += length
    return blocks


def footer_of(descriptor, image):
    """The footer, by the tail; the descriptor has to say the same."""
    length, crc, tail_crc, magic = struct.unpack("<III4s", image[-16:])
    check(magic == b"TGB1" and crc32c(image[-16:-8]) == tail_crc, "the tail")
    check((length, crc) == (descriptor["footer_length"], descriptor["footer_crc"]), "the footer")
    footer = image[-16 - length : -16]
    check(crc32c(footer) == crc, "the footer's checksum")
    return message(footer)


def tensors_of(blocks, tensors, ranks):
    """What one rank sees of each tensor: name -> (dtype, shape, bytes)."""
    sequence = [t for t in tensors if t[3] == 0]
    whole = [t for t in tensors if t[3] != 0]
    found, parts = {}, blocks[:-1] if whole else blocks
    width = {name: struct.calcsize(ELEMENTS[dtype]) for name, dtype, _, _ in tensors}
    for name, _, shape, _ in sequence:
        for dimension in shape[2:]:
            width[name] *= dimension
    if sequence:
        positions = sequence[0][2][1] // (ranks * len(parts))
        rows = len(parts[0]) // (positions * sum(width[t[0]] for t in sequence))
    before = 0
    for name, dtype, shape, _ in sequence:
        run = positions * width[name]
        data = b"".join(
            part[before + row * run : before + (row + 1) * run]
            for row in range(rows)
            for part in parts
        )
        found[name] = (dtype, [rows, positions * len(parts)] + shape[2:], data)
        before += rows * run
    at = 0
    for name, dtype, shape, _ in whole:
        (length,) = struct.unpack_from("<Q", blocks[-1], at)
        data = blocks[-1][at + 8 : at + 8 + length]
        check(len(data) == length, f"tensor {name}")
        at += 8 + length
        for dimension in shape[1:]:
            width[name] *= dimension
        found[name] = (dtype, [length // width[name]] + shape[1:] if shape else [], data)
    return found


# 9 How to read ---------------------------------------------------------------------------------


class Namespace:
    def __init__(self, folder):
        self.folder = Path(folder)
        data = self.read("namespace.json")
        record = json.loads(data)
        check(record["lakestream"] == 1, f"format {record['lakestream']}: upgrade")
        before = data[: data.rindex(b'"crc32c"')]
        check(int(record["crc32c"], 16) == crc32c(before), "crc of namespace.json")
        self.uuid = uuid.UUID(record["uuid"])
        self.mesh = record["dataParallel"], record["contextParallel"]

    def read(self, key):
        path = self.folder / key
        return path.read_bytes() if path.exists() else None

    def version(self, number):
        data = self.read(f"manifest/{number:020d}.manifest")
        return data and manifest(data, number, self.uuid)

    def boundary(self, index):
        """The newest boundary's version, from an index that exists or 0."""
        version = 0
        while True:
            data = self.read(f"boundary/{index:020d}") if index else None
            if index and not data:
                return version
            if data:
                fields = message(section(envelope(data, b"B", self.uuid), 1))
                check(one(fields, 1) == index and one(fields, 2) >= version, "a boundary")
                version = one(fields, 2)
            index += 1

    def head(self):
        hint = self.read("manifest/_hint")
        at = one(message(section(envelope(hint, b"H", self.uuid), 1)), 1) if hint else 0
        while True:
            found = self.version(at) if at else None
            while self.version(at + 1):  # A product would gallop and bisect.
                at, found = at + 1, self.version(at + 1)
            dead = self.boundary(found["boundary_index"] if found else 0)
            if at > dead and found:
                return found
            if dead == 0 and not found and at == 0:
                raise Corrupt("the stream is empty")
            at = dead

    def object_range(self, d, start, length):
        """Bytes of the image of a descriptor."""
        who = d["producer"], d["epoch"], d["last_seq"], d["random"]
        if d["part_bytes"] == 0:
            data = self.read(data_key(*who, ".tgb"))
            at = d["object_offset"] + start
            found = data[at : at + length]
        else:
            found, size = b"", d["part_bytes"]
            for part in range(start // size, (start + length - 1) // size + 1):
                data = self.read(data_key(*who, f".part{part:05d}.tgb"))
                low, high = start - part * size, start + length - part * size
                found += data[max(0, low) : max(0, high)]
        check(len(found) == length, "a range that is cut off")
        return found


def show(values):
    return " ".join(format(value, "g") if isinstance(value, float) else str(value) for value in values)


def print_slice(step, d, c, blocks, tensors, ranks):
    place = f"{step} ({d},{c})"
    if not tensors:
        print(place, b"".join(blocks).decode())
        return
    for name, (dtype, shape, data) in tensors_of(blocks, tensors, ranks).items():
        element = ELEMENTS[dtype]
        values = struct.unpack(f"<{len(data) // struct.calcsize(element)}{element}", data)
        print(place, name, "x".join(map(str, shape)) or "scalar", show(values))


def print_stream(stream):
    replicas, ranks = stream.mesh
    head = stream.head()
    for step in range(head["first_step"], head["next_step"]):
        descriptor = head["tail"][step]
        image = stream.object_range(descriptor, 0, descriptor["length"])
        check(image[4:5] == b"T" and image[8:24] == stream.uuid.bytes, "the image's header")
        check(crc32c(image[:24]) == struct.unpack_from("<I", image, 24)[0], "the image's header")
        footer = footer_of(descriptor, image)
        check((one(footer, 1), one(footer, 2)) == stream.mesh, "the footer's mesh")
        check(text(footer, 11) == descriptor["offset"], "the footer's offset")
        check(one(footer, 3) == descriptor["cp_layout"], "the footer's context layout")
        slices = [message(raw) for raw in footer[5]]
        for k in range(replicas * ranks):
            start, length = slice_range(descriptor, k)
            check((one(slices[k], 1), one(slices[k], 2)) == (start, length), "a slice's place")
            blocks = blocks_of(stream.object_range(descriptor, start, length))
            check(packed(slices[k], 3) == [len(b) for b in blocks], "a slice's blocks")
            check(packed(slices[k], 4, 4) == [crc32c(b) for b in blocks], "a slice's checksums")
            tensors = head["schemas"][descriptor["schema"]]
            print_slice(step, k // ranks, k % ranks, blocks, tensors, ranks)
    print("sealed" if head["sealed"] else "open", "at step", head["next_step"])


def print_object(path, namespace):
    data = Path(path).read_bytes()
    kind = data[4:5]
    content_hash = hashlib.sha256(data).digest()[:16]
    if kind == b"M":
        sections = envelope(data, b"M", namespace)
        version = one(message(section(sections, 1)), 1)
        found = manifest(data, version, namespace)
        line = f"version {version}, {len(found['tail'])} steps in its tail"
        if found["levels"]:
            spots = [locate(found["levels"], step) for step in (found["first_step"], 4095, 4096)]
            line += ", " + ", ".join(segment_key(*spot)[8:] for spot in spots)
    elif kind == b"S":
        chunks = [descriptors(b) for n, b in envelope(data, b"S", namespace) if n == 2]
        check([len(found) for _, found in chunks] == [64, 64], "two chunks of 64 descriptors")
        line = segment_key(0, chunks[0][0] // 128, content_hash)
    elif kind == b"N":
        node = message(section(envelope(data, b"N", namespace), 1))
        line = segment_key(one(node, 1), one(node, 2), content_hash)
        line += f", {len(one(node, 3)) // 16} children"
    else:
        entries = message(section(envelope(data, kind, namespace), 1))[1]
        line = "producers " + ", ".join(text(message(raw), 1) for raw in entries)
    print(Path(path).name, line)


def main():
    stream = Namespace(sys.argv[1])
    print_stream(stream)
    for path in sys.argv[2:]:
        print_object(path, stream.uuid)


if __name__ == "__main__":
    main()

"""Pictures of few bytes whose decoding costs memory or time, in the four formats."""

import struct
import zlib


def segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


# The tables of annex K for the differences of DC values, and for everything else the same table.
HUFFMAN = bytes([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]) + bytes(range(12))
TABLES = segment(0xDB, bytes([0]) + bytes([1] * 64)) + b"".join(
    segment(0xC4, bytes([kind << 4 | 0]) + HUFFMAN) for kind in (0, 1)
)


def jpeg(width, height, frame=0xC0, scans=1, factors=(0x22, 0x11, 0x11), first=None, data=b"\0\0"):
    """A JPEG file: its scans hold next to nothing, which decoders take for zeros."""
    components = b"".join(bytes([number + 1, factor, 0]) for number, factor in enumerate(factors))
    head = segment(frame, struct.pack(">BHHB", 8, height, width, len(factors)) + components)
    is_progressive = frame in (0xC2, 0xCA)
    count = len(factors) if first is None else first
    body = b""
    for scan in range(scans):
        if scan == 0 or not is_progressive:
            chosen = bytes([count]) + b"".join(bytes([number + 1, 0]) for number in range(count))
            body += segment(0xDA, chosen + (b"\0\0\0" if is_progressive else b"\0\x3f\0")) + data
        else:
            # The same coefficients of the first component again.
            body += segment(0xDA, bytes([1, 1, 0, 1, 63, 0])) + data
    return b"\xff\xd8" + TABLES + head + body + b"\xff\xd9"


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def zeros(count):
    """Compressed zeros, made in pieces."""
    packer = zlib.compressobj(9)
    piece, packed = bytes(1 << 20), []
    while count > 0:
        packed.append(packer.compress(piece[: min(count, len(piece))]))
        count -= len(piece)
    return b"".join(packed) + packer.flush()


def png(width, height, bits=8, color=2, interlaced=False, rows=None, more=b""):
    """A PNG file with black rows: all of them, or those that are named by number of bytes."""
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    size = rows if rows is not None else height * (1 + (width * samples * bits + 7) // 8)
    palette = chunk(b"PLTE", bytes(768)) if color == 3 else b""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, int(interlaced)))
    return b"\x89PNG\r\n\x1a\n" + header + more + palette + chunk(b"IDAT", zeros(size)) + chunk(b"IEND", b"")


def gif(width, height, columns=1, rows=1, frames=1, interlaced=False):
    """A GIF file whose frames have no more than their first pixel."""
    flags = 0x40 if interlaced else 0
    image = b"\x2c" + struct.pack("<HHHHB", 0, 0, columns, rows, flags) + b"\x02\x02\x44\x01\x00"
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6) + image * frames + b"\x3b"


def riff(*chunks):
    body = b"WEBP" + b"".join(
        name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2) for name, content in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


class Bits:
    """Bits from the lowest, as lossless WebP has them."""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count
        return self

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def lossless(width, height, has_alpha=False):
    """The `VP8L` chunk of one color: every code has one symbol, so that a pixel takes no bit (RFC 9649 3)."""
    bits = Bits().put(0x2F, 8).put(width - 1, 14).put(height - 1, 14).put(int(has_alpha), 1).put(0, 3)
    # No transform, no cache of colors, one group of codes.
    bits.put(0, 1).put(0, 1).put(0, 1)
    for symbol in (200, 20, 20, 255, 0):
        # A simple code with one symbol of eight bits, or of one bit.
        bits.put(1, 1).put(0, 1)
        bits.put(1, 1).put(symbol, 8) if symbol > 1 else bits.put(0, 1).put(symbol, 1)
    return (b"VP8L", bits.bytes() + bytes(8))


def webp(width, height, has_alpha=False):
    return riff(lossless(width, height, has_alpha))


def canvas(width, height, flags):
    return (b"VP8X", struct.pack("<I", flags) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"))


def animation(width, height, frames):
    """An animated WebP file."""
    name, content = lossless(64, 64)
    inner = name + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)
    frame = bytes(6) + (63).to_bytes(3, "little") * 2 + (10).to_bytes(3, "little") + b"\0" + inner
    return riff(canvas(width, height, 0x02), (b"ANIM", bytes(6)), *[(b"ANMF", frame)] * frames)

"""Zip archives made by hand, so that anything in them can be wrong."""

import struct
import zlib

LOCAL, RECORD, DESCRIPTOR, END = 0x04034B50, 0x02014B50, 0x08074B50, 0x06054B50
LARGE_END, LOCATOR = 0x06064B50, 0x07064B50
FILE = 0o100600 << 16
MAXIMUM = 0xFFFFFFFF


class Entry:
    """A stored content; whatever is given replaces what would be right. Names that begin with `local_` are in the header
    in front of the content only."""

    def __init__(self, name, content=b"", **wrong):
        self.name = name if isinstance(name, bytes) else name.encode()
        self.content = content
        self.flags = 0 if self.name.isascii() else 1 << 11
        self.method, self.version, self.time, self.disk, self.attributes = 0, 20, 0x5D216000, 0, FILE
        self.crc, self.size, self.compressed = zlib.crc32(content), len(content), len(content)
        self.extra = self.comment = self.local_extra = self.gap = b""
        self.offset = None
        vars(self).update(wrong)

    def local(self, field):
        return getattr(self, f"local_{field}", getattr(self, field))

    def header(self):
        name = self.local("name")
        fields = [self.local(field) for field in ("version", "flags", "method", "time", "crc", "compressed", "size")]
        return struct.pack("<IHHHIIIIHH", LOCAL, *fields, len(name), len(self.local_extra)) + name + self.local_extra

    def record(self, offset):
        offset = offset if self.offset is None else self.offset
        fields = [self.version, self.flags, self.method, self.time, self.crc, self.compressed, self.size]
        sizes = [len(self.name), len(self.extra), len(self.comment)]
        head = struct.pack("<IHHHHIIIIHHHHHII", RECORD, 3 << 8 | 20, *fields, *sizes, self.disk, 0, self.attributes, offset)
        return head + self.name + self.extra + self.comment


def deflated(name, content, **wrong):
    """A compressed content."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = compressor.compress(content) + compressor.flush()
    right = {"method": 8, "crc": zlib.crc32(content), "size": len(content)}
    return Entry(name, packed, **{**right, **wrong})


def archive(entries, before=b"", between=b"", comment=b"", after=b"", count=None, size=None, offset=None, disk=0):
    """The entries side by side, the list, and the end."""
    body, records = before, b""
    for entry in entries:
        records += entry.record(len(body))
        body += entry.header() + entry.content + entry.gap
    count = len(entries) if count is None else count
    start = len(body) if offset is None else offset
    length = len(records) if size is None else size
    end = struct.pack("<IHHHHIIH", END, disk, disk, count, count, length, start, len(comment))
    return body + records + between + end + comment + after


def large_end(entries, records, start, position, **wrong):
    """The record with 64-bit numbers, and what says where it is."""
    values = {"size": 44, "disk": 0, "count": entries, "length": records, "start": start, "at": position, "disks": 1}
    values.update(wrong)
    record = struct.pack(
        "<IQHHIIQQQQ", LARGE_END, values["size"], 45, 45, values["disk"], 0, values["count"], values["count"],
        values["length"], values["start"],
    )
    return record + struct.pack("<IIQI", LOCATOR, 0, values["at"], values["disks"])

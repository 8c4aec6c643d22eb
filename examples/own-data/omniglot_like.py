"""Draws pictures in folders as those of Omniglot: ALPHABET/characterNN/CHARACTER_WRITER.png.

136 characters of five alphabets, each by 20 writers, 105 x 105 pixels, black on white, one bit a
pixel. Python's standard library is enough:

    python3 examples/own-data/omniglot_like.py omniglot
"""

import math
import pathlib
import random
import struct
import sys
import zlib

ALPHABETS = {"Balinese": 24, "Early_Aramaic": 22, "Greek": 24, "Korean": 40, "Latin": 26}
WRITERS = 20
SIDE = 105
PEN = 1.6


def chunk(kind, data):
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def png(rows):
    """A grey picture of one bit a pixel; a row is a list of 0 (black) and 1 (white)."""
    raw = bytearray()
    for row in rows:
        raw.append(0)
        bits = row + [1] * (-len(row) % 8)
        for at in range(0, len(bits), 8):
            raw.append(int("".join(map(str, bits[at : at + 8])), 2))
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(bytes(raw)))
        + chunk(b"IEND", b"")
    )


def character(draw):
    """Two to four strokes; each is a curve of three points between -1 and 1."""
    return [
        [(draw.uniform(-1, 1), draw.uniform(-1, 1)) for _ in range(3)]
        for _ in range(draw.randint(2, 4))
    ]


def written(strokes, hand):
    """The strokes as one writer draws them: turned, slanted, scaled, moved, and a little shaky."""
    angle = hand.gauss(0, 0.12)
    slant = hand.gauss(0, 0.15)
    wide, high = hand.uniform(26, 38), hand.uniform(26, 38)
    left, top = SIDE / 2 + hand.gauss(0, 5), SIDE / 2 + hand.gauss(0, 5)
    rows = [[1] * SIDE for _ in range(SIDE)]
    for stroke in strokes:
        points = []
        for x, y in stroke:
            x, y = x + slant * y + hand.gauss(0, 0.08), y + hand.gauss(0, 0.08)
            points.append(
                (
                    left + wide * (x * math.cos(angle) - y * math.sin(angle)),
                    top + high * (x * math.sin(angle) + y * math.cos(angle)),
                )
            )
        (ax, ay), (bx, by), (cx, cy) = points
        for step in range(101):
            t = step / 100
            x = (1 - t) ** 2 * ax + 2 * t * (1 - t) * bx + t * t * cx
            y = (1 - t) ** 2 * ay + 2 * t * (1 - t) * by + t * t * cy
            dot(rows, x, y)
    return rows


def dot(rows, x, y):
    for row in range(max(0, math.ceil(y - PEN)), min(SIDE - 1, math.floor(y + PEN)) + 1):
        for column in range(max(0, math.ceil(x - PEN)), min(SIDE - 1, math.floor(x + PEN)) + 1):
            if (row - y) ** 2 + (column - x) ** 2 <= PEN**2:
                rows[row][column] = 0


def main(folder):
    number = 0
    for alphabet, count in ALPHABETS.items():
        for index in range(1, count + 1):
            number += 1
            strokes = character(random.Random(f"{alphabet} {index}"))
            target = pathlib.Path(folder, alphabet, f"character{index:02d}")
            target.mkdir(parents=True)
            for writer in range(1, WRITERS + 1):
                hand = random.Random(f"{alphabet} {index} {writer}")
                name = f"{number:04d}_{writer:02d}.png"
                (target / name).write_bytes(png(written(strokes, hand)))


if __name__ == "__main__":
    main(sys.argv[1])

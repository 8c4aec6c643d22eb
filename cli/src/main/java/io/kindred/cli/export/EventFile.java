package io.kindred.cli.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A TensorBoard event file. Records are framed as in TFRecord: length, masked CRC-32C of the
 * length, bytes, masked CRC-32C of the bytes, little-endian. The bytes are Event messages of
 * tensorflow/core/util/event.proto. Scalars need only three fields, so an encoder of our own is
 * shorter than generated classes.
 */
final class EventFile {
  private static final String VERSION = "brain.Event:2";
  private static final int MASK_DELTA = 0xa282ead8;

  /** Field types of the Protocol Buffers encoding. */
  private static final int VARINT = 0;

  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;

  private final OutputStream out;

  /** Starts the file with its version record. */
  EventFile(OutputStream out, double wallTime) throws IOException {
    this.out = out;
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    fixed64(event, 1, wallTime);
    bytes(event, 3, VERSION.getBytes(StandardCharsets.UTF_8));
    writeRecord(event.toByteArray());
  }

  /** Writes one scalar value. */
  void writeScalar(String tag, long step, double wallTime, float value) throws IOException {
    ByteArrayOutputStream entry = new ByteArrayOutputStream();
    bytes(entry, 1, tag.getBytes(StandardCharsets.UTF_8));
    key(entry, 2, FIXED_32);
    entry.write(littleEndian(4).putFloat(value).array());
    ByteArrayOutputStream summary = new ByteArrayOutputStream();
    bytes(summary, 1, entry.toByteArray());
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    fixed64(event, 1, wallTime);
    key(event, 2, VARINT);
    varint(event, step);
    bytes(event, 5, summary.toByteArray());
    writeRecord(event.toByteArray());
  }

  private void writeRecord(byte[] event) throws IOException {
    byte[] length = littleEndian(8).putLong(event.length).array();
    out.write(length);
    out.write(littleEndian(4).putInt(maskedCrc(length)).array());
    out.write(event);
    out.write(littleEndian(4).putInt(maskedCrc(event)).array());
  }

  /** Rotated and offset, because a CRC over bytes that contain their own CRC is weak. */
  static int maskedCrc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
  }

  private static void fixed64(ByteArrayOutputStream message, int field, double value)
      throws IOException {
    key(message, field, FIXED_64);
    message.write(littleEndian(8).putDouble(value).array());
  }

  private static void bytes(ByteArrayOutputStream message, int field, byte[] value)
      throws IOException {
    key(message, field, BYTES);
    varint(message, value.length);
    message.write(value);
  }

  private static void key(ByteArrayOutputStream message, int field, int kind) {
    varint(message, ((long) field << 3) | kind);
  }

  private static void varint(ByteArrayOutputStream message, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      message.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    message.write((int) rest);
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}

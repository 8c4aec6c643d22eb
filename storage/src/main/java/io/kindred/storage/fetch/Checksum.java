package io.kindred.storage.fetch;

/**
 * What a file's digest must be, and who says so.
 *
 * @param algorithm as Java names it, such as {@code MD5}
 * @param hex in lower case
 * @param source where the digest was published
 */
public record Checksum(String algorithm, String hex, String source) {}

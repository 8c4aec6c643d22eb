package io.kindred.storage.fetch;

/**
 * The digest that a file must have, and its source.
 *
 * @param algorithm as Java names it, such as {@code MD5}
 * @param hex in lower case
 * @param source where the digest was published
 */
public record Checksum(String algorithm, String hex, String source) {}

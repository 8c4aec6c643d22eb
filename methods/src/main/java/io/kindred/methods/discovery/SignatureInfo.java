package io.kindred.methods.discovery;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.signature.SignatureState;
import java.util.Optional;

/**
 * A peer's signature and its number of entries.
 *
 * @param signedRound round of the model that the peer last described by a signature or a sketch, or
 *     that it trained where models are compared without either
 * @param requiredEntries number of entries that the signature needs
 * @param agreedEntries number of entries that the network agreed on
 * @param searchReady whether a search can be sent
 */
@Buildable
public record SignatureInfo(
    Optional<SignatureState> signatureState,
    int signedRound,
    int requiredEntries,
    Optional<Integer> agreedEntries,
    boolean searchReady) {}

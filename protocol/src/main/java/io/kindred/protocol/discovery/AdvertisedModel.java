package io.kindred.protocol.discovery;

/**
 * A descriptor that travels from view to view.
 *
 * @param age rounds since the owner said that this is its model
 */
public record AdvertisedModel(Descriptor descriptor, int age) {}

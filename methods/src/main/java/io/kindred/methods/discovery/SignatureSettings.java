package io.kindred.methods.discovery;

import io.kindred.core.config.Setting;
import io.kindred.protocol.signature.SignatureRule;

/** How peers sign the models by which they are compared. */
public record SignatureSettings(
    @Setting(doc = "how a peer computes its signature", fallback = "{}") SignatureRule signatures,
    @Setting(
            doc = "share of the weights that a signature holds; 0 takes the rule of `signatures`",
            fallback = "0",
            min = 0,
            max = 1)
        double signatureShare) {}

package io.kindred.core.peer;

/** An interceptor and the machine that it belongs to, with the type of its state. */
public record InterceptedLayer<S>(
    Component component, Interceptor<S> interceptor, Class<S> stateType) {}

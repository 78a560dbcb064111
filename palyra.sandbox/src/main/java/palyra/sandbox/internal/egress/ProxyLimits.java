package palyra.sandbox.internal.egress;

/**
 * Bounds of a proxy.
 *
 * @param connections connections at a time; further ones wait in the socket's queue
 * @param headMillis until the head of a request, and the first message of TLS, must be there
 * @param connectMillis until a server must have taken the connection
 * @param idleMillis longest silence of a connection in both directions
 */
record ProxyLimits(int connections, long headMillis, long connectMillis, long idleMillis) {}

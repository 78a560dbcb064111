package palyra.transport.grpc.internal.service;

import java.time.Duration;

/** How long tests wait for what should happen soon: long enough for a busy machine. */
final class Patience {
    static final Duration LONG = Duration.ofSeconds(60);

    private Patience() {}
}

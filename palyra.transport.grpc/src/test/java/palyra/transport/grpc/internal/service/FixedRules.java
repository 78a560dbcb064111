package palyra.transport.grpc.internal.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundMessage;
import palyra.api.core.gateway.MessageRules;

/** Rules that say what a test wants, of no surface at first. */
final class FixedRules implements MessageRules {
    volatile String governed = "";
    volatile Ruling ruling;
    volatile RuntimeException failure;
    final List<InboundMessage> asked = new ArrayList<>();
    volatile boolean broadcast;
    volatile Ruling before;

    @Override
    public boolean governs(ConnectorId surface) {
        if (failure != null) {
            throw failure;
        }
        return surface.toString().equals(governed);
    }

    @Override
    public Ruling rule(ConnectorId surface, InboundMessage message, boolean toEveryone) {
        asked.add(message);
        broadcast = toEveryone;
        return ruling;
    }

    @Override
    public Optional<Ruling> before(ConnectorId surface, InboundMessage message) {
        return Optional.ofNullable(before);
    }
}

package palyra.connectors.discord.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;

/** A connector, and what people do once it has the first session of the bot. */
final class FirstSession implements Connector {
    private final DiscordConnector connector;
    private final Runnable then;
    private volatile Thread waiting;

    FirstSession(DiscordConnector connector, Runnable then) {
        this.connector = connector;
        this.then = then;
    }

    @Override
    public ConnectorId id() {
        return connector.id();
    }

    @Override
    public ConnectorCapabilities capabilities() {
        return connector.capabilities();
    }

    @Override
    public void start(ConnectorContext context) {
        connector.start(context);
        waiting = Thread.ofVirtual().name("contract-first-session").start(this::await);
    }

    private void await() {
        while (connector.status().state() != State.READY) {
            LockSupport.parkNanos(1_000_000);
            if (Thread.interrupted()) {
                return;
            }
        }
        then.run();
    }

    @Override
    public void stop() {
        waiting.interrupt();
        connector.stop();
    }

    @Override
    public ConnectorStatus status() {
        return connector.status();
    }

    @Override
    public Delivery send(OutboundMessage message) {
        return connector.send(message);
    }

    @Override
    public Delivery lookup(OutboundMessage message) {
        return connector.lookup(message);
    }

    @Override
    public long typing(Conversation conversation) {
        return connector.typing(conversation);
    }

    @Override
    public void fetch(InboundMessage.Attachment file, OutputStream out, long maxBytes)
            throws IOException {
        connector.fetch(file, out, maxBytes);
    }

    @Override
    public List<String> render(String markdown) {
        return connector.render(markdown);
    }
}

package palyra.connectors.webhook.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.Acceptance.Outcome;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;

/** What the gateway offers, as a test wants it. Thread-safe. */
final class FakeContext implements ConnectorContext {
    static final String PRINCIPAL = "service:webhook:main";

    final Map<String, String> vault = new ConcurrentHashMap<>();
    final List<InboundMessage> accepted = new CopyOnWriteArrayList<>();
    final AtomicInteger offered = new AtomicInteger();
    final AtomicInteger lent = new AtomicInteger();
    private final Set<String> known = new HashSet<>(); // guarded by this
    volatile Consumer<InboundMessage> before = message -> {};
    volatile Acceptance ignoring; // null while messages are stored
    volatile boolean vaultAway;
    volatile boolean closed;

    @Override
    public Acceptance accept(InboundMessage message) {
        requireOpen();
        offered.incrementAndGet();
        before.accept(message);
        if (ignoring != null) {
            return ignoring;
        }
        synchronized (this) {
            boolean first = known.add(message.messageId());
            if (first) {
                accepted.add(message);
            }
            return new Acceptance(
                    first ? Outcome.STORED : Outcome.KNOWN, "01J" + message.messageId(), "");
        }
    }

    List<String> texts() {
        return accepted.stream().map(InboundMessage::text).toList();
    }

    private void requireOpen() {
        if (closed) {
            throw new AssertionError("the context was used after the stop");
        }
    }

    @Override
    public String secret(String reference) {
        requireOpen();
        lent.incrementAndGet();
        if (vaultAway) {
            throw new PalyraException(ErrorCode.KEYS_UNAVAILABLE, "The vault is away.");
        }
        String secret = vault.get(reference);
        if (secret == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "The vault has no " + reference + ".");
        }
        return secret;
    }

    @Override
    public void keepPosition(byte[] position) {
        throw new AssertionError("a webhook has no position");
    }

    @Override
    public Optional<byte[]> position() {
        return Optional.empty();
    }

    @Override
    public String press(InboundAction action) {
        throw new AssertionError("a webhook has no buttons");
    }

    @Override
    public String principal() {
        return PRINCIPAL;
    }
}

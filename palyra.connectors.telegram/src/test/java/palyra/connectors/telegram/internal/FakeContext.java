package palyra.connectors.telegram.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.testing.telegram.FakeTelegram;

/** What the gateway offers, as a test wants it. Thread-safe. */
final class FakeContext implements ConnectorContext {
    static final String PRINCIPAL = "system:connector:telegram:main";

    final List<InboundMessage> offered = new CopyOnWriteArrayList<>();
    final List<InboundMessage> accepted = new CopyOnWriteArrayList<>();
    final List<InboundAction> pressed = new CopyOnWriteArrayList<>();
    final List<String> secrets = new CopyOnWriteArrayList<>();
    private final Set<String> known = new HashSet<>(); // guarded by this
    volatile Consumer<InboundMessage> before = message -> {};
    volatile Consumer<InboundAction> pressing = action -> {};
    volatile String token = FakeTelegram.TOKEN; // null when the vault has none
    volatile boolean closed;

    @Override
    public Acceptance accept(InboundMessage message) {
        requireOpen();
        offered.add(message);
        before.accept(message);
        synchronized (this) {
            boolean first = known.add(message.messageId() + " " + message.revision());
            if (first) {
                accepted.add(message);
            }
            return new Acceptance(
                    first ? Acceptance.Outcome.STORED : Acceptance.Outcome.KNOWN, "01J", "");
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
    public void keepPosition(byte[] position) {
        throw new AssertionError("Telegram keeps the position itself");
    }

    @Override
    public Optional<byte[]> position() {
        return Optional.empty();
    }

    @Override
    public String press(InboundAction action) {
        requireOpen();
        pressed.add(action);
        pressing.accept(action);
        return "Approved by " + action.sender().name();
    }

    @Override
    public String secret(String reference) {
        secrets.add(reference);
        if (token == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "The vault has no " + reference + ".");
        }
        return token;
    }

    @Override
    public String principal() {
        return PRINCIPAL;
    }
}

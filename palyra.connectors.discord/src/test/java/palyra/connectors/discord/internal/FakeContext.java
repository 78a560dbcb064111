package palyra.connectors.discord.internal;

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
import palyra.api.channel.Sender;

/** What the gateway offers, as a test wants it; it outlives connectors. Thread-safe. */
final class FakeContext implements ConnectorContext {
    static final String PRINCIPAL = "system:connector:discord:main";

    final List<InboundMessage> offered = new CopyOnWriteArrayList<>();
    final List<InboundMessage> accepted = new CopyOnWriteArrayList<>();
    final List<InboundAction> pressed = new CopyOnWriteArrayList<>();
    final List<String> asides = new CopyOnWriteArrayList<>();
    final List<String> reasons = new CopyOnWriteArrayList<>();
    private final Set<String> known = new HashSet<>(); // guarded by this
    private byte[] position; // guarded by this; null without one
    volatile Consumer<InboundMessage> before = message -> {};
    volatile Consumer<InboundAction> pressing = action -> {};
    volatile String token; // null when the vault has none
    volatile boolean closed;
    volatile boolean positionAway;
    volatile String reason = ""; // why messages are ignored; empty for what their text says
    volatile String refusal = "";

    private void requireOpen() {
        if (closed) {
            throw new AssertionError("the context was used after the stop");
        }
    }

    @Override
    public Acceptance accept(InboundMessage message) {
        return accept(message, new byte[0]);
    }

    @Override
    public Acceptance accept(InboundMessage message, byte[] after) {
        requireOpen();
        offered.add(message);
        before.accept(message);
        synchronized (this) {
            if (after.length > 0) {
                position = after.clone();
            }
            boolean first = known.add(message.messageId() + " " + message.revision());
            if (first) {
                accepted.add(message);
            }
            String why = reason;
            if (why.isEmpty() && message.text().startsWith("/")) {
                why = "command";
            }
            Acceptance.Outcome taken =
                    why.isEmpty() ? Acceptance.Outcome.STORED : Acceptance.Outcome.IGNORED;
            return new Acceptance(first ? taken : Acceptance.Outcome.KNOWN, "01J", why);
        }
    }

    /** Says of a message that is not for an agent what it was, aside. */
    @Override
    public Acceptance acceptAside(InboundMessage message, byte[] after) {
        Acceptance taken = accept(message, after);
        asides.add(message.text());
        String said = taken.reason().isEmpty() ? "" : "Aside: " + message.text();
        return new Acceptance(taken.outcome(), taken.messageId(), taken.reason(), said);
    }

    @Override
    public String refusal(String data, Sender sender) {
        requireOpen();
        return refusal;
    }

    List<String> texts() {
        return accepted.stream().map(InboundMessage::text).toList();
    }

    @Override
    public synchronized void keepPosition(byte[] kept) {
        requireOpen();
        position = kept.clone();
    }

    @Override
    public synchronized Optional<byte[]> position() {
        if (positionAway) {
            throw new PalyraException(ErrorCode.JOURNAL_UNAVAILABLE, "The journal is away.");
        }
        return Optional.ofNullable(position).map(byte[]::clone);
    }

    /** Sets the position back, as a crash does with one that was not written yet. */
    synchronized void position(byte[] earlier) {
        position = earlier;
    }

    @Override
    public String press(InboundAction action) {
        return press(action, "");
    }

    @Override
    public boolean asksReason(String data) {
        requireOpen();
        return data.endsWith(":n");
    }

    @Override
    public String press(InboundAction action, String reason) {
        requireOpen();
        pressed.add(action);
        reasons.add(reason);
        pressing.accept(action);
        return "Approved by " + action.sender().name();
    }

    @Override
    public String secret(String reference) {
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

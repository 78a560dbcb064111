package palyra.testing.channel;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.shared.connector.Streams;

/**
 * A chat platform in memory and, by {@link #connector}, connectors to it. Faults are set with
 * {@link #fail}: each takes the place of one send. Thread-safe.
 */
public final class FakePlatform {
    /** What happens to one send in place of the usual. */
    public enum Fault {
        /** The platform takes the message, and its answer is lost. */
        LOST_ANSWER,
        /** The connection breaks before the platform takes the message. */
        LOST_REQUEST,
        /** The platform says that it has to wait for a millisecond. */
        RATE_LIMITED,
        /** The platform fails. */
        SERVER_ERROR,
        /** The platform will never take it. */
        REFUSED,
        /** The connector throws. */
        THROWN
    }

    /**
     * A message that the platform has.
     *
     * @param key key of the message that was sent
     */
    public record Posted(String id, String key, String conversation, String text) {}

    private final Map<String, List<Posted>> posted = new LinkedHashMap<>();
    private final Map<String, Set<String>> reactions = new HashMap<>();
    private final Map<String, String> idsByKey = new HashMap<>();
    private final Map<String, Deque<Fault>> faults = new HashMap<>();
    private final Map<String, byte[]> attached = new HashMap<>();
    private final Set<String> slow = new HashSet<>();
    private ConnectorStatus.State state = ConnectorStatus.State.READY;
    private Function<String, List<String>> cutter;
    private int next = 1;
    private int doubled;
    private int blindLooks;
    private int sends;
    private Consumer<OutboundMessage> onSend = message -> {};
    private ToLongFunction<Conversation> onTyping = place -> 0;

    /** Sets what each send calls first, on the thread that sends. */
    public synchronized void onSend(Consumer<OutboundMessage> look) {
        onSend = look;
    }

    /** Sets what shows in a conversation that the account writes, and returns when to again. */
    public synchronized void onTyping(ToLongFunction<Conversation> show) {
        onTyping = show;
    }

    private synchronized ToLongFunction<Conversation> onTyping() {
        return onTyping;
    }

    /** Puts a file on the platform, for connectors to fetch by a reference. */
    public synchronized void attach(String reference, byte[] content) {
        attached.put(reference, content.clone());
    }

    private synchronized byte[] attached(String reference) {
        byte[] content = attached.get(reference);
        if (content == null) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "The platform has no such file.");
        }
        return content;
    }

    /** Someone deletes a message. */
    public synchronized void delete(String id) {
        posted.values().forEach(list -> list.removeIf(one -> one.id().equals(id)));
    }

    /** Sets what happens to the next sends to a conversation; {@code *} is any conversation. */
    public synchronized void fail(String conversation, Fault... next) {
        faults.computeIfAbsent(conversation, unused -> new ArrayDeque<>()).addAll(List.of(next));
    }

    /** Lets sends to a conversation be rate-limited until {@link #release}. */
    public synchronized void hold(String conversation) {
        slow.add(conversation);
    }

    /** Ends {@link #hold}. */
    public synchronized void release(String conversation) {
        slow.remove(conversation);
    }

    /** Lets the next looks for messages find out nothing. */
    public synchronized void blind(int looks) {
        blindLooks = looks;
    }

    /** Sets the state of connectors. */
    public synchronized void state(ConnectorStatus.State other) {
        state = other;
    }

    /** Sets how connectors cut texts. */
    public synchronized void cutter(Function<String, List<String>> other) {
        cutter = other;
    }

    /** Returns the messages of a conversation, in the order in which the platform took them. */
    public synchronized List<Posted> posted(String conversation) {
        return List.copyOf(posted.getOrDefault(conversation, List.of()));
    }

    /** Returns their texts. */
    public synchronized List<String> texts(String conversation) {
        return posted(conversation).stream().map(Posted::text).toList();
    }

    /** Returns the reactions to a message. */
    public synchronized Set<String> reactions(String messageId) {
        return Set.copyOf(reactions.getOrDefault(messageId, Set.of()));
    }

    /** Returns how many messages came with a key that the platform had before. */
    public synchronized int doubled() {
        return doubled;
    }

    /** Returns how often something was sent. */
    public synchronized int sends() {
        return sends;
    }

    private synchronized Optional<Fault> fault(String conversation) {
        if (slow.contains(conversation)) {
            return Optional.of(Fault.RATE_LIMITED);
        }
        Deque<Fault> own = faults.get(conversation);
        if (own == null || own.isEmpty()) {
            own = faults.get("*");
        }
        return own == null ? Optional.empty() : Optional.ofNullable(own.poll());
    }

    /** A change of a message that is gone is refused. */
    private synchronized boolean isGone(OutboundMessage message) {
        return !message.editOf().isEmpty()
                && posted(message.conversation().id()).stream()
                        .noneMatch(one -> one.id().equals(message.editOf()));
    }

    private synchronized Consumer<OutboundMessage> onSend() {
        sends++;
        return onSend;
    }

    private synchronized String post(OutboundMessage message) {
        if (!message.reactionTo().isEmpty()) {
            reactions
                    .computeIfAbsent(message.reactionTo(), unused -> new HashSet<>())
                    .add(message.text());
            return "";
        }
        if (idsByKey.containsKey(message.key())) {
            doubled++;
        }
        String id = "p" + next++;
        idsByKey.put(message.key(), id);
        String conversation = message.conversation().id();
        List<Posted> list = posted.computeIfAbsent(conversation, unused -> new ArrayList<>());
        if (!message.editOf().isEmpty()) {
            list.replaceAll(
                    old ->
                            old.id().equals(message.editOf())
                                    ? new Posted(old.id(), old.key(), conversation, message.text())
                                    : old);
            return message.editOf();
        }
        list.add(new Posted(id, message.key(), conversation, message.text()));
        return id;
    }

    private synchronized Optional<String> byKey(String key) {
        return Optional.ofNullable(idsByKey.get(key));
    }

    private synchronized Delivery find(String key) {
        if (blindLooks > 0) {
            blindLooks--;
            return new Delivery.Unknown("the look broke off");
        }
        return byKey(key)
                .<Delivery>map(Delivery.Delivered::new)
                .orElseGet(() -> Delivery.RetryAfter.of(0, "it did not arrive"));
    }

    /** Returns a connector to this platform. */
    public FakeConnector connector(String id, ConnectorCapabilities capabilities) {
        return new FakeConnector(ConnectorId.parse(id), capabilities);
    }

    /** A connector to the platform. */
    public final class FakeConnector implements Connector {
        private final ConnectorId id;
        private final ConnectorCapabilities capabilities;
        private volatile ConnectorContext context;

        private FakeConnector(ConnectorId id, ConnectorCapabilities capabilities) {
            this.id = id;
            this.capabilities = capabilities;
        }

        @Override
        public ConnectorId id() {
            return id;
        }

        @Override
        public ConnectorCapabilities capabilities() {
            return capabilities;
        }

        @Override
        public void start(ConnectorContext given) {
            context = given;
        }

        @Override
        public void stop() {
            context = null;
        }

        @Override
        public void fetch(InboundMessage.Attachment file, OutputStream out, long maxBytes)
                throws IOException {
            Streams.copy(new ByteArrayInputStream(attached(file.reference())), out, maxBytes);
        }

        /** Returns the context that it was started with; null while it is stopped. */
        public ConnectorContext context() {
            return context;
        }

        @Override
        public ConnectorStatus status() {
            synchronized (FakePlatform.this) {
                return ConnectorStatus.of(state, "");
            }
        }

        @Override
        public List<String> render(String markdown) {
            Function<String, List<String>> own;
            synchronized (FakePlatform.this) {
                own = cutter;
            }
            return own == null ? Connector.super.render(markdown) : own.apply(markdown);
        }

        @Override
        public Delivery send(OutboundMessage message) {
            onSend().accept(message);
            if (isGone(message)) {
                return new Delivery.Refused("the message does not exist");
            }
            Optional<Fault> fault = fault(message.conversation().id());
            if (fault.isEmpty()) {
                Optional<String> there =
                        capabilities.has(Feature.DEDUPLICATION)
                                ? byKey(message.key())
                                : Optional.empty();
                return new Delivery.Delivered(there.orElseGet(() -> post(message)));
            }
            return switch (fault.get()) {
                case LOST_ANSWER -> {
                    post(message);
                    yield new Delivery.Unknown("the answer was lost");
                }
                case LOST_REQUEST -> new Delivery.Unknown("the connection broke off");
                case RATE_LIMITED -> Delivery.RetryAfter.of(1, "slow down");
                case SERVER_ERROR -> Delivery.RetryAfter.of(0, "the platform failed");
                case REFUSED -> new Delivery.Refused("the conversation does not exist");
                case THROWN -> throw new IllegalStateException("the connector fails");
            };
        }

        @Override
        public Delivery lookup(OutboundMessage message) {
            return find(message.key());
        }

        @Override
        public String threadOf(InboundMessage message) {
            return message.messageId();
        }

        @Override
        public long typing(Conversation conversation) {
            return onTyping().applyAsLong(conversation);
        }
    }
}

package palyra.testing.channel;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.Sender;
import palyra.shared.connector.Streams;
import palyra.testing.channel.ChatServer.Session;
import palyra.testing.channel.ChatServer.Update;

/** A connector to {@link ChatServer}, which is right, or has one bug. */
final class ChatConnector implements Connector {
    private static final int MOST = 200;
    private static final long PAUSE_MILLIS = 20;
    private static final long JOIN_MILLIS = 4_000;

    private final ChatServer server;
    private final Set<Bug> bugs = EnumSet.noneOf(Bug.class);
    private final AtomicInteger forgotten = new AtomicInteger(); // keys that were made up
    private final Object life = new Object();
    private volatile ConnectorStatus status = ConnectorStatus.of(State.STOPPED, "");
    private volatile ConnectorContext context;
    private volatile Session session;
    private volatile boolean stopping;
    private Thread thread; // under life

    ChatConnector(ChatServer server, Bug... bugs) {
        this.server = server;
        this.bugs.addAll(List.of(bugs));
    }

    private boolean has(Bug bug) {
        return bugs.contains(bug);
    }

    @Override
    public ConnectorId id() {
        return new ConnectorId("chat", "main");
    }

    @Override
    public ConnectorCapabilities capabilities() {
        Feature certainty = server.drops() ? Feature.DEDUPLICATION : Feature.LOOKUP;
        return ConnectorCapabilities.of(
                MOST,
                Feature.EDITS,
                Feature.BUTTONS,
                Feature.REACTIONS,
                Feature.TYPING,
                Feature.FILES_IN,
                Feature.FILES_OUT,
                certainty);
    }

    @Override
    public void start(ConnectorContext given) {
        synchronized (life) {
            stopping = false;
            context = given;
            is(has(Bug.SAYS_READY_ALWAYS) ? State.READY : State.CONNECTING, "");
            thread = Thread.ofVirtual().name("chat-updates").start(this::run);
            if (has(Bug.LEAVES_A_THREAD)) {
                Thread.ofVirtual().name("chat-heartbeat").start(this::beat);
            }
        }
    }

    private void beat() {
        AtomicBoolean awake = new AtomicBoolean(true);
        synchronized (awake) {
            while (awake.get()) {
                try {
                    awake.wait();
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }

    @Override
    public void stop() {
        synchronized (life) {
            stopping = true;
            Session open = session;
            if (open != null) {
                open.close();
            }
            if (!has(Bug.WAITS_FOR_ACCEPT_AT_STOP)) {
                thread.interrupt();
            }
            try {
                thread.join(has(Bug.WAITS_FOR_ACCEPT_AT_STOP) ? 0 : JOIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            is(State.STOPPED, "");
        }
    }

    private void is(State state, String reason) {
        status = ConnectorStatus.of(state, reason);
    }

    @Override
    public ConnectorStatus status() {
        return status;
    }

    private void run() {
        try {
            while (!stopping) {
                connection();
                if (has(Bug.NEVER_RECONNECTS)) {
                    return;
                }
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            // stop() said so
        }
    }

    private void connection() throws InterruptedException {
        try (Session open = server.connect(context.secret(ChatServer.REFERENCE))) {
            session = open;
            is(State.READY, "");
            follow(open);
        } catch (IOException e) {
            trouble(has(Bug.TELLS_THE_TOKEN) ? e.getMessage() : "the platform is away");
        } catch (PalyraException e) {
            trouble(e.getMessage());
        } finally {
            session = null;
        }
    }

    private void trouble(String reason) {
        if (!stopping && !has(Bug.SAYS_READY_ALWAYS)) {
            is(State.RECONNECTING, reason);
        }
    }

    private void follow(Session open) throws IOException, InterruptedException {
        long after =
                context.position()
                        .map(kept -> new String(kept, StandardCharsets.US_ASCII))
                        .map(Long::parseLong)
                        .orElse(0L);
        while (!stopping) {
            List<Update> updates = open.updatesAfter(after);
            after = updates.getLast().id();
            if (has(Bug.CONFIRMS_BEFORE_ACCEPT)) {
                open.confirm(after);
            }
            if (has(Bug.KEEPS_POSITION_BEFORE_ACCEPT)) {
                keep(after);
            }
            if (has(Bug.HANDS_IN_SIDE_BY_SIDE)) {
                sideBySide(updates);
            } else {
                for (Update update : updates) {
                    handIn(update);
                }
            }
        }
    }

    private void keep(long after) {
        context.keepPosition(position(after));
    }

    private static byte[] position(long after) {
        return Long.toString(after).getBytes(StandardCharsets.US_ASCII);
    }

    private void sideBySide(List<Update> updates) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (Update update : updates) {
            threads.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            handIn(update);
                                        } catch (InterruptedException e) {
                                            // stop() said so
                                        }
                                    }));
        }
        for (Thread one : threads) {
            one.join();
        }
    }

    private void handIn(Update update) throws InterruptedException {
        while (!stopping) {
            try {
                take(update);
                return;
            } catch (PalyraException e) {
                if (has(Bug.SKIPS_WHAT_WAS_REFUSED)) {
                    return;
                }
                Thread.sleep(has(Bug.ASKS_IN_A_RUSH) ? 0 : PAUSE_MILLIS);
            }
        }
        throw new InterruptedException();
    }

    private void take(Update update) {
        Sender sender = new Sender(update.person(), update.person(), false, true);
        Conversation conversation = Conversation.direct(update.person());
        if (!update.button().isEmpty()) {
            context.press(new InboundAction(update.button(), sender, conversation));
            keep(update.id());
            return;
        }
        String id =
                has(Bug.MAKES_IDS_UP) ? UUID.randomUUID().toString() : Long.toString(update.id());
        InboundMessage message =
                InboundMessage.written(id, sender, conversation, update.text(), false, 0);
        context.accept(
                update.file().isEmpty() ? message : with(message, update.file()),
                position(update.id()));
    }

    private static InboundMessage with(InboundMessage message, String file) {
        return new InboundMessage(
                message.event(),
                message.messageId(),
                "",
                message.sender(),
                message.conversation(),
                "",
                message.text(),
                false,
                Set.of(),
                List.of(new InboundMessage.Attachment(file, "", -1, file)),
                0);
    }

    @Override
    public void fetch(InboundMessage.Attachment file, OutputStream out, long maxBytes)
            throws IOException {
        Session open = session;
        if (open == null) {
            throw new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "There is no connection.");
        }
        byte[] content =
                open.file(file.reference())
                        .orElseThrow(
                                () -> new PalyraException(ErrorCode.NOT_FOUND, "No such file."));
        long most = has(Bug.FETCHES_WITHOUT_A_BOUND) ? Long.MAX_VALUE : maxBytes;
        Streams.copy(new ByteArrayInputStream(content), out, most);
    }

    @Override
    public Delivery send(OutboundMessage message) {
        Session open = session;
        if (open == null) {
            return has(Bug.SAYS_DELIVERED_WITHOUT_A_CONNECTION)
                    ? new Delivery.Delivered("")
                    : new Delivery.RetryAfter(0, false, "there is no connection");
        }
        return post(
                open,
                has(Bug.LEAVES_FILES_OUT) && !message.text().isEmpty()
                        ? without(message)
                        : has(Bug.EDITS_POST_ANEW)
                                ? with(message.key(), "", message)
                                : has(Bug.FORGETS_THE_KEY)
                                        ? with(
                                                "key" + forgotten.incrementAndGet(),
                                                message.editOf(),
                                                message)
                                        : message);
    }

    private static OutboundMessage without(OutboundMessage message) {
        return new OutboundMessage(
                message.key(),
                message.conversation(),
                message.replyTo(),
                message.editOf(),
                message.text(),
                message.buttons());
    }

    private static OutboundMessage with(String key, String editOf, OutboundMessage message) {
        return new OutboundMessage(
                key,
                message.conversation(),
                message.replyTo(),
                editOf,
                "",
                message.text(),
                message.buttons(),
                message.files());
    }

    private Delivery post(Session open, OutboundMessage message) {
        try {
            if (!message.reactionTo().isEmpty() && !has(Bug.REACTS_BY_A_MESSAGE)) {
                open.react(message.reactionTo(), message.text(), !has(Bug.REACTIONS_PILE_UP));
                return new Delivery.Delivered("");
            }
            return new Delivery.Delivered(open.post(message));
        } catch (ChatServer.RefusedException e) {
            return new Delivery.Refused(e.getMessage());
        } catch (ChatServer.SlowDownException e) {
            return Delivery.RetryAfter.of(PAUSE_MILLIS, "the platform is busy");
        } catch (IOException e) {
            return broken(open, message);
        }
    }

    private Delivery broken(Session open, OutboundMessage message) {
        if (bugs.remove(Bug.SENDS_AGAIN_BY_ITSELF)) {
            return post(open, message);
        }
        if (has(Bug.LOST_ANSWER_IS_A_RETRY)) {
            return Delivery.RetryAfter.of(0, "the connection broke off");
        }
        return has(Bug.SAYS_DELIVERED_WITHOUT_A_CONNECTION)
                ? new Delivery.Delivered("")
                : new Delivery.Unknown("the connection broke off");
    }

    @Override
    public Delivery lookup(OutboundMessage message) {
        Session open = session;
        if (open == null) {
            return new Delivery.Unknown("there is no connection");
        }
        try {
            return open.find(message.key())
                    .filter(id -> !has(Bug.LOOKUP_KNOWS_NOTHING))
                    .<Delivery>map(Delivery.Delivered::new)
                    .orElseGet(() -> Delivery.RetryAfter.of(0, "it is not there"));
        } catch (IOException e) {
            return new Delivery.Unknown("the connection broke off");
        }
    }

    @Override
    public long typing(Conversation conversation) {
        Session open = session;
        try {
            if (open != null) {
                open.type(conversation.id(), has(Bug.TYPES_ONCE_ALONE));
                if (has(Bug.TYPES_BY_A_MESSAGE)) {
                    open.post(
                            new OutboundMessage(
                                    "typing", conversation, "", "", "typing…", List.of()));
                }
            }
        } catch (IOException | ChatServer.RefusedException | ChatServer.SlowDownException e) {
            throw new IllegalStateException(e);
        }
        return 5_000;
    }

    @Override
    public List<String> render(String markdown) {
        if (!has(Bug.CUTS_WITHIN_CHARACTERS)) {
            return Connector.super.render(markdown);
        }
        List<String> parts = new ArrayList<>();
        for (int at = 0; at < markdown.length(); at += MOST - 1) {
            parts.add(markdown.substring(at, Math.min(markdown.length(), at + MOST - 1)));
        }
        return parts;
    }
}

package palyra.testing.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import palyra.api.channel.Connector;
import palyra.api.channel.Conversation;
import palyra.api.channel.OutboundMessage;

/**
 * A platform whose clients wait for updates: who asks for those after one confirms all up to it.
 * Thread-safe.
 */
final class ChatServer implements ConnectorFixture {
    static final String REFERENCE = "vault:channel:chat:main/token";
    static final String TOKEN = "bot4711:AAF-very+secret/token";

    /** What a person did; {@code button} is empty for a message. */
    record Update(long id, String person, String text, String button, String file) {}

    record Post(
            String id,
            String key,
            String person,
            String text,
            List<String> buttons,
            Map<String, byte[]> files) {}

    /** The platform will never take the message. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String reason) {
            super(reason);
        }
    }

    /** The platform takes nothing for some time. */
    static final class SlowDownException extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final Function<ChatServer, Connector> connectors;
    private final boolean dropping;
    private final List<Update> updates = new ArrayList<>();
    private final Map<String, Post> posts = new LinkedHashMap<>();
    private final Map<String, List<String>> reactions = new LinkedHashMap<>();
    private final Map<String, Integer> typing = new LinkedHashMap<>();
    private final Map<String, byte[]> attached = new LinkedHashMap<>(); // by name
    private SendFault fault;
    private final List<Session> sessions = new ArrayList<>();
    private long confirmed;
    private boolean broken;
    private int stalled;
    private int made;

    /**
     * Opens one.
     *
     * @param dropping whether it drops a message whose key it has
     */
    ChatServer(boolean dropping, Function<ChatServer, Connector> connectors) {
        this.dropping = dropping;
        this.connectors = connectors;
    }

    boolean drops() {
        return dropping;
    }

    /** Opens a connection. */
    synchronized Session connect(String token) throws IOException {
        if (broken) {
            throw new IOException("no connection to https://chat.example/" + token);
        }
        if (!token.equals(TOKEN)) {
            throw new IOException("the token is wrong");
        }
        Session session = new Session();
        sessions.add(session);
        return session;
    }

    /** A connection. */
    final class Session implements AutoCloseable {
        private boolean open = true; // under the server

        List<Update> updatesAfter(long id) throws IOException, InterruptedException {
            synchronized (ChatServer.this) {
                confirmed = Math.max(confirmed, id);
                while (open && updates.stream().noneMatch(one -> one.id() > id)) {
                    ChatServer.this.wait();
                }
                requireOpen();
                return updates.stream().filter(one -> one.id() > id).toList();
            }
        }

        void confirm(long id) {
            synchronized (ChatServer.this) {
                confirmed = Math.max(confirmed, id);
            }
        }

        String post(OutboundMessage message)
                throws IOException, RefusedException, SlowDownException {
            synchronized (ChatServer.this) {
                requireOpen();
                meet(fault, message);
                return put(message);
            }
        }

        /** Reacts to an update; {@code instead} of the account's earlier reactions to it. */
        void react(String update, String reaction, boolean instead) throws IOException {
            synchronized (ChatServer.this) {
                requireOpen();
                List<String> own = reactions.computeIfAbsent(update, unused -> new ArrayList<>());
                if (instead) {
                    own.clear();
                }
                own.add(reaction);
            }
        }

        /** Shows that the account writes; {@code once} although it did before. */
        void type(String person, boolean once) throws IOException {
            synchronized (ChatServer.this) {
                requireOpen();
                typing.merge(person, 1, once ? Math::max : Integer::sum);
            }
        }

        private void meet(SendFault fault, OutboundMessage message)
                throws IOException, RefusedException, SlowDownException {
            if (fault == SendFault.LOST_ANSWER) {
                put(message);
                throw new IOException("the connection broke off");
            } else if (fault == SendFault.LOST_REQUEST) {
                throw new IOException("the connection broke off");
            } else if (fault == SendFault.REFUSED) {
                throw new RefusedException("the conversation is closed");
            } else if (fault == SendFault.RATE_LIMITED) {
                throw new SlowDownException();
            } else if (fault == SendFault.STALLED) {
                stall();
            }
        }

        private void stall() throws IOException {
            stalled++;
            try {
                while (open) {
                    ChatServer.this.wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                stalled--;
            }
            throw new IOException("the connection was closed");
        }

        Optional<byte[]> file(String name) throws IOException {
            synchronized (ChatServer.this) {
                requireOpen();
                return Optional.ofNullable(attached.get(name));
            }
        }

        Optional<String> find(String key) throws IOException {
            synchronized (ChatServer.this) {
                requireOpen();
                return byKey(key);
            }
        }

        private void requireOpen() throws IOException {
            if (!open) {
                throw new IOException("the connection was closed");
            }
        }

        @Override
        public void close() {
            synchronized (ChatServer.this) {
                open = false;
                sessions.remove(this);
                ChatServer.this.notifyAll();
            }
        }
    }

    private Optional<String> byKey(String key) {
        return posts.values().stream()
                .filter(one -> one.key().equals(key))
                .map(Post::id)
                .findFirst();
    }

    private String put(OutboundMessage message) {
        Optional<String> there = dropping ? byKey(message.key()) : Optional.empty();
        if (there.isPresent()) {
            return there.get();
        }
        String id = message.editOf().isEmpty() ? "post-" + ++made : message.editOf();
        List<String> buttons =
                message.buttons().stream().map(OutboundMessage.Button::data).toList();
        posts.put(
                id,
                new Post(
                        id,
                        message.key(),
                        message.conversation().id(),
                        message.text(),
                        buttons,
                        contents(message)));
        return id;
    }

    private static Map<String, byte[]> contents(OutboundMessage message) {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        for (OutboundMessage.File file : message.files()) {
            try (InputStream in = file.content().open()) {
                contents.put(file.name(), in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return contents;
    }

    @Override
    public synchronized Map<String, byte[]> files(Conversation conversation) {
        return posts.values().stream()
                .filter(one -> one.person().equals(conversation.id()))
                .map(Post::files)
                .reduce(Map.of(), (earlier, later) -> later);
    }

    @Override
    public Connector connector() {
        return connectors.apply(this);
    }

    @Override
    public Map<String, String> secrets() {
        return Map.of(REFERENCE, TOKEN);
    }

    @Override
    public synchronized void write(String person, String text) {
        update(person, text, "", "");
    }

    @Override
    public synchronized void attach(String person, String text, String name, byte[] content) {
        attached.put(name, content);
        update(person, text, "", name);
    }

    private void update(String person, String text, String button, String file) {
        updates.add(new Update(updates.size() + 1, person, text, button, file));
        notifyAll();
    }

    @Override
    public synchronized boolean isConfirmed(String text) {
        return updates.stream().anyMatch(one -> one.text().equals(text) && one.id() <= confirmed);
    }

    @Override
    public synchronized List<String> posted(Conversation conversation) {
        return posts.values().stream()
                .filter(one -> one.person().equals(conversation.id()))
                .map(Post::text)
                .toList();
    }

    @Override
    public synchronized List<String> reactions(Conversation conversation) {
        return updates.stream()
                .filter(one -> one.person().equals(conversation.id()) && one.button().isEmpty())
                .map(one -> reactions.getOrDefault(Long.toString(one.id()), List.of()))
                .reduce(List.of(), (earlier, later) -> later);
    }

    @Override
    public synchronized int typing(Conversation conversation) {
        return typing.getOrDefault(conversation.id(), 0);
    }

    @Override
    public synchronized void breakConnection() {
        broken = true;
        List.copyOf(sessions).forEach(Session::close);
    }

    @Override
    public synchronized void mendConnection() {
        broken = false;
    }

    @Override
    public Set<SendFault> faults() {
        return EnumSet.allOf(SendFault.class);
    }

    @Override
    public synchronized void fail(SendFault fault) {
        this.fault = fault;
    }

    @Override
    public synchronized void recover() {
        fault = null;
    }

    @Override
    public synchronized boolean isStalled() {
        return stalled > 0;
    }

    @Override
    public synchronized List<String> buttons(Conversation conversation) {
        return posts.values().stream()
                .filter(one -> one.person().equals(conversation.id()))
                .map(Post::buttons)
                .reduce(List.of(), (earlier, later) -> later);
    }

    @Override
    public synchronized void press(Conversation conversation, String data) {
        update(conversation.id(), "", data, "");
    }

    @Override
    public void close() {
        breakConnection();
    }
}

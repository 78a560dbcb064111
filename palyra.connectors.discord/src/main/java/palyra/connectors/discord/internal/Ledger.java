package palyra.connectors.discord.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import palyra.api.channel.InboundMessage;

/**
 * How far the connector is in what Discord sends: sessions with their sequence, the last message of
 * each conversation, and which messages of its own it knows. Written as one position of at most 16
 * KiB; of too many conversations those go that were silent longest. Thread-safe.
 */
final class Ledger {
    private static final int VERSION = 1;
    private static final int MOST_BYTES = 16_384;
    private static final int MOST_CONVERSATIONS = 1_000;
    private static final int MOST_SENT = 64;
    private static final int MOST_DELETED = 256;
    private static final int RADIX = 36;
    private static final String GATEWAY_KEY = "[A-Za-z0-9_-]{22,25}";
    private static final long SKEW_MILLIS = 60_000; // of clocks
    private static final String GAP = "g";
    private static final String DIRECT = "d";

    /**
     * A session.
     *
     * @param id its id; empty for none
     * @param url where it is resumed
     * @param sequence the last event that is handled; {@link GatewayMachine#NONE} for none
     * @param intents what it was begun with; {@link GatewayMachine#NONE} when that is not known
     */
    record Session(String id, String url, long sequence, long intents) {
        static final Session NONE = new Session("", "", GatewayMachine.NONE, GatewayMachine.NONE);
    }

    /** A message of the bot. */
    record Sent(String channel, long message) {}

    /** A conversation: a channel, a direct one, or a thread. */
    private static final class Known {
        private long last; // message
        private final String parent; // of a thread; empty otherwise
        private final boolean direct;
        private boolean gap; // messages after the last one may be missing
        private int dropped; // messages that came while they were missing

        Known(long last, String parent, boolean direct) {
            this.last = last;
            this.parent = parent;
            this.direct = direct;
        }
    }

    private static final class Stream {
        private Session session = Session.NONE;
        private final TreeSet<Long> held = new TreeSet<>(); // events that are under way
    }

    private final Stream[] streams;
    private final LinkedHashMap<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
    private final LinkedHashMap<String, Sent> sent = new LinkedHashMap<>();
    private final LinkedHashMap<Long, String> deleted = new LinkedHashMap<>();
    private final LinkedHashMap<String, Boolean> sending = new LinkedHashMap<>();
    private final Deferred deferred = new Deferred();
    private final long bornMillis = System.currentTimeMillis();
    private String bot = "";
    private String application = "";
    private boolean loaded;
    private boolean dirty;

    Ledger(int shards) {
        streams = new Stream[shards];
        for (int i = 0; i < shards; i++) {
            streams[i] = new Stream();
        }
    }

    /** Returns the ledger of an earlier life. */
    static Ledger read(Optional<byte[]> position, int shards) {
        Ledger ledger = new Ledger(shards);
        ledger.load(position);
        return ledger;
    }

    /**
     * Takes over what an earlier life knew, once. A position of another version, or one that is
     * damaged, counts as none. Before it, nothing is to be kept.
     */
    synchronized void load(Optional<byte[]> position) {
        if (loaded) {
            return;
        }
        loaded = true;
        try {
            if (position.isPresent()) {
                take(DiscordApi.JSON.readTree(position.get()));
            }
        } catch (IOException e) {
            // as a first start
        }
    }

    synchronized boolean isLoaded() {
        return loaded;
    }

    private void take(JsonNode position) {
        if (position.path("v").asInt() != VERSION) {
            return;
        }
        bot = id(position.path("bot"));
        application = id(position.path("app"));
        JsonNode sessions = position.path("s");
        boolean same = sessions.size() == streams.length;
        for (int i = 0; same && i < streams.length; i++) {
            JsonNode one = sessions.path(i);
            streams[i].session =
                    new Session(
                            one.path(0).asText(""),
                            one.path(1).asText(""),
                            one.path(2).asLong(GatewayMachine.NONE),
                            one.path(3).asLong(GatewayMachine.NONE));
        }
        for (JsonNode one : position.path("c")) {
            String[] parts = one.asText().split("\\.", -1);
            if (parts.length == 4) {
                Known entry =
                        new Known(number(parts[1]), decimal(parts[2]), parts[3].contains(DIRECT));
                entry.gap = !same || parts[3].contains(GAP);
                known.put(decimal(parts[0]), entry);
            }
        }
        for (JsonNode one : position.path("k")) {
            sent.put(
                    one.path(0).asText(),
                    new Sent(decimal(one.path(1).asText()), number(one.path(2).asText())));
        }
    }

    private static String id(JsonNode told) {
        return Snowflakes.isOne(told.asText("")) ? told.asText() : "";
    }

    private static long number(String text) {
        return text.matches("[0-9a-z]{1,12}") ? Long.parseLong(text, RADIX) : 0;
    }

    private static String decimal(String text) {
        return text.isEmpty() ? "" : Long.toString(number(text));
    }

    private static String brief(String id) {
        return id.isEmpty() ? "" : Long.toString(Long.parseLong(id), RADIX);
    }

    /** Returns the bot's id; empty before Discord told it. */
    synchronized String bot() {
        return bot;
    }

    /** Returns the application's id; empty before Discord told it. */
    synchronized String application() {
        return application;
    }

    /** Takes note of who the bot is, unless that is no id: what is known is not given up for it. */
    synchronized void isBot(String botId, String applicationId) {
        if (!Snowflakes.isOne(botId)) {
            return;
        }
        if (!bot.isEmpty() && !bot.equals(botId)) {
            known.clear(); // the token is another bot's
            deferred.forgetAll();
            sent.clear();
        }
        bot = botId;
        application = Snowflakes.isOne(applicationId) ? applicationId : application;
        dirty = true;
    }

    synchronized Session session(int shard) {
        return streams[shard].session;
    }

    /** A session began. */
    synchronized void begun(int shard, String id, String url, long sequence, long intents) {
        streams[shard].session = new Session(id, url, sequence, intents);
        streams[shard].held.clear();
        dirty = true;
    }

    /** A session is over: what came after the last known message of each conversation may lack. */
    synchronized void forget(int shard) {
        streams[shard].session = Session.NONE;
        streams[shard].held.clear();
        for (Known one : known.values()) {
            one.gap = true;
            one.dropped++; // what is being fetched now is not all
        }
        dirty = true;
    }

    /** Returns whether an event was handled in this session, or is held by this life. */
    synchronized boolean isHandled(int shard, long sequence) {
        return sequence > 0 && sequence <= streams[shard].session.sequence();
    }

    /** An event is handled, with all before it but those that are held. */
    synchronized void handled(int shard, long sequence) {
        Session now = streams[shard].session;
        if (sequence > now.sequence()) {
            streams[shard].session = new Session(now.id(), now.url(), sequence, now.intents());
            dirty = true;
        }
    }

    /**
     * An event is under way: a later life is told of it again unless it is released.
     *
     * @return releases it
     */
    synchronized Runnable hold(int shard, long sequence) {
        String session = streams[shard].session.id();
        streams[shard].held.add(sequence);
        return () -> release(shard, session, sequence);
    }

    /** Another session counts its events from the beginning. */
    private synchronized void release(int shard, String session, long sequence) {
        if (session.equals(streams[shard].session.id())) {
            dirty |= streams[shard].held.remove(sequence);
        }
    }

    /** Returns the last event before which all are durable. */
    synchronized long durable(int shard) {
        Stream stream = streams[shard];
        return durable(stream, stream.session.sequence());
    }

    private static long durable(Stream stream, long sequence) {
        return stream.held.isEmpty() ? sequence : Math.min(sequence, stream.held.first() - 1);
    }

    /** Takes note of a message that is handled. */
    synchronized void seen(Place place, long message) {
        dirty = true;
        Known entry = known(place);
        entry.last = Math.max(entry.last, message);
        while (known.size() > MOST_CONVERSATIONS) {
            String silent = known.keySet().iterator().next();
            known.remove(silent);
            deferred.forget(silent);
        }
    }

    private Known known(Place place) {
        return known.computeIfAbsent(
                place.channel(), unused -> new Known(0, place.parent(), place.direct()));
    }

    /** Returns where a conversation is, without its name, if it is known. */
    synchronized Optional<Place> place(String channel) {
        return Optional.ofNullable(known.get(channel))
                .map(one -> new Place(channel, one.parent, one.direct, ""));
    }

    /** Returns the last message of a conversation; 0 for none. */
    synchronized long last(String channel) {
        Known entry = known.get(channel);
        return entry == null ? 0 : entry.last;
    }

    /**
     * Leaves a message for later when what its conversation lacks is fetched first: the history
     * brings it too, and {@link #deferred} has it in case it does not, as far as there is room.
     * Until it is settled, a later life is told of its event again.
     *
     * @return whether it is left
     */
    synchronized boolean defers(
            String channel, long id, InboundMessage message, int shard, long sequence) {
        Known entry = known.get(channel);
        if (entry == null || !entry.gap || id <= entry.last) {
            return false;
        }
        entry.dropped++;
        if (deferred.hasRoom(message)) {
            deferred.add(channel, new Deferred.Waiting(id, message, hold(shard, sequence)));
        }
        return true;
    }

    /** Returns the messages that were left, in the order in which they came. */
    synchronized List<Deferred.Waiting> deferred(String channel) {
        return deferred.of(channel);
    }

    /** A message that was left is handed in, or came with the history. */
    synchronized void settled(String channel, Deferred.Waiting one) {
        deferred.settle(channel, one);
    }

    /** Takes note of a message that was deleted while it may be fetched. */
    synchronized void deleted(String channel, long message) {
        deleted.put(message, channel);
        while (deleted.size() > MOST_DELETED) {
            deleted.remove(deleted.keySet().iterator().next());
        }
    }

    synchronized boolean isDeleted(long message) {
        return deleted.containsKey(message);
    }

    /** Returns the conversations that lack messages, the last used first. */
    synchronized List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        known.forEach(
                (channel, one) -> {
                    if (one.gap) {
                        gaps.add(0, channel);
                    }
                });
        return gaps;
    }

    /** Returns how many messages were left; for {@link #closed}. */
    synchronized int left(String channel) {
        Known entry = known.get(channel);
        return entry == null ? 0 : entry.dropped;
    }

    /**
     * Everything up to a look was fetched.
     *
     * @param left what {@link #left} was before the look
     * @return whether nothing came meanwhile
     */
    synchronized boolean closed(String channel, int left) {
        Known entry = known.get(channel);
        if (entry == null || entry.dropped == left) {
            if (entry != null) {
                entry.gap = false;
            }
            dirty = true;
            return true;
        }
        return false;
    }

    /** Takes note of a message of the bot that carries a key. */
    synchronized void sent(String key, String channel, long message) {
        sent.remove(key);
        sent.put(key, new Sent(channel, message));
        while (sent.size() > MOST_SENT) {
            sent.remove(sent.keySet().iterator().next());
        }
        dirty = true;
    }

    /** A message is about to be sent. */
    synchronized void sending(String key) {
        sending.put(key, true);
        while (sending.size() > MOST_CONVERSATIONS) {
            sending.remove(sending.keySet().iterator().next());
        }
    }

    /** Returns whether a message of the bot was sent lately, by a gateway, and not by this one. */
    synchronized boolean isForeign(String key, long message) {
        return key.matches(GATEWAY_KEY)
                && !sending.containsKey(key)
                && !sent.containsKey(key)
                && Snowflakes.millis(message) > bornMillis + SKEW_MILLIS;
    }

    /** Returns the message of a key. */
    synchronized Optional<Sent> sent(String key) {
        return Optional.ofNullable(sent.get(key));
    }

    /** Returns whether a message is known to be that of another key. */
    synchronized boolean isOfAnother(String key, long message) {
        return sent.entrySet().stream()
                .anyMatch(one -> one.getValue().message() == message && !one.getKey().equals(key));
    }

    /** Returns the last message that the bot is known to have sent there; 0 for none. */
    synchronized long lastSent(String channel) {
        return sent.values().stream()
                .filter(one -> one.channel().equals(channel))
                .mapToLong(Sent::message)
                .max()
                .orElse(0);
    }

    /** Returns the position if it changed since the last time. */
    synchronized Optional<byte[]> changed() {
        if (!dirty || !loaded) {
            return Optional.empty();
        }
        dirty = false;
        return Optional.of(bytes(-1, 0, "", 0));
    }

    /** The position that was handed out last is not kept. */
    synchronized void unkept() {
        dirty = true;
    }

    /** Returns the position once an event and its message are handled. */
    synchronized byte[] with(int shard, long sequence, Place place, long message) {
        if (message > 0) {
            known(place);
        }
        return bytes(shard, sequence, place.channel(), message);
    }

    private byte[] bytes(int shard, long sequence, String channel, long message) {
        int most = known.size();
        while (true) {
            byte[] bytes = json(most, shard, sequence, channel, message);
            if (bytes.length <= MOST_BYTES) {
                return bytes;
            }
            most = Math.min(most - 1, (int) ((long) most * MOST_BYTES / bytes.length));
        }
    }

    private byte[] json(int most, int shard, long sequence, String channel, long message) {
        ObjectNode position = DiscordApi.JSON.createObjectNode().put("v", VERSION);
        position.put("bot", bot).put("app", application);
        ArrayNode sessions = position.putArray("s");
        for (int i = 0; i < streams.length; i++) {
            Session one = streams[i].session;
            long upTo = i == shard ? Math.max(sequence, one.sequence()) : one.sequence();
            sessions.addArray()
                    .add(one.id())
                    .add(one.url())
                    .add(durable(streams[i], upTo))
                    .add(one.intents());
        }
        ArrayNode conversations = position.putArray("c");
        int skip = known.size() - most;
        for (Map.Entry<String, Known> one : known.entrySet()) {
            if (skip-- > 0) {
                continue;
            }
            Known entry = one.getValue();
            long last = one.getKey().equals(channel) ? Math.max(entry.last, message) : entry.last;
            conversations.add(
                    brief(one.getKey())
                            + "."
                            + Long.toString(last, RADIX)
                            + "."
                            + brief(entry.parent)
                            + "."
                            + (entry.gap ? GAP : "")
                            + (entry.direct ? DIRECT : ""));
        }
        ArrayNode keys = position.putArray("k");
        sent.forEach(
                (key, one) ->
                        keys.addArray()
                                .add(key)
                                .add(brief(one.channel()))
                                .add(Long.toString(one.message(), RADIX)));
        try {
            return DiscordApi.JSON.writeValueAsBytes(position);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a position cannot be written", e);
        }
    }
}

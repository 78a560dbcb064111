package palyra.testing.telegram;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import palyra.testing.http.FaultServer;
import palyra.testing.http.FaultyApi;

/**
 * The Bot API of Telegram as far as a connector needs it, with the rules that connectors trip over:
 * long polling that forgets updates by {@code offset} alone, one poller at a time, HTML that has to
 * be well-formed, texts of at most 4,096 characters, chats that have to be known, reactions that
 * are of a list. Thread-safe.
 */
public final class FakeTelegram extends FaultyApi {
    /** The bot's id. */
    public static final long BOT = 7_000_001;

    /** The bot's name. */
    public static final String USERNAME = "palyra_test_bot";

    /** The token, of the form of real ones. */
    public static final String TOKEN = BOT + ":AAF-fakeFakeFAKEfake_0123456789abcdefg";

    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int MAX_TEXT = 4_096;
    private static final int MOST_UPDATES = 100;
    private static final Set<String> EMOJI = Set.of("👍", "👎", "❤", "🔥", "🎉");

    /**
     * A message of the bot.
     *
     * @param chat where
     * @param id its id there
     * @param text without tags
     * @param call what was asked, of the last change
     */
    public record Sent(long chat, long id, String text, JsonNode call) {}

    private final Object lock = new Object();
    private final TreeMap<Long, ObjectNode> updates = new TreeMap<>(); // guarded by lock
    private final Map<String, Sent> sent = new LinkedHashMap<>(); // guarded by lock
    private final Map<String, String> reactions = new LinkedHashMap<>(); // guarded by lock
    private final List<JsonNode> answeredQueries = new ArrayList<>(); // guarded by lock
    private final List<JsonNode> typing = new ArrayList<>(); // guarded by lock
    private final Map<Long, String> chats = new LinkedHashMap<>(); // type by id; guarded by lock
    private final Map<Long, Long> migrated = new LinkedHashMap<>(); // guarded by lock
    private long nextUpdate = 900_000_001; // guarded by lock
    private long nextMessage = 101; // guarded by lock
    private long poller; // which call polls; guarded by lock
    private long held; // which call waits for updates; 0 for none; guarded by lock
    private String token = TOKEN; // guarded by lock
    private String webhook = ""; // guarded by lock
    private boolean closed; // guarded by lock

    @Override
    protected String name(FaultServer.Heard request) {
        String path = request.line().split(" ")[1];
        return path.substring(path.lastIndexOf('/') + 1).replaceAll("\\?.*", "");
    }

    @Override
    protected Reply act(Call call) throws InterruptedException {
        JsonNode asked;
        try {
            asked = JSON.readTree(call.request().body());
        } catch (JsonProcessingException e) {
            return refused(400, "Bad Request: can't parse JSON object");
        }
        synchronized (lock) {
            if (!call.request().line().contains("/bot" + token + "/")) {
                return refused(401, "Unauthorized");
            }
            return switch (call.name()) {
                case "getMe" -> done(me());
                case "getUpdates" -> updates(asked);
                case "sendMessage" -> send(asked);
                case "editMessageText" -> edit(asked);
                case "setMessageReaction" -> react(asked);
                case "sendChatAction" -> act(asked);
                case "answerCallbackQuery" -> {
                    answeredQueries.add(asked);
                    yield done(NODES.booleanNode(true));
                }
                default -> refused(404, "Not Found: method not found");
            };
        }
    }

    private static Reply done(JsonNode result) {
        return new Reply(200, NODES.objectNode().put("ok", true).set("result", result).toString());
    }

    private static Reply refused(int code, String description) {
        return new Reply(code, error(code, description).toString());
    }

    private static ObjectNode error(int code, String description) {
        return NODES.objectNode()
                .put("ok", false)
                .put("error_code", code)
                .put("description", description);
    }

    private static ObjectNode me() {
        return user(BOT, "Palyra").put("is_bot", true).put("username", USERNAME);
    }

    private static ObjectNode user(long id, String name) {
        return NODES.objectNode().put("id", id).put("is_bot", false).put("first_name", name);
    }

    @SuppressWarnings("WaitNotInLoop") // it is in one
    private Reply updates(JsonNode asked) throws InterruptedException {
        if (!webhook.isEmpty()) {
            return refused(
                    409,
                    "Conflict: can't use getUpdates method while webhook is active; use"
                            + " deleteWebhook to delete the webhook first");
        }
        long self = ++poller;
        lock.notifyAll();
        updates.headMap(asked.path("offset").asLong(0)).clear();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(asked.path("timeout").asLong(0));
        while (updates.isEmpty() && !closed && self == poller && System.nanoTime() < end) {
            held = self;
            TimeUnit.NANOSECONDS.timedWait(lock, Math.max(1_000_000, end - System.nanoTime()));
        }
        held = held == self ? 0 : held;
        if (self != poller) {
            return refused(
                    409,
                    "Conflict: terminated by other getUpdates request; make sure that only one bot"
                            + " instance is running");
        }
        ArrayNode result = NODES.arrayNode();
        updates.values().stream().limit(MOST_UPDATES).forEach(result::add);
        return done(result);
    }

    private Reply send(JsonNode asked) {
        long chat = asked.path("chat_id").asLong();
        if (migrated.containsKey(chat)) {
            ObjectNode error =
                    error(400, "Bad Request: group chat was upgraded to a supergroup chat");
            error.putObject("parameters").put("migrate_to_chat_id", migrated.get(chat));
            return new Reply(400, error.toString());
        }
        if (!chats.containsKey(chat)) {
            return refused(400, "Bad Request: chat not found");
        }
        if (chats.get(chat).equals("blocked")) {
            return refused(403, "Forbidden: bot was blocked by the user");
        }
        return kept(chat, nextMessage, asked);
    }

    private Reply edit(JsonNode asked) {
        long chat = asked.path("chat_id").asLong();
        long id = asked.path("message_id").asLong();
        Sent before = sent.get(chat + "/" + id);
        if (before == null) {
            return refused(400, "Bad Request: message to edit not found");
        }
        boolean same =
                before.call().path("text").equals(asked.path("text"))
                        && before.call().path("reply_markup").equals(asked.path("reply_markup"));
        return same
                ? refused(
                        400,
                        "Bad Request: message is not modified: specified new message content"
                                + " and reply markup are exactly the same")
                : kept(chat, id, asked);
    }

    /** The bot's reactions to a message are those of the last call. */
    private Reply react(JsonNode asked) {
        long chat = asked.path("chat_id").asLong();
        String name = chat + "/" + asked.path("message_id").asLong();
        JsonNode reaction = asked.path("reaction").path(0);
        String emoji = reaction.path("emoji").asText("");
        if (!chats.containsKey(chat)) {
            return refused(400, "Bad Request: chat not found");
        }
        if (asked.path("message_id").asLong() >= nextMessage) {
            return refused(400, "Bad Request: message to react not found");
        }
        if (!reaction.path("type").asText("").equals("emoji") || !EMOJI.contains(emoji)) {
            return refused(400, "Bad Request: REACTION_INVALID");
        }
        reactions.put(name, emoji);
        return done(NODES.booleanNode(true));
    }

    private Reply act(JsonNode asked) {
        if (!chats.containsKey(asked.path("chat_id").asLong())) {
            return refused(400, "Bad Request: chat not found");
        }
        if (!asked.path("action").asText("").equals("typing")) {
            return refused(400, "Bad Request: wrong parameter action in request");
        }
        typing.add(asked);
        return done(NODES.booleanNode(true));
    }

    private Reply kept(long chat, long id, JsonNode asked) {
        String text = asked.path("text").asText("");
        try {
            text =
                    asked.path("parse_mode").asText("").equals("HTML")
                            ? TelegramMarkup.text(text)
                            : text;
        } catch (IllegalArgumentException e) {
            return refused(400, "Bad Request: " + e.getMessage());
        }
        if (text.isBlank()) {
            return refused(400, "Bad Request: message text is empty");
        }
        if (text.length() > MAX_TEXT) {
            return refused(400, "Bad Request: message is too long");
        }
        nextMessage = Math.max(nextMessage, id + 1);
        sent.put(chat + "/" + id, new Sent(chat, id, text, asked));
        ObjectNode result =
                NODES.objectNode()
                        .put("message_id", id)
                        .put("date", System.currentTimeMillis() / 1_000)
                        .put("text", text);
        result.set("from", me());
        result.putObject("chat").put("id", chat).put("type", chats.get(chat));
        return done(result);
    }

    /** Returns the calls by which the bot was shown to write, oldest first. */
    public List<JsonNode> typing() {
        synchronized (lock) {
            return List.copyOf(typing);
        }
    }

    /** Returns a message that a user writes: complete, and not handed out yet. */
    public ObjectNode message(long chat, String type, long from, String text) {
        synchronized (lock) {
            chats.putIfAbsent(chat, type);
            ObjectNode message =
                    NODES.objectNode()
                            .put("message_id", nextMessage++)
                            .put("date", System.currentTimeMillis() / 1_000)
                            .put("text", text);
            message.set("from", user(from, "User " + from));
            message.putObject("chat")
                    .put("id", chat)
                    .put("type", type)
                    .put("title", type.equals("private") ? null : "Group " + chat);
            return message;
        }
    }

    /** Has a person write to the bot alone; returns the id of the update. */
    public long say(long person, String text) {
        return deliver("message", message(person, "private", person, text));
    }

    /** Hands out an update with this content; returns its id. */
    public long deliver(String kind, JsonNode content) {
        synchronized (lock) {
            return put(nextUpdate, NODES.objectNode().set(kind, content));
        }
    }

    /** Has a person press a button of a message of the bot; returns the id of the update. */
    public long press(String queryId, long person, Sent on, String data) {
        ObjectNode query = NODES.objectNode().put("id", queryId).put("data", data);
        query.set("from", user(person, "User " + person));
        ObjectNode message = query.putObject("message").put("message_id", on.id());
        synchronized (lock) {
            message.putObject("chat").put("id", on.chat()).put("type", chats.get(on.chat()));
        }
        return deliver("callback_query", query);
    }

    /** Hands out an update with an id of the test's own, below or above all others. */
    public long put(long id, ObjectNode update) {
        synchronized (lock) {
            updates.put(id, update.put("update_id", id));
            nextUpdate = Math.max(nextUpdate, id + 1);
            lock.notifyAll();
            return id;
        }
    }

    /** Returns the ids of the updates that were not confirmed. */
    public List<Long> unconfirmed() {
        synchronized (lock) {
            return List.copyOf(updates.keySet());
        }
    }

    /** Returns the bot's messages as they are now, oldest first. */
    public List<Sent> sent() {
        synchronized (lock) {
            return List.copyOf(sent.values());
        }
    }

    /** Returns the bot's reactions, by the message {@code CHAT/ID}. */
    public Map<String, String> reactions() {
        synchronized (lock) {
            return Map.copyOf(reactions);
        }
    }

    /** Returns the answers to pressed buttons. */
    public List<JsonNode> answeredQueries() {
        synchronized (lock) {
            return List.copyOf(answeredQueries);
        }
    }

    /**
     * Makes a chat known that did not write yet; type {@code blocked} for one that blocks the bot.
     */
    public void chat(long chat, String type) {
        synchronized (lock) {
            chats.put(chat, type);
        }
    }

    /** Makes a supergroup of a group. */
    public void migrate(long group, long supergroup) {
        synchronized (lock) {
            migrated.put(group, supergroup);
            chats.put(supergroup, "supergroup");
        }
    }

    /** Sets a webhook; an empty one removes it. */
    public void webhook(String url) {
        synchronized (lock) {
            webhook = url;
        }
    }

    /** Gives the bot another token, as @BotFather does. */
    public void token(String other) {
        synchronized (lock) {
            token = other;
        }
    }

    /** Returns whether a poll is held open. */
    public boolean isPolled() {
        synchronized (lock) {
            return held != 0 && held == poller;
        }
    }

    /** Polls as another program would, which ends the call that is open. */
    public void pollElsewhere() {
        synchronized (lock) {
            poller++;
            lock.notifyAll();
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            lock.notifyAll();
        }
        super.close();
    }
}

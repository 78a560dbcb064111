package palyra.channels.internal.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Sender;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;

/**
 * Senders of direct messages who asked to be answered: each gets a code, and an operator who was
 * told the code by the person approves it. Thread-safe; kept in the journal.
 */
public final class Pairings {
    /** How long a code is valid, in milliseconds. */
    public static final long CODE_MILLIS = 10 * 60_000L;

    /** Most codes of a connector that are valid at a time: further senders get none. */
    public static final int MOST_CODES = 50;

    private static final String COLLECTION = "channel_pairing";
    private static final String ALPHABET =
            "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // Crockford's base 32
    private static final int CODE_LENGTH = 8; // 40 bits
    private static final int PAGE = 200;

    private final Gate<Journal> journal;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /** Creates a view of the journal. */
    public Pairings(Gate<Journal> journal, InstantSource clock) {
        this.journal = journal;
        this.clock = clock;
    }

    /** The state of a pairing. */
    public enum State {
        /** A code was given. */
        ASKED,
        /** The sender is answered. */
        PAIRED,
        /** An operator took it back, or refused it: for a while the sender gets no code. */
        REVOKED
    }

    /**
     * A pairing.
     *
     * @param code the last code that the sender was given
     * @param untilMillis until when the code, or the pairing, is valid, or the sender gets no code;
     *     0 for a pairing without end
     * @param by who approved or revoked it; empty before
     */
    public record Pairing(
            String connector,
            String sender,
            String name,
            State state,
            String code,
            long untilMillis,
            String by) {
        boolean validAt(long millis) {
            return untilMillis == 0 || millis < untilMillis;
        }
    }

    /** Returns whether a sender is paired now. */
    public boolean paired(ConnectorId connector, Sender sender) {
        return find(key(connector.toString(), sender.id()))
                .map(Pairings::read)
                .filter(pairing -> pairing.state() == State.PAIRED)
                .filter(pairing -> pairing.validAt(clock.millis()))
                .isPresent();
    }

    /** Returns the valid code of a sender who was not approved yet. */
    Optional<String> code(ConnectorId connector, Sender sender) {
        return find(key(connector.toString(), sender.id()))
                .map(Pairings::read)
                .filter(pairing -> pairing.state() == State.ASKED)
                .filter(pairing -> pairing.validAt(clock.millis()))
                .map(Pairing::code);
    }

    /**
     * Adds a new code for a sender to a unit and returns it; empty when the sender has a valid one
     * already, was refused a short while ago, or too many senders have one.
     */
    Optional<String> ask(ConnectorId connector, Sender sender, Unit.Builder unit) {
        String key = key(connector.toString(), sender.id());
        Optional<Document> before = find(key);
        long now = clock.millis();
        boolean asked =
                before.map(Pairings::read)
                        .filter(pairing -> pairing.state() != State.PAIRED)
                        .filter(pairing -> pairing.validAt(now))
                        .isPresent();
        if (asked || valid(connector.toString(), State.ASKED).size() >= MOST_CODES) {
            return Optional.empty();
        }
        expired(connector.toString()).forEach(unit::add);
        String code = code();
        Pairing pairing =
                new Pairing(
                        connector.toString(),
                        sender.id(),
                        sender.name(),
                        State.ASKED,
                        code,
                        now + CODE_MILLIS,
                        "");
        put(unit, key, before.map(Document::version).orElse(0L), pairing);
        return Optional.of(code);
    }

    /** Codes that were not approved go with the next one that is given. */
    private List<Operation> expired(String connector) {
        long now = clock.millis();
        return journal.call(store -> store.documents(COLLECTION, connector + "/", PAGE)).stream()
                .filter(document -> document.key().startsWith(connector + "/"))
                .map(Pairings::read)
                .filter(pairing -> pairing.state() != State.PAIRED && !pairing.validAt(now))
                .map(pairing -> key(pairing.connector(), pairing.sender()))
                .<Operation>map(key -> new Operation.DeleteDocument(COLLECTION, key))
                .toList();
    }

    private String code() {
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < CODE_LENGTH; i++) {
            code.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return code.toString();
    }

    /** Returns pairings in force and valid codes; {@code connector} empty means of all. */
    public List<Pairing> list(String connector) {
        List<Pairing> all = new ArrayList<>(valid(connector, State.ASKED));
        all.addAll(valid(connector, State.PAIRED));
        return all;
    }

    private List<Pairing> valid(String connector, State state) {
        long now = clock.millis();
        List<Pairing> found = new ArrayList<>();
        String after = connector.isEmpty() ? "" : connector + "/";
        while (true) {
            String from = after;
            List<Document> page = journal.call(store -> store.documents(COLLECTION, from, PAGE));
            for (Document document : page) {
                if (!connector.isEmpty() && !document.key().startsWith(connector + "/")) {
                    return found;
                }
                Pairing pairing = read(document);
                if (pairing.state() == state && pairing.validAt(now)) {
                    found.add(pairing);
                }
            }
            if (page.size() < PAGE) {
                return found;
            }
            after = page.getLast().key();
        }
    }

    /**
     * Approves the sender who was given a code.
     *
     * @param hours for how long; 0 for no end
     * @throws PalyraException NOT_FOUND when no valid code is this one
     */
    public Pairing approve(String code, int hours, String by) {
        String wanted = code.strip().toUpperCase(Locale.ROOT).replace("-", "");
        Pairing asked =
                valid("", State.ASKED).stream()
                        .filter(pairing -> pairing.code().equals(wanted))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "No sender has the code "
                                                        + code
                                                        + ": a code is valid for "
                                                        + CODE_MILLIS / 60_000
                                                        + " minutes. Let the person write again for"
                                                        + " another one."));
        long until = hours == 0 ? 0 : clock.millis() + hours * 3_600_000L;
        return change(asked, State.PAIRED, until, by);
    }

    /** Ends a pairing, or refuses a code. NOT_FOUND. */
    public Pairing revoke(String connector, String sender, String by) {
        Pairing pairing =
                find(key(connector, sender))
                        .map(Pairings::read)
                        .filter(found -> found.state() != State.REVOKED)
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "Sender "
                                                        + sender
                                                        + " of "
                                                        + connector
                                                        + " is not paired; see channels pairing"
                                                        + " list."));
        return change(pairing, State.REVOKED, clock.millis() + CODE_MILLIS, by);
    }

    private Pairing change(Pairing from, State to, long until, String by) {
        String key = key(from.connector(), from.sender());
        Document before = find(key).orElseThrow();
        if (!read(before).equals(from)) {
            throw new PalyraException(
                    ErrorCode.CONFLICT, "The pairing was changed meanwhile; look at it again.");
        }
        Pairing changed =
                new Pairing(
                        from.connector(), from.sender(), from.name(), to, from.code(), until, by);
        Unit.Builder unit = Unit.builder();
        put(unit, key, before.version(), changed);
        Commits.commit(journal, unit.build());
        return changed;
    }

    private Optional<Document> find(String key) {
        return journal.call(store -> store.document(COLLECTION, key));
    }

    private static String key(String connector, String sender) {
        return connector + "/" + sender;
    }

    private static void put(Unit.Builder unit, String key, long version, Pairing pairing) {
        unit.require(new Precondition.DocumentAt(COLLECTION, key, version))
                .add(new Operation.PutDocument(COLLECTION, key, bytes(pairing)));
    }

    private static byte[] bytes(Pairing pairing) {
        return Jcs.bytes(
                JsonNodeFactory.instance
                        .objectNode()
                        .put("connector", pairing.connector())
                        .put("sender", pairing.sender())
                        .put("name", pairing.name())
                        .put("state", pairing.state().name())
                        .put("code", pairing.code())
                        .put("until", pairing.untilMillis())
                        .put("by", pairing.by()));
    }

    private static Pairing read(Document document) {
        JsonNode tree = StrictJson.parse(document.content(), "a pairing");
        return new Pairing(
                tree.path("connector").asText(),
                tree.path("sender").asText(),
                tree.path("name").asText(),
                State.valueOf(tree.path("state").asText()),
                tree.path("code").asText(),
                tree.path("until").asLong(),
                tree.path("by").asText());
    }
}

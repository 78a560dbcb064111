package palyra.channels.internal.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.Approvals;
import palyra.api.approval.GrantShape;
import palyra.api.approval.RiskLevel;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Sender;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Senders of direct messages who asked to be answered. Each is an approval request, which names the
 * code that the sender was given, and is answered by {@code pairing approve CODE} or as any other
 * one; a yes is a grant, and while the grant is in force the sender is answered. What is kept here
 * is which request is whose. Thread-safe.
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
    private final Gate<Approvals> approvals;
    private final InstantSource clock;
    private final Ulids ids = new Ulids();
    private final SecureRandom random = new SecureRandom();

    /** Creates a view of the journal; answers go through approvals. */
    public Pairings(Gate<Journal> journal, Gate<Approvals> approvals, InstantSource clock) {
        this.journal = journal;
        this.approvals = approvals;
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
     * @param approvalId the approval request of that code
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
            String approvalId,
            long untilMillis,
            String by) {}

    /** Returns whether a sender is paired now. */
    public boolean paired(ConnectorId connector, Sender sender) {
        return !grants(SenderNames.sender(connector, sender), clock.millis(), "").isEmpty();
    }

    private List<GrantRow> grants(String principal, long activeAt, String afterId) {
        return journal.call(
                store ->
                        store.grants(
                                principal, "", PairingApprovals.ACTION, activeAt, afterId, PAGE));
    }

    /** Returns the valid code of a sender who was not approved yet. */
    Optional<String> code(ConnectorId connector, Sender sender) {
        return find(key(connector.toString(), sender.id()))
                .flatMap(this::now)
                .filter(pairing -> pairing.state() == State.ASKED)
                .map(Pairing::code);
    }

    /**
     * Adds a request with a new code for a sender to a unit and returns the code; empty when the
     * sender has a valid one already, was refused a short while ago, or too many senders have one.
     */
    Optional<String> ask(ConnectorId connector, Sender sender, Unit.Builder unit) {
        String key = key(connector.toString(), sender.id());
        Optional<Document> before = find(key);
        boolean known = before.flatMap(this::now).isPresent();
        if (known || isFull(connector)) {
            return Optional.empty();
        }
        expired(connector.toString()).forEach(unit::add);
        String code = code();
        ApprovalRow request = request(connector, sender, code);
        Asked asked =
                new Asked(
                        connector.toString(),
                        sender.id(),
                        sender.name(),
                        code,
                        request.approvalId());
        unit.require(
                        new Precondition.DocumentAt(
                                COLLECTION, key, before.map(Document::version).orElse(0L)))
                .add(new Operation.PutDocument(COLLECTION, key, asked.bytes()))
                .add(new Operation.PutApproval(request))
                .add(PairingApprovals.asked(request));
        return Optional.of(code);
    }

    private ApprovalRow request(ConnectorId connector, Sender sender, String code) {
        long expires = clock.millis() + CODE_MILLIS;
        ApprovalRequestBody body = body(connector, sender, code, expires);
        return ApprovalRow.asked(
                body.approvalId(),
                "",
                "",
                "",
                body.origin().principal(),
                body.subjectType(),
                body.subjectId(),
                ApprovalRequestCodec.bytes(body),
                1,
                expires,
                0);
    }

    private ApprovalRequestBody body(
            ConnectorId connector, Sender sender, String code, long expires) {
        String name =
                sender.name()
                        .replaceAll("[\\p{Cntrl}\\p{Cf}`~]", " ")
                        .strip(); // it is a stranger's
        String who = sender.id() + (name.isEmpty() ? "" : " (" + name + ")");
        return new ApprovalRequestBody(
                ids.next(),
                PairingApprovals.SUBJECT_TYPE,
                PairingApprovals.subjectId(connector.toString(), sender.id()),
                1,
                "answer " + who + " of " + connector,
                new ApprovalRequestBody.Origin(
                        "",
                        "",
                        "",
                        "",
                        SenderNames.sender(connector, sender),
                        "",
                        connector.toString()),
                null,
                null,
                new ApprovalRequestBody.Terms(
                        List.of("action:" + PairingApprovals.ACTION),
                        false,
                        List.of(ApprovalScope.ONCE.name(), ApprovalScope.TIMEBOXED.name()),
                        1,
                        List.of(),
                        0),
                new ApprovalRequestBody.Policy(
                        List.of(), "", "", "the rules answer direct messages of paired senders"),
                new ApprovalRequestBody.Prompt(
                        "Answer a new sender of " + connector + "?",
                        RiskLevel.MEDIUM.name(),
                        "Sender: " + who + "\nCode that it was given: " + code,
                        "The rules answer paired senders alone. Say yes if the person told you this"
                                + " code.",
                        (int) (CODE_MILLIS / 1_000),
                        options()),
                clock.millis(),
                expires);
    }

    private static List<ApprovalRequestBody.Option> options() {
        return List.of(
                option(
                        "allow_once",
                        "Approve",
                        "The sender is answered until the pairing is revoked.",
                        ApprovalScope.ONCE,
                        0),
                option(
                        "allow_timeboxed",
                        "Approve for a day",
                        "The sender is answered until the time is over or the pairing is revoked.",
                        ApprovalScope.TIMEBOXED,
                        86_400_000),
                new ApprovalRequestBody.Option(
                        "deny_once",
                        "Deny",
                        "The sender is not answered, and gets no code for a while.",
                        true,
                        false,
                        ApprovalScope.ONCE.name(),
                        GrantShape.EXACT.name(),
                        0));
    }

    private static ApprovalRequestBody.Option option(
            String id, String label, String means, ApprovalScope scope, long ttlMillis) {
        return new ApprovalRequestBody.Option(
                id, label, means, false, true, scope.name(), GrantShape.EXACT.name(), ttlMillis);
    }

    /** Returns how many codes of a connector are valid, as far as that is of interest. */
    /** Returns whether a connector has so many codes that further senders get none. */
    public boolean isFull(ConnectorId connector) {
        return waiting(connector.toString()) >= MOST_CODES;
    }

    private int waiting(String connector) {
        ApprovalFilter pending =
                new ApprovalFilter(
                        Optional.of(ApprovalRow.State.PENDING),
                        PairingApprovals.SUBJECT_TYPE,
                        "",
                        "",
                        "",
                        "",
                        0,
                        0);
        String prefix = PairingApprovals.subjectId(connector, "");
        int found = 0;
        String after = "";
        while (true) {
            String from = after;
            List<ApprovalRow> page = journal.call(store -> store.approvals(pending, from, PAGE));
            found += (int) page.stream().filter(row -> isOpen(row, prefix)).count();
            if (page.size() < PAGE || found >= MOST_CODES) {
                return found;
            }
            after = page.getLast().approvalId();
        }
    }

    private boolean isOpen(ApprovalRow row, String prefix) {
        return row.subjectId().startsWith(prefix) && row.expiresAtMillis() > clock.millis();
    }

    /** Codes that were not approved go with the next one that is given. */
    private List<Operation> expired(String connector) {
        return journal.call(store -> store.documents(COLLECTION, connector + "/", PAGE)).stream()
                .filter(document -> document.key().startsWith(connector + "/"))
                .filter(document -> now(document).isEmpty())
                .<Operation>map(
                        document -> new Operation.DeleteDocument(COLLECTION, document.key()))
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
        List<Pairing> all = new ArrayList<>(valid(connector));
        all.removeIf(pairing -> pairing.state() == State.REVOKED);
        all.sort(Comparator.comparing(Pairing::state)); // stable: within a state as they are kept
        return all;
    }

    private List<Pairing> valid(String connector) {
        List<Pairing> found = new ArrayList<>();
        String after = connector.isEmpty() ? "" : connector + "/";
        while (true) {
            String from = after;
            List<Document> page = journal.call(store -> store.documents(COLLECTION, from, PAGE));
            for (Document document : page) {
                if (!connector.isEmpty() && !document.key().startsWith(connector + "/")) {
                    return found;
                }
                now(document).ifPresent(found::add);
            }
            if (page.size() < PAGE) {
                return found;
            }
            after = page.getLast().key();
        }
    }

    /** Returns a pairing as request and grant have it; empty when it is over. */
    private Optional<Pairing> now(Document document) {
        Asked asked = Asked.read(document);
        long now = clock.millis();
        Optional<GrantRow> grant = lastGrant(asked.principal());
        if (grant.filter(row -> isActive(row, now)).isPresent()) {
            return grant.map(row -> asked.is(State.PAIRED, row.expiresAtMillis(), by(row)));
        }
        Optional<Pairing> ended =
                grant.filter(row -> row.state() == GrantRow.State.REVOKED)
                        .map(row -> refused(asked, row.endedAtMillis(), row.endedBy()))
                        .filter(pairing -> pairing.untilMillis() > now);
        return ended.or(
                () ->
                        journal.call(store -> store.approval(asked.approvalId()))
                                .filter(ApprovalRow::isPairing)
                                .map(row -> asked(asked, row))
                                .filter(pairing -> pairing.untilMillis() > now));
    }

    private static Pairing asked(Asked asked, ApprovalRow row) {
        return switch (row.state()) {
            case PENDING -> asked.is(State.ASKED, row.expiresAtMillis(), "");
            case DENIED -> refused(asked, row.decidedAtMillis(), row.decidedBy());
            default -> asked.is(State.REVOKED, 1, row.decidedBy()); // over
        };
    }

    private static Pairing refused(Asked asked, long atMillis, String by) {
        return asked.is(State.REVOKED, atMillis + CODE_MILLIS, by);
    }

    private static boolean isActive(GrantRow row, long now) {
        return row.state() == GrantRow.State.ACTIVE
                && (row.expiresAtMillis() == 0 || row.expiresAtMillis() > now);
    }

    private static String by(GrantRow row) {
        return ApprovalRequestCodec.coverage(row.payload()).voters().getFirst().principal();
    }

    private Optional<GrantRow> lastGrant(String principal) {
        GrantRow last = null;
        List<GrantRow> page;
        do {
            page = grants(principal, 0, last == null ? "" : last.grantId());
            last = page.isEmpty() ? last : page.getLast();
        } while (page.size() == PAGE);
        return Optional.ofNullable(last);
    }

    /**
     * Answers the sender who was given a code.
     *
     * @param hours for how long a yes holds; 0 for no end
     * @throws PalyraException NOT_FOUND when no valid code is this one; CONFLICT when it was
     *     answered before; as {@link Approvals#decide}
     */
    public Pairing decide(String code, boolean granted, int hours, Principal by) {
        String wanted = code.strip().toUpperCase(Locale.ROOT).replace("-", "");
        Pairing found =
                valid("").stream()
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
        if (found.state() != State.ASKED) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The code "
                            + code
                            + " was answered before: "
                            + found.by()
                            + (found.state() == State.PAIRED ? " approved " : " refused ")
                            + found.sender()
                            + " of "
                            + found.connector()
                            + ".");
        }
        return answer(found, granted, hours, by);
    }

    private Pairing answer(Pairing asked, boolean granted, int hours, Principal by) {
        ApprovalAnswer answer =
                new ApprovalAnswer(
                        asked.approvalId(),
                        granted,
                        hours == 0 ? ApprovalScope.ONCE : ApprovalScope.TIMEBOXED,
                        hours * 3_600_000L,
                        "");
        approvals.run(present -> present.decide(by, answer));
        return asked;
    }

    /** Ends a pairing, or refuses a code. NOT_FOUND; as {@link Approvals#revoke}. */
    public Pairing revoke(String connector, String sender, Principal by) {
        Pairing pairing =
                find(key(connector, sender))
                        .flatMap(this::now)
                        .filter(found -> found.state() != State.REVOKED)
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "Sender "
                                                        + sender
                                                        + " of "
                                                        + connector
                                                        + " is not paired; see pairing list."));
        if (pairing.state() == State.ASKED) {
            return answer(pairing, false, 0, by);
        }
        String principal = principal(connector, sender);
        for (GrantRow grant : grants(principal, clock.millis(), "")) {
            approvals.run(present -> present.revoke(by, grant.grantId(), ""));
        }
        return pairing;
    }

    private Optional<Document> find(String key) {
        return journal.call(store -> store.document(COLLECTION, key));
    }

    private static String key(String connector, String sender) {
        return connector + "/" + sender;
    }

    private static String principal(String connector, String sender) {
        return SenderNames.sender(
                ConnectorId.parse(connector), new Sender(sender, "", false, true));
    }

    /** Whose a request is. */
    private record Asked(
            String connector, String sender, String name, String code, String approvalId) {
        static Asked read(Document document) {
            JsonNode tree = StrictJson.parse(document.content(), "a pairing");
            return new Asked(
                    tree.path("connector").asText(),
                    tree.path("sender").asText(),
                    tree.path("name").asText(),
                    tree.path("code").asText(),
                    tree.path("approvalId").asText());
        }

        byte[] bytes() {
            return Jcs.bytes(
                    JsonNodeFactory.instance
                            .objectNode()
                            .put("connector", connector)
                            .put("sender", sender)
                            .put("name", name)
                            .put("code", code)
                            .put("approvalId", approvalId));
        }

        String principal() {
            return Pairings.principal(connector, sender);
        }

        Pairing is(State state, long untilMillis, String by) {
            return new Pairing(connector, sender, name, state, code, approvalId, untilMillis, by);
        }
    }
}

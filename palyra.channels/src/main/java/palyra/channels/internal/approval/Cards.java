package palyra.channels.internal.approval;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalState;
import palyra.api.approval.Approvals;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.OutboundMessage.Button;
import palyra.api.channel.Sender;
import palyra.api.core.journal.ApprovalFilter;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.channels.internal.inbound.Identities;
import palyra.channels.internal.inbound.Speakers;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.channel.Outbound;
import palyra.shared.connector.Texts;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.outcome.Commits;
import palyra.shared.run.SubmissionCodec;

/**
 * Approval requests on chat platforms. Each is put once to the conversation of its run, if that was
 * asked for on a platform, and to each approver who is to be asked, wherever the run was asked for;
 * a press or a typed code answers exactly that request, with the rights of the account that it came
 * from; and each message ends in the state in which the request ended, wherever it was answered and
 * also when it was while the gateway was away. Thread-safe.
 */
public final class Cards {
    private static final Logger LOG = LoggerFactory.getLogger(Cards.class);
    private static final int PAGE = 100;

    /** Most approvers to whom one request is put. */
    private static final int MOST_ASKED = 50;

    /** Most requests of which it is remembered that they were logged. */
    private static final int MOST_LEFT = 1_000;

    /** A code is looked for among the requests of this time, up to 2,000 of them. */
    private static final long LOOKED_MILLIS = Duration.ofDays(1).toMillis();

    private static final int MOST_PAGES = 20;

    private static final String OVER = "This request is over already.";
    private static final String DEAD = "This button does nothing any more.";
    private static final String UNVERIFIED =
            "The platform does not vouch for your account, so you may not decide this.";
    private static final String OWN =
            "You asked for this, so another approver has to answer, or you by a command.";
    private static final int LONGEST_NAME = 80; // of a person

    private static final String NO_CODE =
            "A code has six letters and digits, as the request names it: write `yes CODE` or `no"
                    + " CODE`. `/status` names what waits here.";

    private static final String UNKNOWN_CODE =
            "No request with this code waits here. `/status` names what does.";

    /** The pattern is not tried on longer texts, on which it would take long. */
    private static final int LONGEST_ANSWER = 80;

    /** The words alone, after a mention at most: "don't approve CODE" is no approval. */
    private static final Pattern TYPED =
            Pattern.compile(
                    "(?i)^(?:<?@\\S+[\\s,:]+)?(yes|no|/?approve|/?deny)\\s+([0-9A-Z]{6})[.!]?$");

    /** What goes to no agent, whatever follows: a command of the platform or of a person. */
    private static final Pattern COMMAND = Pattern.compile("(?is)^/(?:approve|deny)(?:\\s.*)?$");

    private final Gate<Journal> journal;
    private final Gate<Approvals> approvals;
    private final Speakers speakers;
    private final Predicate<String> buttons;
    private final AnswerRights rights;
    private final Set<String> left = ConcurrentHashMap.newKeySet(); // keys that were logged
    private final Ulids ids = new Ulids();

    /**
     * Creates it behind gates.
     *
     * @param buttons whether the connector of a surface is there and shows buttons
     */
    public Cards(
            Gate<Journal> journal,
            Gate<Approvals> approvals,
            Speakers speakers,
            Predicate<String> buttons) {
        this.journal = journal;
        this.approvals = approvals;
        this.speakers = speakers;
        this.buttons = buttons;
        this.rights = new AnswerRights(speakers);
    }

    /** Puts requests that are new, and ends cards of those that are decided. */
    public void sweep() {
        String after = "";
        while (true) {
            String from = after;
            List<ApprovalRow> page =
                    journal.call(
                            store ->
                                    store.approvals(
                                            ApprovalFilter.in(ApprovalRow.State.PENDING, ""),
                                            from,
                                            PAGE));
            List<Identities.Identity> asked = page.isEmpty() ? List.of() : asked();
            page.forEach(one -> alone(one.approvalId(), () -> ask(one, asked)));
            if (page.size() < PAGE) {
                break;
            }
            after = page.getLast().approvalId();
        }
        endAll();
    }

    private void endAll() {
        open().forEach(card -> alone(card.key(), () -> end(card)));
    }

    /**
     * Does something about one request or card. What cannot be done because of what it is leaves
     * the others alone, and is logged once; what cannot be done now is left to the next sweep.
     */
    private void alone(String key, Runnable work) {
        try {
            work.run();
        } catch (PalyraException e) {
            switch (e.code().kind()) {
                case UNAVAILABLE, RESOURCE -> throw e;
                case USER, POLICY, INTERNAL -> leaveOut(key, e);
            }
        }
    }

    private void leaveOut(String key, PalyraException e) {
        if (left.size() >= MOST_LEFT) {
            left.clear();
        }
        if (left.add(key)) {
            LOG.warn("Approval request {} is left out: {}", key, e.getMessage());
        }
    }

    private List<Card> open() {
        List<Card> cards = new ArrayList<>();
        String after = "";
        while (true) {
            String from = after;
            List<Document> page =
                    journal.call(store -> store.documents(Card.COLLECTION, from, PAGE));
            for (Document document : page) {
                alone(document.key(), () -> cards.add(Card.read(document)));
            }
            if (page.size() < PAGE) {
                return cards;
            }
            after = page.getLast().key();
        }
    }

    private List<Identities.Identity> asked() {
        return Identities.all(journal).stream()
                .filter(identity -> !identity.ask().isEmpty())
                .limit(MOST_ASKED)
                .toList();
    }

    /** Returns the messages about a request that do not show its end yet. */
    private List<Card> cards(String approvalId) {
        return journal
                .call(store -> store.documents(Card.COLLECTION, approvalId.substring(0, 25), PAGE))
                .stream()
                .filter(document -> Card.approvalId(document.key()).equals(approvalId))
                .map(Card::read)
                .toList();
    }

    private boolean isNew(String key) {
        return journal.call(store -> store.document(Card.COLLECTION, key)).isEmpty();
    }

    private void ask(ApprovalRow request, List<Identities.Identity> asked) {
        Optional<Place> origin = origin(request);
        if (origin.isPresent() && isNew(request.approvalId())) {
            put(request.approvalId(), origin.get(), question(request, origin.get()));
        }
        for (Identities.Identity person : asked) {
            if (isOwn(request, person.account())) {
                continue;
            }
            Place place =
                    new Place(
                            request.runId(),
                            person.connector(),
                            Conversation.direct(person.ask()),
                            "");
            String key = Card.keyElsewhere(request.approvalId(), person.account());
            if (origin.filter(place::isSamePlace).isEmpty() && isNew(key)) {
                put(key, place, question(request, place));
            }
        }
    }

    /**
     * Where a request is put.
     *
     * @param surface connector
     * @param replyTo message that is quoted; empty for none
     */
    private record Place(String runId, String surface, Conversation conversation, String replyTo) {
        boolean isSamePlace(Place other) {
            return surface.equals(other.surface()) && orderKey().equals(other.orderKey());
        }

        String orderKey() {
            return MessageOrigin.orderKey(conversation);
        }
    }

    /** Returns whether an account asks to be paired itself. */
    private static boolean isOwn(ApprovalRow request, String account) {
        return request.isPairing() && request.principal().equals(account);
    }

    /** A stranger is not asked about itself. */
    private Optional<Place> origin(ApprovalRow request) {
        if (request.isPairing()) {
            return Optional.empty();
        }
        return journal.call(store -> store.run(request.runId()))
                .filter(run -> !run.messageId().isEmpty())
                .flatMap(
                        run ->
                                journal.call(store -> store.inbox(run.messageId()))
                                        .flatMap(this::origin)
                                        .map(
                                                origin ->
                                                        new Place(
                                                                run.runId(),
                                                                run.surface(),
                                                                origin.conversation(),
                                                                origin.messageId())));
    }

    /** Approvers elsewhere are asked also when it cannot be read where a run was asked for. */
    private Optional<MessageOrigin> origin(InboxRow asked) {
        try {
            return Optional.ofNullable(SubmissionCodec.message(asked.payload()).origin());
        } catch (PalyraException e) {
            leaveOut(asked.messageId(), e);
            return Optional.empty();
        }
    }

    /** One that cannot be read counts as no, so it can be answered with no alone. */
    private Outbound question(ApprovalRow request, Place place) {
        Button no = new Button(new Question(request.approvalId(), false).data(), "Deny", false);
        StoredApprovalRequest stored = StoredApprovalRequest.of(request);
        if (stored.question().isEmpty()) {
            String title = "**" + CardEnd.UNREADABLE + "**\n\n";
            return question(place, title + unreadable(request, place), List.of(no));
        }
        Button yes =
                new Button(
                        new Question(request.approvalId(), true).data(),
                        request.isPairing() ? "Approve" : "Approve once",
                        true);
        return question(place, text(stored.readable(), place), List.of(yes, no));
    }

    private String unreadable(ApprovalRow request, Place place) {
        return "It counts as no and takes no yes. To end the wait, an approver "
                + (buttons.test(place.surface()) ? "presses the button, or writes" : "writes")
                + " `no "
                + Card.code(request.approvalId())
                + "`; an operator runs `palyra tape verify`.";
    }

    private static Outbound question(Place place, String text, List<Button> buttons) {
        return new Outbound(
                Question.KIND, text, place.conversation(), place.replyTo(), "", buttons, List.of());
    }

    private String text(ApprovalRequestBody body, Place place) {
        String code = Card.code(body.approvalId());
        return "**"
                + InertMarkdown.line(body.prompt().title())
                + "**\n\n"
                + InertMarkdown.block(body.prompt().summary())
                + "\n\nWhy: "
                + InertMarkdown.line(body.prompt().explanation())
                + "\n\nAn approver "
                + (buttons.test(place.surface())
                        ? "answers with the buttons, or writes `yes "
                        : "writes `yes ")
                + code
                + "` or `no "
                + code
                + "`.";
    }

    private void put(String key, Place place, Outbound message) {
        Card card = new Card(key, ids.next(), place.surface(), place.orderKey());
        Unit unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(Card.COLLECTION, key, 0))
                        .add(card.put())
                        .add(
                                new Operation.PutOutbox(
                                        row(card.outboxId(), place.runId(), card, message)))
                        .build();
        commitUnlessChanged(unit);
    }

    private static OutboxRow row(String id, String runId, Card card, Outbound message) {
        return new OutboxRow(
                id,
                runId,
                card.connector(),
                card.orderKey(),
                message.bytes(),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }

    private void commitUnlessChanged(Unit unit) {
        try {
            Commits.commit(journal, unit);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            LOG.debug("Another sweep was faster.", e);
        }
    }

    /** The message of a decided request says how it ended, and has no buttons any more. */
    private void end(Card card) {
        Optional<Document> stored =
                journal.call(store -> store.document(Card.COLLECTION, card.key()));
        Optional<ApprovalRow> request = journal.call(store -> store.approval(card.approvalId()));
        if (stored.isEmpty()
                || request.filter(row -> row.state() == ApprovalRow.State.PENDING).isPresent()) {
            return;
        }
        Unit.Builder unit =
                Unit.builder()
                        .require(
                                new Precondition.DocumentAt(
                                        Card.COLLECTION, card.key(), stored.get().version()))
                        .add(card.delete());
        Optional<OutboxRow> question = journal.call(store -> store.outbox(card.outboxId()));
        question.ifPresent(
                row -> {
                    Outbound asked = Outbound.read(row.payload());
                    Outbound ended =
                            new Outbound(
                                    Question.END_KIND,
                                    ending(request),
                                    asked.conversation(),
                                    asked.replyTo(),
                                    card.outboxId(),
                                    List.of(),
                                    List.of());
                    unit.add(new Operation.PutOutbox(row(ids.next(), "", card, ended)));
                });
        commitUnlessChanged(unit.build());
    }

    private static String ending(Optional<ApprovalRow> request) {
        if (request.isEmpty()) {
            return "This approval request is over.";
        }
        return CardEnd.text(request.get());
    }

    /** Returns whether who presses a button may say why: who denies. */
    public static boolean asksReason(String data) {
        return Question.read(data).filter(question -> !question.granted()).isPresent();
    }

    /**
     * Returns why a sender may not do what a button is for, before it is asked for a reason; empty
     * when nothing is against it. {@link #press} looks again.
     */
    public String refusal(ConnectorId connector, String data, Sender sender) {
        Optional<Question> asked = Question.read(data);
        if (asked.isEmpty()) {
            return DEAD;
        }
        Optional<ApprovalRow> request =
                journal.call(store -> store.approval(asked.get().approvalId()))
                        .filter(row -> row.state() == ApprovalRow.State.PENDING);
        if (request.isEmpty()) {
            return OVER;
        }
        ApprovalRow row = request.get();
        String account = SenderNames.sender(connector, sender);
        Optional<String> own = ownRefusal(row, sender, account);
        if (own.isPresent()) {
            return own.get();
        }
        try {
            rights.require(row, asked.get().granted(), speakers.speakFor(connector, account));
            return "";
        } catch (PalyraException e) {
            return switch (e.code()) {
                case DENIED, NOT_FOUND -> mayNot(row.isPairing(), account);
                default -> ""; // it is not known, and the answer itself says so
            };
        }
    }

    private static Optional<String> ownRefusal(ApprovalRow row, Sender sender, String account) {
        if (!sender.verified()) {
            return Optional.of(UNVERIFIED);
        }
        return isOwn(row, account) ? Optional.of(OWN) : Optional.empty();
    }

    private String mayNot(boolean pairing, String account) {
        return "You may not decide this. " + missing(pairing, account);
    }

    /**
     * Answers a request by a button.
     *
     * @param reason why; empty for none
     * @return one line for who pressed it
     */
    public String press(ConnectorId connector, InboundAction action, String reason) {
        Optional<Question> question = Question.read(action.data());
        if (question.isEmpty()) {
            return DEAD;
        }
        String approvalId = question.get().approvalId();
        List<Card> cards = cards(approvalId);
        String where = MessageOrigin.orderKey(action.conversation());
        if (cards.isEmpty()) {
            return OVER;
        }
        if (cards.stream().noneMatch(card -> card.isIn(where, connector.toString()))) {
            return "This button belongs to another conversation.";
        }
        return answer(connector, action.sender(), approvalId, question.get().granted(), reason);
    }

    /**
     * Answers a request by a typed code.
     *
     * @return one line for who typed it; empty when the text names no request
     */
    public Optional<String> typed(ConnectorId connector, InboundMessage message) {
        String text = message.text().strip();
        Matcher typed = TYPED.matcher(text);
        if (text.length() > LONGEST_ANSWER || !typed.matches()) {
            return Optional.empty();
        }
        String where = MessageOrigin.orderKey(message.conversation());
        String code = typed.group(2).toUpperCase(Locale.ROOT);
        String word = typed.group(1).toLowerCase(Locale.ROOT).replace("/", "");
        return open().stream()
                .filter(card -> card.isIn(where, connector.toString()))
                .filter(card -> Card.code(card.approvalId()).equals(code))
                .findFirst()
                .map(
                        card ->
                                answer(
                                        connector,
                                        message.sender(),
                                        card.approvalId(),
                                        word.equals("yes") || word.equals("approve"),
                                        ""))
                .or(() -> notHere(code));
    }

    /**
     * Returns what is said to a command that names no request, for those who are answered at all;
     * empty for what is no such command. {@link #typed} is asked before.
     */
    public static Optional<String> unnamed(InboundMessage message) {
        String text = message.text().strip();
        if (!COMMAND.matcher(text).matches()) {
            return Optional.empty();
        }
        boolean code = text.length() <= LONGEST_ANSWER && TYPED.matcher(text).matches();
        return Optional.of(code ? UNKNOWN_CODE : NO_CODE);
    }

    /** A code of a request that is not asked here is no message for an agent either. */
    private Optional<String> notHere(String code) {
        String after = Ulids.firstAt(System.currentTimeMillis() - LOOKED_MILLIS);
        for (int pages = 0; pages < MOST_PAGES; pages++) {
            String from = after;
            List<ApprovalRow> page =
                    journal.call(store -> store.approvals(ApprovalFilter.ALL, from, PAGE));
            Optional<ApprovalRow> found =
                    page.stream()
                            .filter(row -> Card.code(row.approvalId()).equals(code))
                            .findFirst();
            if (found.isPresent() || page.size() < PAGE) {
                return found.map(
                        row ->
                                row.state() == ApprovalRow.State.PENDING
                                        ? "This request is asked in another conversation."
                                        : OVER);
            }
            after = page.getLast().approvalId();
        }
        return Optional.empty();
    }

    private String answer(
            ConnectorId connector,
            Sender sender,
            String approvalId,
            boolean granted,
            String reason) {
        if (!sender.verified()) {
            return UNVERIFIED;
        }
        String account = SenderNames.sender(connector, sender);
        boolean pairing = false;
        try {
            Optional<ApprovalRow> request = journal.call(store -> store.approval(approvalId));
            pairing = request.filter(ApprovalRow::isPairing).isPresent();
            if (request.filter(row -> isOwn(row, account)).isPresent()) {
                return OWN;
            }
            Principal principal = speakers.speakFor(connector, account);
            String where = "answered on " + connector + by(sender);
            ApprovalAnswer answer =
                    new ApprovalAnswer(
                            approvalId,
                            granted,
                            ApprovalScope.ONCE,
                            0,
                            reason.isEmpty() ? where : reason + " (" + where + ")");
            boolean open =
                    approvals.call(present -> present.decide(principal, answer)).state()
                            == ApprovalState.PENDING;
            wake();
            return open ? "Counted; more approvals are needed." : granted ? "Approved." : "Denied.";
        } catch (PalyraException e) {
            return switch (e.code()) {
                case DENIED, NOT_FOUND -> mayNot(pairing, account);
                case CONFLICT -> e.getMessage();
                default -> "It could not be recorded; try again: " + e.getMessage();
            };
        }
    }

    /** The principal says which account it is, the name whose. */
    private static String by(Sender sender) {
        String name =
                Texts.line(sender.name().replaceAll("[\\p{Cntrl}\\p{Cf}()]", " "), LONGEST_NAME);
        return name.isBlank() ? "" : " by " + name.strip();
    }

    private String missing(boolean pairing, String account) {
        Optional<Identities.Identity> link = Identities.find(journal, account);
        if (link.isEmpty()) {
            return "Ask an operator to link your account.";
        }
        if (!link.get().groups().contains("approver")) {
            return "Your account is linked, but to no approver: ask an operator to link it with"
                    + " --approver.";
        }
        return pairing
                ? "Your account is linked; ask an operator for a policy that permits "
                        + link.get().principal()
                        + " the action channel.pair."
                : "Your account is linked; ask an operator which policy denies it.";
    }

    private void wake() {
        try {
            endAll();
        } catch (PalyraException e) {
            LOG.debug("The next sweep ends the card.", e);
        }
    }

    /** Returns what people type to answer a request where there are no buttons. */
    public static String code(String approvalId) {
        return Card.code(approvalId);
    }

    /** Adds a reply to a typed answer. */
    public OutboxRow reply(
            ConnectorId connector, Conversation where, String messageId, String text) {
        return new OutboxRow(
                ids.next(),
                "",
                connector.toString(),
                MessageOrigin.orderKey(where),
                Outbound.of("notice", text, where, messageId).bytes(),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }
}

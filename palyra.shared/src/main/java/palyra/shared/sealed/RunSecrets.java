package palyra.shared.sealed;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.journal.Operation;
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.secrets.Placeholder;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.secrets.SecretStream;
import palyra.shared.tape.TapeCodec;
import palyra.shared.vault.LentSecrets;

/**
 * The secrets of one run: numbers them by first appearance, takes them out of values to be
 * recorded, and puts them into the sealed parts of the records. Numbers survive a restart, because
 * they are read back from the tape; so does the exact input of a proposed call, which its tool
 * gets. For one thread.
 */
public final class RunSecrets implements PlaceholderNumbers {
    private static final int PAGE = 500;

    private final String runId;
    private final RunSecretStore keeper;
    private final Map<String, Integer> numbers = new HashMap<>(); // by literal
    private final Map<String, String> unsealed = new LinkedHashMap<>(); // literal by placeholder
    private final Set<String> withheld = new HashSet<>(); // calls
    private boolean loaded;
    private int highest;
    private byte[] key; // null until needed
    private final SecretReach own; // without what the run was lent
    private final ReachRedactor redactor;
    private final Set<SecretRef> lent = new HashSet<>();
    private SecretReach reach;

    RunSecrets(String runId, RunSecretStore keeper, boolean isNew, SecretReach reach) {
        this.runId = runId;
        this.keeper = keeper;
        this.loaded = isNew;
        this.own = reach;
        this.reach = reach;
        this.redactor = keeper.redactor().within(() -> this.reach);
    }

    /**
     * Searches texts from now on also for the values that calls of the run were lent by now.
     *
     * @throws palyra.api.PalyraException UNAVAILABLE kinds while the journal is away; may be called
     *     again
     */
    public void readLent() {
        if (lent.addAll(keeper.lent(runId))) {
            reach = own.with(lent);
        }
    }

    /** Returns what forgets the uses that are known, once the run has ended. */
    public List<Operation> forgetLent() {
        return lent.stream().map(secret -> LentSecrets.forget(runId, secret)).toList();
    }

    /**
     * Returns what takes secrets out of a question about a call of the run, without hiding anything
     * by a value that the asker can put into the vault.
     *
     * @param asker principal on whose behalf the call would happen
     */
    public ApprovalRequestRedaction forQuestion(String asker) {
        SecretReach others = reach.without(SecretReaches.principalScope(asker));
        return new ApprovalRequestRedaction(keeper.redactor().within(others), this);
    }

    /**
     * Events as they are recorded.
     *
     * @param events what the run goes on with: without secrets, but for the inputs of proposed
     *     calls, which stay exact
     * @param appends the records to write
     * @param sealed placeholders whose literals these records keep
     */
    public record Prepared(
            List<TapeEvent> events, List<Operation.Append> appends, Set<String> sealed) {
        /** Copies. */
        public Prepared {
            events = List.copyOf(events);
            appends = List.copyOf(appends);
            sealed = Set.copyOf(sealed);
        }
    }

    @Override
    public int of(String kind, String literal) {
        load();
        Integer number = numbers.get(literal);
        if (number == null) {
            number = ++highest;
            numbers.put(literal, number);
            unsealed.put(Placeholder.of(kind, number), literal);
        }
        return number;
    }

    private void load() {
        if (loaded) {
            return;
        }
        long after = 0;
        List<TapeRecord> page;
        do {
            page = keeper.page(runId, after, PAGE);
            for (TapeRecord record : page) {
                learn(record);
                after = record.seq();
            }
        } while (!page.isEmpty());
        loaded = true;
    }

    private void learn(TapeRecord record) {
        if (record.payload() == null) {
            return;
        }
        String payload = new String(record.payload(), StandardCharsets.UTF_8);
        highest = Math.max(highest, Placeholder.highest(payload));
        open(record)
                .ifPresent(
                        part ->
                                part.secrets()
                                        .forEach(
                                                (placeholder, literal) ->
                                                        numbers.putIfAbsent(
                                                                literal,
                                                                Placeholder.highest(placeholder))));
    }

    /** Returns a text without its secrets; the same text when it has none. */
    public String text(String text) {
        return redactor.text(text, this);
    }

    /** Returns a JSON text without its secrets; the same text when it has none. */
    public String json(String json) {
        return redactor.json(json, this);
    }

    /** Returns whether a text, JSON or not, has no secret that is known now; numbers none. */
    public boolean isPublic(String text) {
        return redactor.json(text, PlaceholderNumbers.fresh()).equals(text);
    }

    /** Returns a stream that takes the run's secrets out of text in pieces. */
    public SecretStream stream() {
        return redactor.stream(this, taken -> {});
    }

    /** Throws CONFLICT with principal and time if the run's secrets were erased. */
    public void requireNotErased() {
        keeper.keys().requireNotErased(runId);
    }

    /** Returns whether the input of a call is kept sealed. */
    public boolean withholds(String callId) {
        return withheld.contains(callId);
    }

    /**
     * Takes the secrets out of events that are about to be recorded.
     *
     * @throws palyra.api.PalyraException UNAVAILABLE kinds while vault, journal or keys are away;
     *     may be called again
     */
    public Prepared prepare(List<? extends TapeEvent> events) {
        List<TapeEvent> told = new ArrayList<>();
        List<Operation.Append> appends = new ArrayList<>();
        Set<String> sealed = new HashSet<>();
        for (TapeEvent event : events) {
            TapeEvent seen = PublicEvents.of(event, this::text, this::json);
            Map<String, String> first = new LinkedHashMap<>(unsealed);
            first.keySet().removeAll(sealed);
            SealedPart part = new SealedPart(exactInput(event, seen), first);
            appends.add(
                    part.isEmpty()
                            ? TapeCodec.append(runId, seen)
                            : TapeCodec.append(runId, seen, seal(part, seen)));
            sealed.addAll(first.keySet());
            told.add(known(event, seen));
        }
        return new Prepared(told, appends, sealed);
    }

    /** Marks prepared records as durable. */
    public void written(Prepared prepared) {
        unsealed.keySet().removeAll(prepared.sealed());
    }

    /** Returns the input to keep sealed; null when the record has no such input. */
    private String exactInput(TapeEvent event, TapeEvent seen) {
        if (event instanceof TapeEvent.ToolCallProposal exact
                && seen instanceof TapeEvent.ToolCallProposal proposal
                && !exact.inputJson().equals(proposal.inputJson())) {
            withheld.add(exact.callId());
            return exact.inputJson();
        }
        return null;
    }

    private static TapeEvent known(TapeEvent event, TapeEvent seen) {
        return event instanceof TapeEvent.ToolCallProposal exact
                        && seen instanceof TapeEvent.ToolCallProposal proposal
                ? with(proposal, exact.inputJson())
                : seen;
    }

    private static TapeEvent with(TapeEvent.ToolCallProposal proposal, String input) {
        return new TapeEvent.ToolCallProposal(
                proposal.callId(), proposal.turn(), proposal.index(), proposal.tool(), input);
    }

    private String seal(SealedPart part, TapeEvent event) {
        if (key == null) {
            key = keeper.keys().require(runId);
        }
        return part.seal(key, place(event), keeper.keys().nonce());
    }

    private Optional<SealedPart> open(TapeRecord record) {
        Optional<String> sealed = TapeCodec.sealed(record);
        if (sealed.isEmpty()) {
            return Optional.empty();
        }
        if (key == null) {
            key = keeper.keys().find(runId).orElse(null);
        }
        return key == null
                ? Optional.empty()
                : SealedPart.open(sealed.get(), key, place(TapeCodec.event(record)));
    }

    private SealedPart.Place place(TapeEvent event) {
        return new SealedPart.Place(runId, TapeCodec.type(event), SecretPlaces.of(event));
    }

    /**
     * Returns what a record says, as the run goes on with it: the input of a proposed call is the
     * exact one. When its key was erased it has placeholders instead, and no tool takes those. What
     * an older gateway wrote with secrets is returned without.
     */
    public TapeEvent read(TapeRecord record) {
        TapeEvent event = TapeCodec.event(record);
        if (!(event instanceof TapeEvent.ToolCallProposal proposal)) {
            return PublicEvents.of(event, this::text, this::json);
        }
        if (TapeCodec.sealed(record).isEmpty()) {
            return event;
        }
        return open(record)
                .filter(part -> part.input() != null)
                .map(
                        part -> {
                            withheld.add(proposal.callId());
                            return with(proposal, part.input());
                        })
                .orElse(event);
    }
}

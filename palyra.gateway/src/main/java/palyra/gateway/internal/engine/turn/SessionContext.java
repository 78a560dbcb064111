package palyra.gateway.internal.engine.turn;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.ReachRedactor;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.tape.TapeCodec;

/**
 * The context of a session before a run: messages and answers of its earlier runs, with the calls
 * of tools that each of them made, and how those ended that have no answer; see {@link RunStory}.
 * The journal holds it; the copy in memory only saves reading it again. Of a session it is the list
 * of its last runs, which holds as long as they are the last: a new run that was planned on the
 * list is added to it when it ends, and a run that ends without having been planned on it, such as
 * one that had to wait, makes the list be read again. Thread-safe.
 */
public final class SessionContext {
    private static final int MAX_CHARS = 8 << 20;
    private static final int MAX_CHARS_OF_ONE = 24_576;

    /** Most characters that are shown of earlier runs; older exchanges are left out. */
    static final int MOST_SHOWN_CHARS = 2_000_000;

    private static final int MAX_SESSIONS = 2_000;

    /** Records at either end of a tape among which a run has its message and its answer. */
    private static final int ENDS = 8;

    /** Most records of a tape that are read for the calls of a run, and how many at once. */
    private static final int MOST_RECORDS = 5_000;

    private static final int PAGE = 500;

    /** Records of a tape that hold what an agent said, or tell where that begins. */
    private static final Set<String> SAYING =
            Set.of("turn_started", "model_token", "turn_finished");

    private final Gate<Journal> journal;
    private final Redactor redactor;
    private final ExchangeCache exchanges = new ExchangeCache(MAX_CHARS, MAX_CHARS_OF_ONE);
    private final Map<String, Past> pasts =
            Collections.synchronizedMap(
                    new LinkedHashMap<>(64, 0.75f, true) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, Past> eldest) {
                            return size() > MAX_SESSIONS;
                        }
                    });

    /**
     * A run of a session.
     *
     * @param said whether there is something to show of it
     * @param answered false for one without an answer: what it said until then is read by itself,
     *     because its tape alone has what was streamed
     */
    private record Ran(String runId, boolean said, boolean answered) {}

    /**
     * The last runs of a session, oldest first, at most {@code most}.
     *
     * @param planned the run that was planned to be the next; empty when none was
     */
    private record Past(List<Ran> runs, int most, String planned) {
        boolean endsWith(String runId, int wanted) {
            return most == wanted && (runs.isEmpty() ? "" : runs.getLast().runId()).equals(runId);
        }

        Past planning(String runId) {
            return new Past(runs, most, runId);
        }

        Past with(Ran run) {
            List<Ran> more = new ArrayList<>(runs);
            more.add(run);
            return new Past(
                    List.copyOf(more.subList(Math.max(0, more.size() - most), more.size())),
                    most,
                    "");
        }
    }

    /** Creates a context; {@code redactor} looks at what older gateways stored. */
    public SessionContext(Gate<Journal> journal, Redactor redactor) {
        this.journal = journal;
        this.redactor = redactor;
    }

    /**
     * Returns the exchanges among the last {@code maxRuns} runs before {@code runId}, oldest first;
     * an empty id means after all runs.
     */
    public List<ModelMessage> before(String sessionId, String runId, int maxRuns) {
        return maxRuns == 0
                ? List.of()
                : read(journal.call(j -> j.runs("", sessionId, runId, maxRuns)), maxRuns).said();
    }

    /**
     * Returns the exchanges among the last {@code maxRuns} runs, oldest first, for a run that is
     * about to be recorded as the session's next.
     *
     * @param newest the last run of the session as the caller read it; empty when it has none
     */
    public List<ModelMessage> forNext(String sessionId, String newest, String runId, int maxRuns) {
        if (maxRuns == 0) {
            return List.of();
        }
        Past past = pasts.get(sessionId);
        if (newest.isEmpty()) {
            past = new Past(List.of(), maxRuns, "");
        }
        Optional<List<ModelMessage>> known =
                past != null && past.endsWith(newest, maxRuns) ? said(past) : Optional.empty();
        if (known.isEmpty()) {
            EarlierExchanges exchanges =
                    read(journal.call(j -> j.runs("", sessionId, "", maxRuns)), maxRuns);
            past = exchanges.past();
            known = Optional.of(exchanges.said());
        }
        pasts.put(sessionId, past.planning(runId));
        return known.get();
    }

    /** Past runs with their exchanges. */
    private record EarlierExchanges(Past past, List<ModelMessage> said) {}

    private EarlierExchanges read(List<RunRow> newestFirst, int most) {
        List<Ran> runs = new ArrayList<>();
        List<ExchangeCache.Exchange> said = new ArrayList<>();
        long room = MOST_SHOWN_CHARS;
        for (RunRow row : newestFirst) {
            Optional<ExchangeCache.Exchange> exchange =
                    row.state().terminal() && room > 0 ? exchange(row) : Optional.empty();
            room -= exchange.map(ExchangeCache.Exchange::chars).orElse(0);
            boolean shown = exchange.isPresent() && room >= 0;
            if (shown) {
                said.add(exchange.get());
            }
            runs.add(new Ran(row.runId(), shown, row.state() == RunState.SUCCEEDED));
        }
        List<ModelMessage> messages = new ArrayList<>();
        said.reversed().forEach(exchange -> add(messages, exchange));
        return new EarlierExchanges(new Past(List.copyOf(runs.reversed()), most, ""), messages);
    }

    /** Returns nothing when something has to be read. */
    private Optional<List<ModelMessage>> said(Past past) {
        List<ModelMessage> messages = new ArrayList<>();
        for (Ran run : past.runs()) {
            if (run.said()) {
                Optional<ExchangeCache.Exchange> exchange =
                        exchanges
                                .get(run.runId())
                                .or(() -> run.answered() ? Optional.empty() : read(run.runId()));
                if (exchange.isEmpty()) {
                    return Optional.empty();
                }
                add(messages, exchange.get());
            }
        }
        return Optional.of(messages);
    }

    private Optional<ExchangeCache.Exchange> read(String runId) {
        return journal.call(j -> j.run(runId)).flatMap(this::exchange);
    }

    private static void add(List<ModelMessage> messages, ExchangeCache.Exchange exchange) {
        messages.add(new ModelMessage.User(exchange.message()));
        messages.add(new ModelMessage.Assistant(exchange.answer(), List.of()));
    }

    private Optional<ExchangeCache.Exchange> exchange(RunRow row) {
        Optional<ExchangeCache.Exchange> known = exchanges.get(row.runId());
        if (known.isPresent()) {
            return known;
        }
        Optional<InboxRow> inbox = journal.call(j -> j.inbox(row.messageId()));
        ReachRedactor reader =
                reader(
                        row,
                        inbox.map(m -> SubmissionCodec.principalGroups(m.payload()))
                                .orElse(Set.of()),
                        inbox.map(m -> SubmissionCodec.message(m.payload()).channel()).orElse(""));
        Optional<String> message =
                inbox.map(m -> text(m.payload())).or(() -> said(row, 0, TapeEvent.Role.USER));
        List<TapeEvent> events = message.isPresent() ? events(row) : List.of();
        Optional<String> answer = message.flatMap(any -> answer(row, events));
        Optional<ExchangeCache.Exchange> read =
                answer.map(
                        text ->
                                new ExchangeCache.Exchange(
                                        clean(
                                                RunStory.message(
                                                        message.get(), RunStory.taped(events)),
                                                reader),
                                        clean(text, reader)));
        read.ifPresent(exchange -> exchanges.put(row.runId(), exchange));
        return read;
    }

    /**
     * Returns the answer, from the tape when retention has dropped it; empty when the payloads of
     * the tape are erased too: the session goes on without the run.
     */
    private Optional<String> answer(RunRow row, List<TapeEvent> events) {
        if (row.state() != RunState.SUCCEEDED) {
            return Optional.of(RunStory.ending(row.state(), row.reason(), RunStory.said(events)));
        }
        return journal.call(j -> j.outboxOf(row.runId())).stream()
                .map(answer -> StrictJson.parse(answer.payload(), "a stored message"))
                .filter(answer -> answer.path("kind").asText().equals(Outbound.ANSWER))
                .map(answer -> answer.path("text").asText())
                .findFirst()
                .or(() -> said(row, Math.max(0, row.headSeq() - ENDS), TapeEvent.Role.AGENT));
    }

    /**
     * Returns the records of a run's tape about its calls and, when it has no answer, about what
     * the agent said.
     */
    private List<TapeEvent> events(RunRow row) {
        boolean answered = row.state() == RunState.SUCCEEDED;
        List<TapeEvent> events = new ArrayList<>();
        long after = Math.max(0, row.headSeq() - MOST_RECORDS);
        while (after < row.headSeq()) {
            long from = after;
            List<TapeRecord> page = journal.call(j -> j.tape(row.runId(), from, PAGE));
            if (page.isEmpty()) {
                break;
            }
            page.stream()
                    .filter(
                            record ->
                                    record.type().startsWith("tool_call_")
                                            || (!answered && SAYING.contains(record.type())))
                    .map(TapeCodec::event)
                    .forEach(events::add);
            after = page.getLast().seq();
        }
        return events;
    }

    /** Returns the first message of a role among a few records. */
    private Optional<String> said(RunRow row, long after, TapeEvent.Role role) {
        return journal.call(j -> j.tape(row.runId(), after, ENDS)).stream()
                .filter(record -> record.type().equals("message"))
                .map(TapeCodec::event)
                .filter(TapeEvent.Message.class::isInstance)
                .map(TapeEvent.Message.class::cast)
                .filter(said -> said.role() == role)
                .map(TapeEvent.Message::text)
                .findFirst();
    }

    /**
     * Takes over how a run ended, once that is durable, so that its session's next run need not
     * read it back. One that has no answer is read by the next run: its tape has what was streamed.
     *
     * @param conversation what was said in it, the message that began it first; empty when that is
     *     not known: then it is read
     * @param text its answer, or why it has none
     */
    public void ended(
            String sessionId,
            String runId,
            RunState as,
            List<ModelMessage> conversation,
            String text) {
        boolean answered = as == RunState.SUCCEEDED;
        if (answered
                && !conversation.isEmpty()
                && conversation.getFirst() instanceof ModelMessage.User) {
            exchanges.put(
                    runId,
                    new ExchangeCache.Exchange(
                            RunStory.message(
                                    conversation.getFirst().text(), RunStory.told(conversation)),
                            text));
        }
        pasts.computeIfPresent(
                sessionId,
                (id, past) ->
                        past.planned().equals(runId)
                                ? past.with(new Ran(runId, true, answered))
                                : null);
    }

    /** Returns how many exchanges are kept in memory. */
    public int remembered() {
        return exchanges.size();
    }

    /** What was said is searched for what its own run would be searched for. */
    private ReachRedactor reader(RunRow row, Set<String> groups, String channel) {
        return redactor.within(SecretReaches.of(row.principal(), groups, row.agentId(), channel));
    }

    private static String clean(String text, ReachRedactor reader) {
        return reader.text(text, PlaceholderNumbers.fresh());
    }

    private static String text(byte[] payload) {
        JsonNode text = StrictJson.parse(payload, "a stored message").path("text");
        return text.asText("");
    }
}

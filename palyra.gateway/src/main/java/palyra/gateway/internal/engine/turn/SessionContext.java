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
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.ReachRedactor;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.secrets.PlaceholderNumbers;
import palyra.shared.tape.TapeCodec;

/**
 * The context of a session before a run: messages and answers of its earlier, successful runs. The
 * journal holds it; the copy in memory only saves reading it again. Of a session it is the list of
 * its last runs, which holds as long as they are the last: a new run that was planned on the list
 * is added to it when it ends, and a run that ends without having been planned on it, such as one
 * that had to wait, makes the list be read again. Thread-safe.
 */
public final class SessionContext {
    private static final int MAX_CHARS = 8 << 20;
    private static final int MAX_CHARS_OF_ONE = 16_384;

    /** Most characters that are shown of earlier runs; older exchanges are left out. */
    static final int MOST_SHOWN_CHARS = 2_000_000;

    private static final int MAX_SESSIONS = 2_000;

    /** Records at either end of a tape among which a run has its message and its answer. */
    private static final int ENDS = 8;

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

    /** A run of a session; {@code said} tells whether there is something to show of it. */
    private record Ran(String runId, boolean said) {}

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
                    row.state() == RunState.SUCCEEDED && room > 0
                            ? exchange(row)
                            : Optional.empty();
            room -= exchange.map(ExchangeCache.Exchange::chars).orElse(0);
            boolean shown = exchange.isPresent() && room >= 0;
            if (shown) {
                said.add(exchange.get());
            }
            runs.add(new Ran(row.runId(), shown));
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
                Optional<ExchangeCache.Exchange> exchange = exchanges.get(run.runId());
                if (exchange.isEmpty()) {
                    return Optional.empty();
                }
                add(messages, exchange.get());
            }
        }
        return Optional.of(messages);
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
        List<OutboxRow> outbox = journal.call(j -> j.outboxOf(row.runId()));
        Optional<ExchangeCache.Exchange> read =
                inbox.isEmpty() || outbox.isEmpty()
                        ? taped(row)
                        : Optional.of(exchange(row, inbox.get(), outbox.getFirst()));
        read.ifPresent(exchange -> exchanges.put(row.runId(), exchange));
        return read;
    }

    private ExchangeCache.Exchange exchange(RunRow row, InboxRow message, OutboxRow answer) {
        ReachRedactor reader =
                reader(
                        row,
                        SubmissionCodec.principalGroups(message.payload()),
                        SubmissionCodec.message(message.payload()).channel());
        return new ExchangeCache.Exchange(
                text(message.payload(), reader), text(answer.payload(), reader));
    }

    /**
     * Reads an exchange from its run's tape, when retention has dropped message or answer. Empty
     * when the payloads of the tape are erased too: the session goes on without it.
     */
    private Optional<ExchangeCache.Exchange> taped(RunRow row) {
        ReachRedactor reader = reader(row, Set.of(), "");
        Optional<String> message = said(row, 0, TapeEvent.Role.USER);
        Optional<String> answer =
                said(row, Math.max(0, row.headSeq() - ENDS), TapeEvent.Role.AGENT);
        return message.isEmpty() || answer.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new ExchangeCache.Exchange(
                                reader.text(message.get(), PlaceholderNumbers.fresh()),
                                reader.text(answer.get(), PlaceholderNumbers.fresh())));
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
     * read it back.
     */
    public void ended(String sessionId, String runId, RunState as, String message, String answer) {
        boolean said = as == RunState.SUCCEEDED;
        if (said) {
            exchanges.put(runId, new ExchangeCache.Exchange(message, answer));
        }
        pasts.computeIfPresent(
                sessionId,
                (id, past) ->
                        past.planned().equals(runId) ? past.with(new Ran(runId, said)) : null);
    }

    /** Returns how many exchanges are kept in memory. */
    public int remembered() {
        return exchanges.size();
    }

    /** What was said is searched for what its own run would be searched for. */
    private ReachRedactor reader(RunRow row, Set<String> groups, String channel) {
        return redactor.within(SecretReaches.of(row.principal(), groups, row.agentId(), channel));
    }

    private static String text(byte[] payload, ReachRedactor reader) {
        JsonNode text = StrictJson.parse(payload, "a stored message").path("text");
        return reader.text(text.asText(""), PlaceholderNumbers.fresh());
    }
}

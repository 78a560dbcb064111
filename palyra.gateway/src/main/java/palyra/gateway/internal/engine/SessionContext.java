package palyra.gateway.internal.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.RunRow;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.shared.gate.Gate;
import palyra.shared.json.StrictJson;
import palyra.shared.sealed.Redactor;
import palyra.shared.secrets.SecretNumbers;

/**
 * What was said in a session before a run: messages and answers of its earlier, successful runs.
 * Thread-safe.
 */
final class SessionContext {
    private static final int MAX_CACHED = 2_000;
    private static final int MAX_CACHED_CHARS = 16_384;

    private record Exchange(String message, String answer) {
        boolean cacheable() {
            return message.length() + answer.length() <= MAX_CACHED_CHARS;
        }
    }

    private final Gate<Journal> journal;
    private final Redactor redactor;
    private final Map<String, Exchange> cache =
            Collections.synchronizedMap(
                    new LinkedHashMap<>(64, 0.75f, true) {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, Exchange> eldest) {
                            return size() > MAX_CACHED;
                        }
                    });

    /** Creates a context; {@code redactor} looks at what older gateways stored. */
    SessionContext(Gate<Journal> journal, Redactor redactor) {
        this.journal = journal;
        this.redactor = redactor;
    }

    /**
     * Returns the exchanges among the last {@code maxRuns} runs before {@code runId}, oldest first;
     * an empty id means after all runs.
     */
    List<ModelMessage> before(String sessionId, String runId, int maxRuns) {
        if (maxRuns == 0) {
            return List.of();
        }
        List<RunRow> rows = journal.call(j -> j.runs("", sessionId, runId, maxRuns));
        List<ModelMessage> messages = new ArrayList<>();
        for (RunRow row : rows.reversed()) {
            if (row.state() == RunState.SUCCEEDED) {
                exchange(row)
                        .ifPresent(
                                exchange -> {
                                    messages.add(new ModelMessage.User(exchange.message()));
                                    messages.add(
                                            new ModelMessage.Assistant(
                                                    exchange.answer(), List.of()));
                                });
            }
        }
        return messages;
    }

    private Optional<Exchange> exchange(RunRow row) {
        Exchange known = cache.get(row.runId());
        if (known != null) {
            return Optional.of(known);
        }
        Optional<InboxRow> inbox = journal.call(j -> j.inbox(row.messageId()));
        List<OutboxRow> outbox = journal.call(j -> j.outboxOf(row.runId()));
        if (inbox.isEmpty() || outbox.isEmpty()) {
            return Optional.empty(); // dropped by retention: the session goes on without it
        }
        Exchange read = new Exchange(text(inbox.get().payload()), text(outbox.get(0).payload()));
        keep(row.runId(), read);
        return Optional.of(read);
    }

    private void keep(String runId, Exchange exchange) {
        if (exchange.cacheable()) {
            cache.put(runId, exchange);
        }
    }

    /**
     * Takes over what a run that has just succeeded said, so that its session's next run need not
     * read it back.
     */
    void answered(String runId, String message, String answer) {
        keep(runId, new Exchange(message, answer));
    }

    /** Returns how many exchanges are kept in memory. */
    int remembered() {
        return cache.size();
    }

    private String text(byte[] payload) {
        JsonNode text = StrictJson.parse(payload, "a stored message").path("text");
        return redactor.text(text.asText(""), SecretNumbers.fresh());
    }
}

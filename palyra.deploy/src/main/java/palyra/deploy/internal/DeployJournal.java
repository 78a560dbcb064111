package palyra.deploy.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;

/**
 * Writes the changes of the drop-in folder into the journal. A change is durable before it begins;
 * its outcome and refusals follow as soon as the journal accepts them. Not thread-safe.
 */
final class DeployJournal {
    static final String STARTED = "bundle_deploy_started";
    static final String FINISHED = "bundle_deploy_finished";
    static final String REFUSED = "bundle_deploy_refused";
    static final String PRINCIPAL = "local-files";
    private static final Logger LOG = LoggerFactory.getLogger(DeployJournal.class);
    private static final String SCOPE = "bundle.deploy";
    private static final int MAX_WAITING = 1_000;

    private final Gate<Journal> journal;
    private final String bootId;
    private final Ulids ids = new Ulids();
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private final Set<String> refusalsTold = new HashSet<>();

    DeployJournal(Gate<Journal> journal, String bootId) {
        this.journal = journal;
        this.bootId = bootId;
    }

    private record Entry(String type, ObjectNode payload, String key) {}

    /**
     * Records the begin of a change, after all waiting entries.
     *
     * @return id of the operation
     * @throws PalyraException when it is not durable; the change must not begin then
     */
    String begin(Change change) {
        flush();
        String id = ids.next();
        ObjectNode payload = of(change, id);
        change.wanted()
                .ifPresent(
                        facts -> {
                            payload.put("version", facts.version().toString());
                            payload.put("sha256", facts.sha256());
                            new TreeSet<>(facts.signers().keySet())
                                    .forEach(payload.putArray("signers")::add);
                        });
        payload.put("pin", change.pin());
        payload.put("reason", change.reason());
        payload.put("fromVersion", change.before().map(b -> b.version().toString()).orElse(""));
        payload.put("fromSha256", change.before().map(DeployedBundle::sha256).orElse(""));
        commit(new Entry(STARTED, payload, id));
        return id;
    }

    private static ObjectNode of(Change change, String operationId) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("principal", PRINCIPAL)
                .put("operationId", operationId)
                .put("change", change.kind().name())
                .put("bundle", change.symbolicName())
                .put("file", change.file());
    }

    /** Records the outcome of a change, now or when the journal is available. */
    void end(String operationId, Change change, Outcome outcome) {
        ObjectNode payload = of(change, operationId);
        payload.put("outcome", outcome.result().name());
        payload.put("message", outcome.message());
        enqueue(new Entry(FINISHED, payload, operationId + "/end"));
    }

    /** Records a refusal of a jar, once for each start of the gateway. */
    void refused(String file, JarFacts facts, String reason, String pinLine) {
        String key = Digests.sha256Hex(String.join("\n", bootId, file, facts.sha256(), reason));
        if (!refusalsTold.add(key)) {
            return;
        }
        ObjectNode payload =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("principal", PRINCIPAL)
                        .put("file", file)
                        .put("bundle", facts.symbolicName())
                        .put("version", facts.version().toString())
                        .put("sha256", facts.sha256())
                        .put("reason", reason)
                        .put("pin", pinLine);
        enqueue(new Entry(REFUSED, payload, key));
    }

    private void enqueue(Entry entry) {
        if (waiting.size() >= MAX_WAITING) {
            Entry lost = waiting.remove();
            LOG.error(
                    "The journal has been unavailable for too long; lost: {} {}",
                    lost.type(),
                    lost.payload());
        }
        waiting.add(entry);
    }

    /**
     * Writes waiting entries.
     *
     * @throws PalyraException when the journal does not accept them
     */
    void flush() {
        while (!waiting.isEmpty()) {
            try {
                commit(waiting.peek());
            } catch (PalyraException e) {
                boolean hopeless =
                        e.code() == ErrorCode.INVALID_ARGUMENT
                                || e.code() == ErrorCode.IDEMPOTENCY_MISMATCH;
                if (!hopeless) {
                    throw e;
                }
                LOG.error("The journal refuses {}.", waiting.peek().payload(), e);
            }
            waiting.remove();
        }
    }

    /** Returns how many events are not in the journal yet. */
    int waiting() {
        return waiting.size();
    }

    private void commit(Entry entry) {
        byte[] payload = Jcs.bytes(entry.payload());
        IdempotencyKey key = new IdempotencyKey(SCOPE, entry.key(), Digests.sha256Hex(payload));
        Unit unit =
                Unit.builder()
                        .once(key, new byte[0])
                        .add(
                                new Operation.Append(
                                        TapeRecord.JOURNAL_STREAM, entry.type(), 1, payload))
                        .build();
        journal.run(service -> service.commit(unit));
    }
}

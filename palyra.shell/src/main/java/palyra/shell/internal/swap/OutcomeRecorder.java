package palyra.shell.internal.swap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * Writes outcomes of operations into the journal, each once. An outcome that cannot be written now
 * waits in its file for the next start of the shell.
 */
final class OutcomeRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(OutcomeRecorder.class);
    private static final String TYPE = "bundle_swap";
    private static final long LOOK_MILLIS = 200;
    private static final long PATIENCE_MILLIS = 180_000;
    private static final int ATTEMPTS = 6;

    private final SwapFolder folder;
    private final Gate<Journal> journal;
    private final String bootId;

    OutcomeRecorder(SwapFolder folder, Gate<Journal> journal, String bootId) {
        this.folder = folder;
        this.journal = journal;
        this.bootId = bootId;
    }

    /** Settles what an earlier shell left, waiting for what its worker has not ended yet. */
    void settleAll() throws InterruptedException {
        forgetOtherStarts();
        for (SwapRecord swap : folder.records()) {
            if (!swap.journaled()) {
                settle(ended(swap));
            }
        }
    }

    private void forgetOtherStarts() {
        try {
            folder.forgetOtherStarts(bootId);
        } catch (IOException e) {
            LOG.warn("The old content of earlier swaps could not be removed", e);
        }
    }

    private SwapRecord ended(SwapRecord first) throws InterruptedException {
        SwapRecord swap = first;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        boolean mayEnd = swap.bootId().equals(bootId);
        while (!swap.phase().over() && mayEnd && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            swap = folder.read(first.operationId()).orElse(swap);
        }
        return swap.phase().over()
                ? swap
                : swap.at(
                        SwapRecord.Phase.INTERRUPTED,
                        "The process, or the worker, ended in the middle.",
                        System.currentTimeMillis());
    }

    /** Writes one outcome, trying again while the journal is away. */
    void settle(SwapRecord swap) throws InterruptedException {
        for (int i = 0; i < ATTEMPTS; i++) {
            try {
                journal.run(service -> service.commit(unit(swap)));
                folder.write(swap.inJournal());
                folder.deleteJars(swap);
                return;
            } catch (PalyraException e) {
                LOG.warn(
                        "The outcome of swap {} is not in the journal yet: {}",
                        swap.operationId(),
                        e.getMessage());
            } catch (IOException e) {
                LOG.warn("The record of swap {} could not be kept", swap.operationId(), e);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static Unit unit(SwapRecord swap) {
        byte[] payload = Jcs.bytes(payload(swap));
        return new Unit(
                Optional.of(
                        new IdempotencyKey(
                                "bundle.swap", swap.operationId(), Digests.sha256Hex(payload))),
                null,
                List.of(),
                List.of(new Operation.Append(TapeRecord.JOURNAL_STREAM, TYPE, 1, payload)),
                Unit.Lane.COMMAND);
    }

    private static ObjectNode payload(SwapRecord swap) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("operationId", swap.operationId())
                .put("bundle", swap.bundle())
                .put("outcome", swap.phase().name())
                .put("message", swap.message())
                .put("principal", swap.principal())
                .put("permitId", swap.permitId())
                .put("fromVersion", swap.fromVersion())
                .put("toVersion", swap.toVersion())
                .put("fromSha256", swap.fromSha256())
                .put("toSha256", swap.toSha256())
                .put("startedAtMillis", swap.startedAtMillis())
                .put("endedAtMillis", swap.endedAtMillis());
    }
}

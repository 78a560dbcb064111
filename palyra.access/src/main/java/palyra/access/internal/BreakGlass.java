package palyra.access.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.Finding;
import palyra.shared.files.MediumFailure;
import palyra.shared.json.Jcs;

/**
 * Break-glass access for when there is no decision, or the journal takes no record: a fixed list of
 * actions, for the local peer that owns the gateway. Each use is recorded in the journal or, when
 * that is down, in a synced file; without either there is no use, except of the two actions that
 * only read.
 */
final class BreakGlass {
    /** The list. It is in code so that no configuration can widen it. */
    static final Set<String> ACTIONS =
            Set.of(
                    "system.status",
                    "system.doctor",
                    "system.logs",
                    "system.stop",
                    "tape.verify",
                    "policy.read",
                    "policy.validate",
                    "policy.reload",
                    "policy.rollback",
                    "bundle.start",
                    "bundle.update",
                    "bundle.swap");

    /**
     * What only reads and shows the gateway's own user what that user could read anyway, by action
     * and resource. These are answered even while no medium takes the record, which then waits in
     * memory. In code and not inferred: an entry here must change nothing with any arguments.
     */
    static final Map<String, String> READING =
            Map.of("system.status", "command:status", "system.doctor", "command:doctor");

    /** How long such a caller waits for the journal, in milliseconds. */
    static final long JOURNAL_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(BreakGlass.class);

    private final ProcessIdentity own;
    private final Recorder recorder;
    private final Path file;
    private final LongSupplier clock;
    private final boolean safeMode;
    private final Object writing = new Object();
    private final LongAdder uses = new LongAdder();
    private final PendingRecords waiting = new PendingRecords();

    /**
     * Creates it.
     *
     * @param safeMode whether the gateway was started for repair, when a denial is no decision
     *     either
     */
    BreakGlass(
            ProcessIdentity own,
            Recorder recorder,
            Path stateFolder,
            LongSupplier clock,
            boolean safeMode) {
        this.own = own;
        this.recorder = recorder;
        this.file = stateFolder.resolve("break-glass.log");
        this.clock = clock;
        this.safeMode = safeMode;
    }

    /**
     * Returns whether this caller may do this although a rule denies it: policies that lock out
     * their own operators are repaired in a gateway that was started for that.
     */
    boolean overrules(AccessRequest request) {
        return safeMode && covers(request);
    }

    /** Returns whether this caller may use this way for this action, if there is no other. */
    boolean covers(AccessRequest request) {
        Principal principal = request.principal();
        return ACTIONS.contains(request.action())
                && principal.kind() == PrincipalKind.USER
                && principal.in(BuiltInRules.OPERATOR)
                && principal.scopes().isEmpty()
                && principal.credentialId().equals(own.credentialId());
    }

    /** Makes the use durable, in the journal if it takes it in time, else in the file. */
    void record(DecisionRecord use) {
        announce(use);
        try {
            recorder.commitWithin(
                    Unit.of(use.append(DecisionRecord.BREAK_GLASS)),
                    JOURNAL_MILLIS,
                    JOURNAL_MILLIS);
        } catch (PalyraException e) {
            writeOrKeep(use);
        }
    }

    private void writeOrKeep(DecisionRecord use) {
        byte[] line = line(use);
        try {
            append(line);
        } catch (IOException e) {
            String why = MediumFailure.sentence(e, file);
            if (!reads(use.request()) || !waiting.add(new PendingRecords.Use(use, line, why))) {
                throw refusal(use, e);
            }
            LOG.warn(
                    "The record of a break-glass use ({}) waits in memory: {}.",
                    use.request().action(),
                    why);
        }
    }

    private static boolean reads(AccessRequest request) {
        return request.resource().equals(READING.get(request.action()));
    }

    /** Writes the records that wait, if the journal or the file takes them now. */
    void writeWaiting() {
        waiting.write(this::written);
    }

    private boolean written(PendingRecords.Use use) {
        try {
            recorder.commitWithin(
                    Unit.of(use.record().append(DecisionRecord.BREAK_GLASS, use.line())),
                    0,
                    JOURNAL_MILLIS);
            return true;
        } catch (PalyraException e) {
            LOG.debug("The journal takes no record that waits.", e);
        }
        try {
            append(use.line());
            return true;
        } catch (IOException e) {
            LOG.debug("The file takes no record that waits.", e);
            return false;
        }
    }

    /** Returns one sentence that the record of a permit waits, and why; empty when it does not. */
    Optional<String> recordWaits(String permitId) {
        return waiting.find(permitId)
                .map(
                        use ->
                                "The record of this emergency use (break-glass) waits in memory"
                                        + " until a medium takes it: "
                                        + use.why()
                                        + ".");
    }

    /** Returns what an operator should know. */
    List<Finding> findings() {
        return waiting.oldest().stream()
                .map(
                        oldest ->
                                new Finding(
                                        Finding.Severity.WARNING,
                                        "access",
                                        "Records of emergency uses (break-glass) wait in memory: "
                                                + waiting.size()
                                                + " of at most "
                                                + PendingRecords.MOST
                                                + ". They are lost if the gateway ends before they"
                                                + " are written.",
                                        "Make room for them: "
                                                + oldest.why()
                                                + ". They are written by themselves."))
                .toList();
    }

    /** Makes the use durable in the file: the journal has just failed. */
    void recordAside(DecisionRecord use) {
        announce(use);
        try {
            append(line(use));
        } catch (IOException e) {
            throw refusal(use, e);
        }
    }

    private byte[] line(DecisionRecord use) {
        return (Jcs.text(use.json().put("timeMillis", clock.getAsLong())) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private void announce(DecisionRecord use) {
        uses.increment();
        LOG.warn(
                "Break-glass: {} does {} because {}.",
                use.request().principal().id(),
                use.request().action(),
                use.cause());
    }

    private void append(byte[] line) throws IOException {
        synchronized (writing) {
            StateFiles.append(file, line);
        }
    }

    private PalyraException refusal(DecisionRecord use, IOException e) {
        return new PalyraException(
                ErrorCode.JOURNAL_UNAVAILABLE,
                use.request().action()
                        + " was asked for in an emergency, but neither the journal nor "
                        + file
                        + " takes a record of it: "
                        + MediumFailure.sentence(e, file)
                        + ".",
                e);
    }

    long uses() {
        return uses.sum();
    }
}

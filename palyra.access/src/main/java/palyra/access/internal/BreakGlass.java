package palyra.access.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import palyra.shared.files.MediumFailure;
import palyra.shared.json.Jcs;

/**
 * The way in when nothing else gives a decision, or nothing can be recorded: a fixed list of
 * actions, for the local peer that owns the gateway. Each use stands in the journal or, when that
 * is down, in a synced file; without either there is no use.
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
                    "policy.validate",
                    "policy.reload",
                    "policy.rollback",
                    "bundle.start",
                    "bundle.update",
                    "bundle.swap");

    /** How long such a caller waits for the journal, in milliseconds. */
    static final long JOURNAL_MILLIS = 2_000;

    private static final Logger LOG = LoggerFactory.getLogger(BreakGlass.class);

    private final OwnIdentity own;
    private final Recorder recorder;
    private final Path file;
    private final LongSupplier clock;
    private final boolean safeMode;
    private final Object writing = new Object();
    private final LongAdder uses = new LongAdder();

    /**
     * Creates it.
     *
     * @param safeMode whether the gateway was started for repair, when a denial is no decision
     *     either
     */
    BreakGlass(
            OwnIdentity own,
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
            write(use);
        }
    }

    /** Makes the use durable in the file: the journal has just failed. */
    void recordAside(DecisionRecord use) {
        announce(use);
        write(use);
    }

    private void announce(DecisionRecord use) {
        uses.increment();
        LOG.warn(
                "Break-glass: {} does {} because {}.",
                use.request().principal().id(),
                use.request().action(),
                use.cause());
    }

    private void write(DecisionRecord use) {
        byte[] line =
                (Jcs.text(use.json().put("timeMillis", clock.getAsLong())) + "\n")
                        .getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (writing) {
                StateFiles.append(file, line);
            }
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    use.request().action()
                            + " was asked for in an emergency, but neither the journal nor "
                            + file
                            + " takes a record of it: "
                            + MediumFailure.sentence(e, file)
                            + ".",
                    e);
        }
    }

    long uses() {
        return uses.sum();
    }
}

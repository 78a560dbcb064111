package palyra.front.internal;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import palyra.api.PalyraException;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalReader;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.shared.approval.StoredApprovalRequest;
import palyra.shared.gate.Gate;

/**
 * Why a run waits. The engine's reason is in the run's row; the reason of a queued run is found on
 * request, so that waiting costs no write. Thread-safe.
 */
final class WaitReasons {
    private static final Set<RunState> QUEUED = EnumSet.of(RunState.ACCEPTED);
    private static final Set<RunState> ACTIVE =
            EnumSet.of(RunState.RUNNING, RunState.AWAITING_APPROVAL);
    private static final int MOST_COUNTED = 100;

    private final Gate<Journal> journal;
    private final Gate<Intake> intake;
    private final BooleanSupplier keys;

    /**
     * Creates it.
     *
     * @param keys whether the key store is there
     */
    WaitReasons(Gate<Journal> journal, Gate<Intake> intake, BooleanSupplier keys) {
        this.journal = journal;
        this.intake = intake;
        this.keys = keys;
    }

    /** Returns a run as surfaces see it, with the reason of its wait. */
    RunView view(RunRow row) {
        RunView view = row.view();
        String reason = reason(row);
        return reason.equals(view.reason())
                ? view
                : new RunView(
                        view.runId(),
                        view.sessionId(),
                        view.principal(),
                        view.agentId(),
                        view.originKind(),
                        view.state(),
                        reason,
                        view.createdAtMillis(),
                        view.updatedAtMillis(),
                        view.headSeq());
    }

    /** Returns why a run waits; empty when there is nothing to say. */
    String reason(RunRow row) {
        if (row.headLost()) {
            return row.view().reason();
        }
        return row.state().terminal()
                ? row.reason()
                : setback(row.runId()).map(Setback::sentence).orElseGet(() -> waiting(row));
    }

    /** Returns why the gateway cannot go on with a run for now, as far as it is there to say. */
    private Optional<Setback> setback(String runId) {
        if (!intake.isPresent()) {
            return Optional.empty();
        }
        try (Gate.Lease<Intake> lease = intake.lease(0)) {
            return lease.service().setbacks().stream()
                    .filter(one -> one.kind() == Setback.Kind.RUN && one.id().equals(runId))
                    .findFirst();
        } catch (PalyraException e) {
            return Optional.empty(); // it left meanwhile
        }
    }

    private String waiting(RunRow row) {
        if (row.state() == RunState.AWAITING_APPROVAL) {
            return row.reason() + unreadable(row);
        }
        if (row.state() == RunState.RUNNING && row.reason().isEmpty()) {
            return whileNothingIsWritten();
        }
        if (row.state() != RunState.ACCEPTED || !row.reason().isEmpty()) {
            return row.reason();
        }
        try {
            return journal.call(present -> queued(present, row));
        } catch (PalyraException e) {
            return "queued; its place is not known while the journal cannot be read";
        }
    }

    /** Returns why approval requests of a run cannot be read; empty when they can. */
    private String unreadable(RunRow row) {
        try {
            return journal
                    .call(j -> StoredApprovalRequest.unreadable(j, row.runId(), MOST_COUNTED))
                    .stream()
                    .map(one -> ". " + one.unreadableSentence())
                    .findFirst()
                    .orElse("");
        } catch (PalyraException e) {
            return ""; // the journal tells of itself
        }
    }

    /** A run whose worker waits for the medium cannot say so in its row. */
    private String whileNothingIsWritten() {
        try {
            JournalStatus status = journal.call(Journal::status);
            if (status.state() == JournalStatus.State.OPEN) {
                return keys.getAsBoolean()
                        ? ""
                        : "the key store is away: the end of a run is signed, and waits for it";
            }
            return "waiting for the journal, which is " + status.state() + ": " + status.detail();
        } catch (PalyraException e) {
            return "waiting for the journal, which is away";
        }
    }

    private static String queued(JournalReader journal, RunRow row) {
        List<RunRow> before =
                journal.runsIn(QUEUED, row.sessionId(), "", MOST_COUNTED).stream()
                        .takeWhile(other -> !other.runId().equals(row.runId()))
                        .toList();
        Optional<RunRow> active =
                journal.runsIn(ACTIVE, row.sessionId(), "", 1).stream().findFirst();
        if (active.isEmpty() && before.isEmpty()) {
            return "queued: it begins when fewer runs are worked on (maxActiveRuns of"
                    + " palyra.gateway) and the gateway is there";
        }
        String place = "queued in its session, number " + (before.size() + 1);
        return active.map(run -> place + ", behind run " + run.runId() + words(run)).orElse(place);
    }

    private static String words(RunRow active) {
        String why = active.reason().isEmpty() ? "" : " (" + active.reason() + ")";
        String remedy =
                active.state() == RunState.AWAITING_APPROVAL
                        ? "; answer it (palyra approvals list), cancel it (palyra run cancel "
                                + active.runId()
                                + "), or begin a fresh session (palyra ask --new)"
                        : "";
        return ", which is " + active.state() + why + remedy;
    }
}

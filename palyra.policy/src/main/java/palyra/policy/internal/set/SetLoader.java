package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.api.core.policy.PolicySetView;

/** Reads, checks and brings into force. Used by one thread. */
final class SetLoader {
    private static final Logger LOG = LoggerFactory.getLogger(SetLoader.class);

    private final Path own;
    private final SourceReader reader;
    private final SetChecker checks;
    private final CheckAttempts attempts;
    private final ActivePolicySet active;
    private final PolicyJournal journal;
    private final Preparation preparation;

    /**
     * @param own the operator's folder
     */
    SetLoader(
            Path own,
            SourceReader reader,
            SetChecker checks,
            CheckAttempts attempts,
            ActivePolicySet active,
            PolicyJournal journal,
            Preparation preparation) {
        this.own = own;
        this.reader = reader;
        this.checks = checks;
        this.attempts = attempts;
        this.active = active;
        this.journal = journal;
        this.preparation = preparation;
    }

    /** Makes the native engine ready for a set before it comes into force. */
    interface Preparation {
        /**
         * @throws palyra.lib.cedar.CedarException when the engine is there and cannot
         */
        void prepare(Snapshot snapshot);
    }

    /**
     * On whose behalf.
     *
     * @param permitId empty for files
     * @param origin {@code files}, {@code apply} or {@code rollback}
     * @param confirmed digest of the set whose loss of protection is confirmed; may be empty
     * @param command command line that confirms, up to the digest
     */
    record Caller(String who, String permitId, String origin, String confirmed, String command) {
        static final Caller FILES =
                new Caller("local-files", "", "files", "", "palyra policy reload --confirm ");

        /** Whether it is about the operator's folder. */
        boolean aboutFiles() {
            return origin.equals("files");
        }

        boolean hasPermit() {
            return !permitId.isEmpty();
        }
    }

    /**
     * What came of a load.
     *
     * @param retry whether it failed for a reason that may pass by itself
     */
    record Result(PolicyReport report, Optional<Snapshot> candidate, boolean retry) {}

    /** Reads a folder in the operator's place; empty means the operator's own. */
    ReadResult read(Optional<Path> folder, PolicySettings settings) {
        try {
            return reader.read(folder.orElse(own), folder.isEmpty(), settings);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED, "Reading the policies was interrupted.", e);
        }
    }

    /** Checks what was read, without any effect. */
    Result check(ReadResult reading, Caller caller) {
        long start = System.nanoTime();
        return switch (reading) {
            case ReadResult.Unsettled ignored ->
                    new Result(
                            Reports.refused("", List.of(unsettled()), millisSince(start)),
                            Optional.empty(),
                            true);
            case ReadResult.Unusable unusable ->
                    new Result(
                            Reports.refused("", unusable.problems(), millisSince(start)),
                            Optional.empty(),
                            false);
            case ReadResult.Complete complete ->
                    check(complete.set(), caller, Activation.NONE).result();
        };
    }

    /** Tries the cases of what was read. */
    PolicyService.Trial tryCases(ReadResult reading) {
        return switch (reading) {
            case ReadResult.Unsettled ignored ->
                    new PolicyService.Trial(List.of(), List.of(unsettled()));
            case ReadResult.Unusable unusable ->
                    new PolicyService.Trial(List.of(), unusable.problems());
            case ReadResult.Complete complete ->
                    marked(complete.set(), () -> checks.tryCases(complete.set()));
        };
    }

    /** Should the process end meanwhile, the next one knows which set it was. */
    private <T> T marked(SourceSet source, Supplier<T> check) {
        attempts.begin(source.sha256());
        try {
            return check.get();
        } finally {
            attempts.end(source.sha256());
        }
    }

    private static PolicyProblem unsettled() {
        return PolicyProblems.error(
                "",
                "The policy files are being written all the time.",
                "Nothing is read until they were left alone for a moment.");
    }

    private record Checked(Result result, SetChecker.Outcome outcome, List<String> lost) {}

    private Checked check(SourceSet source, Caller caller, Activation stamp) {
        long start = System.nanoTime();
        SetChecker.Outcome outcome = marked(source, () -> checks.run(source, stamp));
        if (outcome.snapshot().isEmpty()) {
            PolicyReport report =
                    Reports.refused(
                            source.sha256(),
                            outcome.problems(),
                            outcome.casesRun(),
                            outcome.replayed(),
                            millisSince(start));
            return new Checked(
                    new Result(report, Optional.empty(), outcome.engineAway()), outcome, List.of());
        }
        Snapshot candidate = outcome.snapshot().get();
        List<String> lost =
                active.lastGoodSnapshot()
                        .map(inForce -> Protection.lost(inForce, candidate))
                        .orElse(List.of());
        boolean ask = !lost.isEmpty() && !caller.confirmed().equals(source.sha256());
        String summary =
                ask
                        ? Reports.needsConfirmation(lost, caller.command() + source.sha256())
                        : "The policies could come into force: "
                                + Reports.counts(outcome, candidate.view());
        PolicyReport report =
                Reports.report(
                        ask ? Outcome.NEEDS_CONFIRMATION : Outcome.VALID,
                        source.sha256(),
                        summary,
                        outcome,
                        lost,
                        millisSince(start));
        return new Checked(new Result(report, Optional.of(candidate), false), outcome, lost);
    }

    /** Checks what was read and brings it into force. */
    Result load(SourceSet source, Caller caller, boolean held) {
        long start = System.nanoTime();
        Checked checked = check(source, caller, active.stamp(caller.origin(), caller.who()));
        if (checked.result().report().outcome() != Outcome.VALID) {
            return checked.result();
        }
        CompiledSet set = checked.outcome().compiled().orElseThrow();
        Snapshot candidate = checked.result().candidate().orElseThrow();
        boolean inForce =
                active.status()
                        .current()
                        .map(now -> now.view().sha256().equals(source.sha256()))
                        .orElse(false);
        try {
            if (inForce) {
                active.hold(held);
                active.warned(checked.outcome().problems());
                PolicyReport report =
                        Reports.report(
                                Outcome.UNCHANGED,
                                source.sha256(),
                                "The policies were in force already: "
                                        + Reports.counts(checked.outcome(), candidate.view()),
                                checked.outcome(),
                                checked.lost(),
                                millisSince(start));
                return new Result(report, checked.result().candidate(), false);
            }
            preparation.prepare(candidate);
            active.accept(set, candidate, held);
            PolicySetView view = candidate.view();
            PolicyReport report =
                    Reports.report(
                            Outcome.APPLIED,
                            source.sha256(),
                            "The policies are in force: " + Reports.counts(checked.outcome(), view),
                            checked.outcome(),
                            checked.lost(),
                            millisSince(start));
            journal.add(
                    PolicyJournal.LOADED, Reports.loaded(view, caller.permitId(), report, held));
            return new Result(report, checked.result().candidate(), false);
        } catch (IOException | RuntimeException e) {
            tell(e);
            return new Result(
                    Reports.refused(
                            source.sha256(),
                            List.of(
                                    PolicyProblems.error(
                                            "",
                                            "The set passed its checks and could not be kept: "
                                                    + (e instanceof IOException medium
                                                            ? active.failure(medium)
                                                            : e.getMessage()),
                                            "It would be lost by a restart, so it does not come"
                                                    + " into force; it is tried again by itself"
                                                    + " when it came from the policy folder.")),
                            millisSince(start)),
                    Optional.empty(),
                    true);
        }
    }

    /** A failure of the medium is reported with the refusal, once; the write is retried soon. */
    private static void tell(Exception e) {
        String what = "A policy set that passed its checks could not be brought into force.";
        if (e instanceof IOException) {
            LOG.debug(what, e);
        } else {
            LOG.warn(what, e);
        }
    }

    /** Brings an earlier set into force as it was checked then. */
    PolicyReport rollback(CompiledSet set, Caller caller) throws IOException {
        long start = System.nanoTime();
        compareWithTexts(set);
        Snapshot snapshot = set.snapshot(active.stamp(caller.origin(), caller.who()));
        preparation.prepare(snapshot);
        active.accept(set, snapshot, true);
        PolicySetView view = snapshot.view();
        List<String> none = List.of();
        PolicyReport report =
                new PolicyReport(
                        Outcome.APPLIED,
                        view.sha256(),
                        "The earlier policies are in force again: "
                                + view.policies()
                                + " policies from "
                                + view.files()
                                + " files. Saved files wait for palyra policy reload.",
                        List.of(),
                        none,
                        0,
                        0,
                        millisSince(start));
        journal.add(PolicyJournal.LOADED, Reports.loaded(view, caller.permitId(), report, true));
        return report;
    }

    /**
     * Compares what a stored set compiled to with what its texts compile to now; where there is no
     * native engine the digests must do.
     *
     * @throws PalyraException CORRUPT when they differ
     */
    void compareWithTexts(CompiledSet set) {
        if (!checks.sameAsTexts(set)) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The stored policy set "
                            + set.sha256()
                            + " is not what its texts compile to. It is not used.");
        }
    }

    static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}

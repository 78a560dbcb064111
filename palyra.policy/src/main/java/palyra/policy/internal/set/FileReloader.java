package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;

/**
 * Sees to it that the operator's files are in force: at the start, and whenever they change. Used
 * by one thread.
 */
final class FileReloader {
    private static final Logger LOG = LoggerFactory.getLogger(FileReloader.class);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path own;
    private final SourceReader reader;
    private final SetLoader loader;
    private final CheckAttempts attempts;
    private final ActivePolicySet active;
    private final PolicyJournal journal;
    private final Supplier<PolicySettings> settings;
    private final BooleanSupplier enginePresent;
    private final long graceEndNanos;
    private List<FolderListing> done; // null: to be read in any case
    private String refusedSha256 = "";
    private String refusedSummary = "";
    private boolean verify;
    private long retryAtNanos;

    /**
     * @param enginePresent whether the native engine is there
     * @param graceMillis how long a start waits for it before the last good set must do
     */
    FileReloader(
            Path own,
            SourceReader reader,
            SetLoader loader,
            CheckAttempts attempts,
            ActivePolicySet active,
            PolicyJournal journal,
            Supplier<PolicySettings> settings,
            BooleanSupplier enginePresent,
            long graceMillis) {
        this.own = own;
        this.reader = reader;
        this.loader = loader;
        this.attempts = attempts;
        this.active = active;
        this.journal = journal;
        this.settings = settings;
        this.enginePresent = enginePresent;
        this.graceEndNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
        this.retryAtNanos = System.nanoTime();
    }

    /** Starts with the stored set when it matches the files, else by reading them. */
    void begin() {
        attempts.open();
        active.open();
        if (!active.status().trouble().isEmpty()) {
            recordTrouble(active.status().trouble());
        }
        Optional<Snapshot> lastGood = active.lastGoodSnapshot();
        if (lastGood.isPresent() && (active.status().held() || same(lastGood.get()))) {
            active.resume("start");
            verify = true;
        }
        look();
    }

    private void recordTrouble(String sentence) {
        PolicyProblem problem =
                PolicyProblems.error("", sentence, "The operator's files are checked again.");
        journal.add(
                PolicyJournal.REFUSED,
                Reports.refused(
                        "local-files", "", "store", Reports.refused("", List.of(problem), 0)));
    }

    private boolean same(Snapshot stored) {
        return loader.read(Optional.empty(), settings.get()) instanceof ReadResult.Complete complete
                && complete.set().sha256().equals(stored.view().sha256());
    }

    /** Reads the files again even if they look as before. */
    void forget() {
        done = null;
        refusedSha256 = "";
    }

    /** Reads the files again, but not after a refusal: another task handled them. */
    void forgetLooks() {
        done = null;
    }

    /** Handles changed files. */
    void look() {
        if (System.nanoTime() - retryAtNanos < 0) {
            return;
        }
        List<FolderListing> now;
        try {
            now = reader.look(own);
        } catch (IOException e) {
            tryAgainSoon();
            refuse(unreadable(e), false);
            return;
        }
        if (!now.equals(done)) {
            ReadResult reading = loader.read(Optional.empty(), settings.get());
            done = now;
            take(reading);
        }
        if (verify && enginePresent.getAsBoolean()) {
            verify();
        }
    }

    private static PolicyReport unreadable(IOException e) {
        PolicyProblem problem =
                PolicyProblems.error(
                        "",
                        "The policy folders cannot be read: " + e.getMessage() + ".",
                        "Make them readable for the user that the gateway runs as.");
        return Reports.refused("", List.of(problem), 0);
    }

    private void take(ReadResult reading) {
        if (reading instanceof ReadResult.Unsettled) {
            done = null;
            return;
        }
        if (!(reading instanceof ReadResult.Complete complete)) {
            tryAgainSoon();
            refuse(loader.check(reading, SetLoader.Caller.FILES).report(), false);
            return;
        }
        String sha256 = complete.set().sha256();
        SetStatus status = active.status();
        boolean inForce =
                status.current().map(now -> now.view().sha256().equals(sha256)).orElse(false);
        if (inForce) {
            settled();
        } else if (status.held()) {
            active.waiting(sha256);
        } else if (status.current().isEmpty() && isLastGood(sha256)) {
            active.resume("files");
            verify = true;
            settled();
        } else if (!sha256.equals(refusedSha256)) {
            load(complete.set());
        }
    }

    /**
     * Reads again though no file may change: what failed, for lack of descriptors perhaps, may pass
     * by itself.
     */
    private void tryAgainSoon() {
        done = null;
        retryAtNanos = System.nanoTime() + RETRY_NANOS;
    }

    private boolean isLastGood(String sha256) {
        return active.lastGoodSnapshot()
                .map(set -> set.view().sha256().equals(sha256))
                .orElse(false);
    }

    private void settled() {
        refusedSha256 = "";
        refusedSummary = "";
        active.waiting("");
        active.refused(Optional.empty());
    }

    private void load(SourceSet source) {
        if (attempts.endsProcesses(source.sha256())) {
            refusedSha256 = source.sha256();
            refuse(endsProcesses(source), false);
            return;
        }
        SetLoader.Result result = loader.load(source, SetLoader.Caller.FILES, false);
        PolicyReport report = result.report();
        if (report.outcome() == Outcome.APPLIED || report.outcome() == Outcome.UNCHANGED) {
            settled();
            return;
        }
        if (result.retry()) {
            tryAgainSoon();
        } else {
            refusedSha256 = source.sha256();
        }
        boolean engineMayStillCome =
                result.retry()
                        && active.status().current().isEmpty()
                        && System.nanoTime() - graceEndNanos < 0;
        if (!engineMayStillCome) {
            refuse(report, report.outcome() == Outcome.NEEDS_CONFIRMATION);
        }
    }

    private static PolicyReport endsProcesses(SourceSet source) {
        PolicyProblem problem =
                PolicyProblems.error(
                        "",
                        "The gateway ended "
                                + CheckAttempts.MOST
                                + " times while it checked these files, so a start does not check"
                                + " them again.",
                        "Change the files, or have them checked once more: palyra policy reload.");
        return Reports.refused(source.sha256(), List.of(problem), 0);
    }

    /** Reports a refusal, once; the set in force afterwards is as configured. */
    void refuse(PolicyReport report, boolean onlyUnconfirmed) {
        boolean news = !report.summary().equals(refusedSummary);
        refusedSummary = report.summary();
        boolean denies = settings.get().denyOnFailure() && !onlyUnconfirmed;
        if (!denies) {
            fallBack(onlyUnconfirmed); // before the report, so that no decision finds no set in
            // between
        }
        active.refused(Optional.of(report));
        if (news) {
            LOG.warn("{}{}", report.summary(), details(report));
            journal.add(PolicyJournal.REFUSED, Reports.refused("local-files", "", "files", report));
        }
        if (denies) {
            fallBack(onlyUnconfirmed);
        }
    }

    /** After a failure: the last good set, or none. */
    void fallBack(boolean onlyUnconfirmed) {
        if (settings.get().denyOnFailure() && !onlyUnconfirmed) {
            active.withdraw();
        } else if (active.status().current().isEmpty() && active.lastGoodSnapshot().isPresent()) {
            active.resume("start");
            verify = true;
        }
    }

    static String details(PolicyReport report) {
        StringBuilder text = new StringBuilder();
        report.problems().forEach(p -> text.append('\n').append(PolicyProblems.render(p)));
        return text.toString();
    }

    /** The stored set came into force on the word of its digests; now its texts have their say. */
    private void verify() {
        verify = false;
        try {
            loader.compareWithTexts(active.readLastGood());
        } catch (PalyraException e) {
            active.withdraw();
            active.forgetLastGood();
            active.trouble(e.getMessage());
            recordTrouble(e.getMessage());
            forget();
            retryAtNanos = System.nanoTime();
            look();
        }
    }
}

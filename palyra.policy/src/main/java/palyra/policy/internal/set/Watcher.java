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
final class Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Path own;
    private final SourceReader reader;
    private final Loader loader;
    private final Keeper keeper;
    private final PolicyJournal journal;
    private final Supplier<PolicySettings> settings;
    private final BooleanSupplier enginePresent;
    private final long graceEndNanos;
    private List<FolderLook> done; // null: to be read whatever it looks like
    private String refusedSha256 = "";
    private String refusedSummary = "";
    private boolean verify;
    private long retryAtNanos;

    /**
     * @param enginePresent whether the native engine is there
     * @param graceMillis how long a start waits for it before the last good set must do
     */
    Watcher(
            Path own,
            SourceReader reader,
            Loader loader,
            Keeper keeper,
            PolicyJournal journal,
            Supplier<PolicySettings> settings,
            BooleanSupplier enginePresent,
            long graceMillis) {
        this.own = own;
        this.reader = reader;
        this.loader = loader;
        this.keeper = keeper;
        this.journal = journal;
        this.settings = settings;
        this.enginePresent = enginePresent;
        this.graceEndNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
        this.retryAtNanos = System.nanoTime();
    }

    /** Comes up with what is on disk, when it is what the files say; else by reading them. */
    void begin() {
        keeper.open();
        if (!keeper.standing().trouble().isEmpty()) {
            recordTrouble(keeper.standing().trouble());
        }
        Optional<Snapshot> lastGood = keeper.lastGoodSnapshot();
        if (lastGood.isPresent() && (keeper.standing().held() || same(lastGood.get()))) {
            keeper.resume("start");
            verify = true;
        }
        look();
    }

    private void recordTrouble(String sentence) {
        PolicyProblem problem =
                Problems.error("", sentence, "The operator's files are checked anew.");
        journal.add(
                PolicyJournal.REFUSED,
                Reports.refused(
                        "local-files", "", "store", Reports.refused("", List.of(problem), 0)));
    }

    private boolean same(Snapshot stored) {
        return loader.read(Optional.empty(), settings.get()) instanceof Reading.Complete complete
                && complete.set().sha256().equals(stored.view().sha256());
    }

    /** Reads the files again even if they look as before. */
    void forget() {
        done = null;
        refusedSha256 = "";
    }

    /** Looks at the files again, though a refusal stays one: somebody else took care. */
    void forgetLooks() {
        done = null;
    }

    /** Takes care of whatever changed. */
    void look() {
        if (System.nanoTime() - retryAtNanos < 0) {
            return;
        }
        List<FolderLook> now;
        try {
            now = reader.look(own);
        } catch (IOException e) {
            tryAgainSoon();
            refuse(unreadable(e), false);
            return;
        }
        if (!now.equals(done)) {
            Reading reading = loader.read(Optional.empty(), settings.get());
            done = reading instanceof Reading.Unsettled ? null : now;
            take(reading);
        }
        if (verify && enginePresent.getAsBoolean()) {
            verify();
        }
    }

    private static PolicyReport unreadable(IOException e) {
        PolicyProblem problem =
                Problems.error(
                        "",
                        "The policy folders cannot be read: " + e.getMessage() + ".",
                        "Make them readable for the user that the gateway runs as.");
        return Reports.refused("", List.of(problem), 0);
    }

    private void take(Reading reading) {
        if (reading instanceof Reading.Unsettled) {
            return;
        }
        if (!(reading instanceof Reading.Complete complete)) {
            if (reading instanceof Reading.Unusable unusable && unusable.maySettle()) {
                tryAgainSoon();
            }
            refuse(loader.check(reading, Loader.Caller.FILES).report(), false);
            return;
        }
        String sha256 = complete.set().sha256();
        Standing standing = keeper.standing();
        boolean inForce =
                standing.current().map(now -> now.view().sha256().equals(sha256)).orElse(false);
        if (inForce) {
            settled();
        } else if (standing.held()) {
            keeper.waiting(sha256);
        } else if (standing.current().isEmpty() && isLastGood(sha256)) {
            keeper.resume("files");
            verify = true;
            settled();
        } else if (!sha256.equals(refusedSha256)) {
            load(complete.set());
        }
    }

    /** What failed for a reason that may pass is read again, though no file will have changed. */
    private void tryAgainSoon() {
        done = null;
        retryAtNanos = System.nanoTime() + RETRY_NANOS;
    }

    private boolean isLastGood(String sha256) {
        return keeper.lastGood().map(set -> set.sha256().equals(sha256)).orElse(false);
    }

    private void settled() {
        refusedSha256 = "";
        refusedSummary = "";
        keeper.waiting("");
        keeper.refused(Optional.empty());
    }

    private void load(SourceSet source) {
        Loader.Result result = loader.load(source, Loader.Caller.FILES, false);
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
                        && keeper.standing().current().isEmpty()
                        && System.nanoTime() - graceEndNanos < 0;
        if (!engineMayStillCome) {
            refuse(report, report.outcome() == Outcome.NEEDS_CONFIRMATION);
        }
    }

    /** Tells everybody, once; what is in force then is as configured. */
    void refuse(PolicyReport report, boolean onlyUnconfirmed) {
        boolean news = !report.summary().equals(refusedSummary);
        refusedSummary = report.summary();
        keeper.refused(Optional.of(report));
        if (news) {
            LOG.warn("{}{}", report.summary(), details(report));
            journal.add(PolicyJournal.REFUSED, Reports.refused("local-files", "", "files", report));
        }
        fallBack(onlyUnconfirmed);
    }

    /** After a failure: the last good set, or none. */
    void fallBack(boolean onlyUnconfirmed) {
        if (settings.get().denyOnFailure() && !onlyUnconfirmed) {
            keeper.withdraw();
        } else if (keeper.standing().current().isEmpty() && keeper.lastGood().isPresent()) {
            keeper.resume("start");
            verify = true;
        }
    }

    static String details(PolicyReport report) {
        StringBuilder text = new StringBuilder();
        report.problems().forEach(p -> text.append('\n').append(Problems.render(p)));
        return text.toString();
    }

    /** The stored set came into force on the word of its digests; now its texts have their say. */
    private void verify() {
        verify = false;
        CompiledSet set = keeper.lastGood().orElseThrow();
        try {
            loader.compareWithTexts(set);
        } catch (PalyraException e) {
            keeper.withdraw();
            keeper.forgetLastGood();
            keeper.trouble(e.getMessage());
            recordTrouble(e.getMessage());
            forget();
            retryAtNanos = System.nanoTime();
            look();
        }
    }
}

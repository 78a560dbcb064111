package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.policy.PolicyReport;
import palyra.api.core.policy.PolicyReport.Outcome;
import palyra.api.core.policy.PolicySetView;
import palyra.api.core.policy.PolicyStatus;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarStatus;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.decide.EngineDivergence;
import palyra.policy.internal.decide.NativeEngineCheck;
import palyra.shared.gate.Gate;

/**
 * What operators do with policies, done by one thread of its own, which also watches the folders.
 * Deciding never waits for it: {@link #inForce} reads one reference.
 */
public class PolicySets implements PolicyService, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicySets.class);
    private static final long CALL_MILLIS = 120_000;
    private static final int MOST_HISTORY = 1_000;

    private final PolicyFolders places;
    private final Gate<Cedar> cedar;
    private final EngineSelector trust;
    private final ActivePolicySet active;
    private final SetLoader loader;
    private final FileReloader watcher;
    private final PolicyJournal journal;
    private final FolderWatcher folderWatch;
    private final Worker worker;
    private final DivergenceStore divergence;
    private final OperationCounters tally = new OperationCounters();
    private volatile PolicySettings settings;
    private final NativeEngineCheck candidates;
    private final long startNanos = System.nanoTime();
    private volatile String nativeAbsence = "";

    /** Creates it; nothing happens before {@link #begin}. */
    public PolicySets(PolicyDependencies parts, PolicySettings settings) {
        this(
                parts,
                settings,
                new SourceReader(
                        parts.places().shipped(),
                        PolicySetLimits.STANDARD,
                        parts.places().settleMillis()));
    }

    PolicySets(PolicyDependencies parts, PolicySettings settings, SourceReader reader) {
        this.settings = settings;
        places = parts.places();
        cedar = parts.cedar();
        trust = parts.trust();
        divergence = new DivergenceStore(places.store(), parts.disk());
        journal = new PolicyJournal(parts.journal());
        candidates = NativeEngineCheck.ofCandidates(parts.cedar());
        SetChecker checks =
                new SetChecker(parts.cedar(), candidates, new RecentRequests(parts.journal()));
        active =
                new ActivePolicySet(
                        new SetStore(places.store(), parts.disk()), parts.bootId(), parts.clock());
        CheckAttempts attempts = new CheckAttempts(places.store(), parts.disk());
        loader =
                new SetLoader(
                        places.own(),
                        reader,
                        checks,
                        attempts,
                        active,
                        journal,
                        parts.check()::retain);
        watcher =
                new FileReloader(
                        places.own(),
                        reader,
                        loader,
                        attempts,
                        active,
                        journal,
                        () -> this.settings,
                        () -> nativeAbsence.isEmpty(),
                        places.graceMillis());
        worker = new Worker("palyra-policy", places.pollMillis(), this::poll);
        folderWatch = new FolderWatcher(List.of(places.shipped(), places.own()), worker::wake);
    }

    /** Makes the operator's folder and starts; returns at once. */
    public void begin() {
        worker.begin(
                () -> {
                    places.makeOwn();
                    divergence.load().ifPresent(trust::withdraw);
                    folderWatch.begin();
                    nativeAbsence = askForAbsence();
                    watcher.begin();
                });
    }

    private void poll() {
        nativeAbsence = askForAbsence();
        folderWatch.renew();
        watcher.look();
        journal.advance();
    }

    /** Only this thread calls the engine: other callers must not wait, and may hold a lease. */
    private String askForAbsence() {
        try {
            CedarStatus status = cedar.call(Cedar::status);
            return status.available() ? "" : status.reason();
        } catch (PalyraException e) {
            return e.getMessage();
        }
    }

    /** Changes the settings; the files are looked at again. */
    public void settings(PolicySettings changed) {
        if (!changed.equals(settings)) {
            settings = changed;
            worker.later(watcher::forget);
        }
    }

    /** Looks at everything again soon: something that was missing came. */
    public void wake() {
        worker.wake();
    }

    /** Records that the engines differ. Any thread; returns at once. */
    public void enginesDiffer(EngineDivergence difference) {
        LOG.error("{} The native engine decides from now on.", difference.sentence());
        journal.add(PolicyJournal.DIFFER, DivergenceStore.event(difference));
        worker.later(() -> divergence.save(difference));
    }

    @Override
    public Optional<Snapshot> inForce() {
        return active.status().current();
    }

    /** Returns, as a sentence, why no set is in force, or what the loader waits for. */
    public String absence() {
        return Findings.absence(
                active.status(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos));
    }

    @Override
    public PolicyStatus status() {
        SetStatus status = active.status();
        return new PolicyStatus(
                status.current().map(Snapshot::view),
                trust.lost() ? "native" : "compiled",
                nativeAbsence,
                status.held(),
                status.refused(),
                status.warnings(),
                List.of(places.shipped().toString(), places.own().toString()));
    }

    @Override
    public PolicyReport check(Optional<Path> folder) {
        return candidate(folder).report();
    }

    @Override
    public Candidate candidate(Optional<Path> folder) {
        return worker.call(
                () -> {
                    SetLoader.Caller caller =
                            new SetLoader.Caller("", "", "check", "", command(folder) + " ");
                    SetLoader.Result result = loader.check(loader.read(folder, settings), caller);
                    return new Candidate(result.report(), result.candidate());
                },
                CALL_MILLIS);
    }

    @Override
    public Trial tryCases(Optional<Path> folder) {
        return worker.call(() -> loader.tryCases(loader.read(folder, settings)), CALL_MILLIS);
    }

    @Override
    public <T> T aside(Callable<T> work) {
        return worker.call(work, CALL_MILLIS);
    }

    private static String command(Optional<Path> folder) {
        return folder.map(at -> "palyra policy apply " + at + " --confirm")
                .orElse("palyra policy reload --confirm");
    }

    @Override
    public PolicyReport reload(Permit permit, String confirmSha256) {
        permit.requireFor("policy.reload", System.currentTimeMillis());
        return tally.count(
                worker.call(
                        () -> load(Optional.empty(), caller(permit, "files", confirmSha256)),
                        CALL_MILLIS));
    }

    @Override
    public PolicyReport apply(Permit permit, Path folder, String confirmSha256) {
        permit.requireFor("policy.apply", System.currentTimeMillis());
        Optional<Path> from = Optional.of(folder.toAbsolutePath().normalize());
        return tally.count(
                worker.call(
                        () -> load(from, caller(permit, "apply", from, confirmSha256)),
                        CALL_MILLIS));
    }

    private static SetLoader.Caller caller(Permit permit, String origin, String confirmed) {
        return caller(permit, origin, Optional.empty(), confirmed);
    }

    private static SetLoader.Caller caller(
            Permit permit, String origin, Optional<Path> folder, String confirmed) {
        return new SetLoader.Caller(
                permit.principal().id(),
                permit.permitId(),
                origin,
                confirmed == null ? "" : confirmed,
                command(folder) + " ");
    }

    private PolicyReport load(Optional<Path> folder, SetLoader.Caller caller) {
        ReadResult reading = loader.read(folder, settings);
        boolean held = folder.isPresent();
        PolicyReport report =
                reading instanceof ReadResult.Complete complete
                        ? loader.load(complete.set(), caller, held).report()
                        : loader.check(reading, caller).report();
        boolean done = report.outcome() == Outcome.APPLIED || report.outcome() == Outcome.UNCHANGED;
        if (done) {
            active.refused(Optional.empty());
            active.trouble("");
            if (!held) {
                trust.restore();
                divergence.clear();
            }
        } else {
            LOG.warn("{}: {}{}", caller.who(), report.summary(), FileReloader.details(report));
            journal.add(
                    PolicyJournal.REFUSED,
                    Reports.refused(caller.who(), caller.permitId(), caller.origin(), report));
            if (!held) {
                active.refused(Optional.of(report));
                watcher.fallBack(report.outcome() == Outcome.NEEDS_CONFIRMATION);
            }
        }
        watcher.forgetLooks();
        return report;
    }

    @Override
    public PolicyReport rollback(Permit permit, String sha256) {
        permit.requireFor("policy.rollback", System.currentTimeMillis());
        SetLoader.Caller caller = caller(permit, "rollback", "");
        return tally.count(worker.call(() -> rollback(sha256, caller), CALL_MILLIS));
    }

    private PolicyReport rollback(String sha256, SetLoader.Caller caller) {
        try {
            PolicyReport report = loader.rollback(active.find(sha256), caller);
            active.refused(Optional.empty());
            watcher.forgetLooks();
            return report;
        } catch (IOException e) {
            throw new PalyraException(
                    active.failureCode(e),
                    "The rollback could not be stored, so nothing was changed: "
                            + active.failure(e)
                            + ", then try again.",
                    e);
        }
    }

    @Override
    public List<PolicySetView> history(int limit) {
        if (limit < 1 || limit > MOST_HISTORY) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    limit + " sets were asked for; use 1 to " + MOST_HISTORY + ".");
        }
        SetStatus status = active.status();
        return status.index().entries().stream()
                .limit(limit)
                .map(entry -> view(status, entry.view()))
                .toList();
    }

    private static PolicySetView view(SetStatus status, PolicySetView stored) {
        return status.current()
                .map(Snapshot::view)
                .filter(current -> current.sha256().equals(stored.sha256()))
                .orElse(stored);
    }

    @Override
    public List<PolicyText> texts(String sha256) {
        return stored(sha256).files();
    }

    @Override
    public Snapshot stored(String sha256) {
        if (sha256.isEmpty()) {
            return inForce().orElseThrow(() -> new PalyraException(ErrorCode.NOT_FOUND, absence()));
        }
        return worker.call(() -> active.find(sha256).snapshot(Activation.NONE), CALL_MILLIS);
    }

    /** Returns what doctor should say. */
    public List<Finding> findings() {
        return Findings.of(active.status(), nativeAbsence, journal.waiting());
    }

    /** Returns how the threads are. */
    public List<LoopView> loops() {
        return Stream.concat(Stream.of(worker.loop()), folderWatch.loops().stream()).toList();
    }

    /** Returns figures about the sets. */
    public List<Metric> metrics() {
        return tally.metrics(active.status(), journal.waiting());
    }

    /** Stops watching; the set in force stays for decisions under way. */
    @Override
    public void close() {
        folderWatch.close();
        worker.close();
        candidates.close();
    }
}

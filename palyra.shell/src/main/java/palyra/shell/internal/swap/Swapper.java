package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Ops;
import palyra.shared.bundles.Health;
import palyra.shared.hash.Ulids;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.shell.internal.host.Seams;

/**
 * Plans swaps and runs them, one at a time, on a worker thread that is independent of commands and
 * outlives this bundle when it is swapped itself. The worker records its result in a file for later
 * commands and for the next shell.
 */
@Component(service = {Swapper.class, LoopSource.class})
public final class Swapper implements LoopSource {
    private static final String ACTION = "bundle.swap";
    private static final long STOP_MILLIS = 2_000;

    private final Seams seams;
    private final ServiceComponentRuntime runtime;
    private final BundleContext context;
    private final BundleContext system;
    private final SwapFolder folder;
    private final SwapPlanner planner;
    private final OutcomeRecorder settlement;
    private final String bootId;
    private final Ulids ids = new Ulids();
    private final SupervisedLoop settler;
    private SwapWork current; // guarded by this
    private Thread worker; // guarded by this
    private volatile boolean gone;

    @Activate
    public Swapper(
            @Reference Seams seams,
            @Reference ServiceComponentRuntime runtime,
            BundleContext context) {
        this.seams = seams;
        this.runtime = runtime;
        this.context = context;
        this.system = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION).getBundleContext();
        this.bootId = property(Ops.BOOT_ID);
        this.folder = new SwapFolder(Path.of(property(Ops.STATE_FOLDER)).toAbsolutePath());
        this.planner = new SwapPlanner(runtime, context, folder, bootId);
        this.settlement = new OutcomeRecorder(folder, seams.journal(), bootId);
        LoopSpec spec = LoopSpec.of("palyra-swap-settlement", "palyra.shell");
        this.settler = new SupervisedLoop(spec, this::settleOld).start();
    }

    private String property(String name) {
        String value = context.getProperty(name);
        return value == null ? "" : value;
    }

    private void settleOld(Heartbeat pulse) throws InterruptedException {
        pulse.idle(); // it waits for swaps that another shell carries out
        settlement.settleAll();
    }

    @Override
    public List<LoopView> loops() {
        return settler.isAlive() ? List.of(settler.view()) : List.of();
    }

    /**
     * Stops what can be stopped. A swap under way is not cut off, above all not this bundle's own:
     * its worker ends by itself within its deadlines.
     */
    @Deactivate
    void deactivate() {
        gone = true;
        settler.close(STOP_MILLIS);
    }

    /**
     * Checks a jar against a bundle and prepares the way back. Changes nothing that runs.
     *
     * @throws PalyraException NOT_FOUND, INVALID_ARGUMENT, CONFLICT
     */
    SwapPlan plan(String bundleName, InputStream jar) throws IOException {
        return planner.plan(ids.next(), bundleName, jar);
    }

    /**
     * Checks the content that the last successful swap of a bundle replaced, and prepares to put it
     * back. Changes nothing that runs.
     *
     * @param of id of the swap that is to be taken back; empty for whichever was the last
     * @throws PalyraException NOT_FOUND when there was no such swap since the start; CONFLICT when
     *     another one was the last; CORRUPT when the kept content is not what it was
     */
    SwapPlan planBack(String bundleName, String of) throws IOException {
        SwapRecord last = lastSuccess(bundleName).orElseThrow(() -> noWayBack(bundleName));
        if (!of.isEmpty() && !of.equals(last.operationId())) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "Swap "
                            + of
                            + " is not the last of "
                            + bundleName
                            + " that succeeded: that is "
                            + last.operationId()
                            + ", from "
                            + last.fromVersion()
                            + " to "
                            + last.toVersion()
                            + ". Nothing was changed; look at palyra swap status, then decide"
                            + " again.");
        }
        SwapPlan plan;
        try (InputStream in = Files.newInputStream(folder.oldJar(last.operationId()))) {
            plan = planner.plan(ids.next(), bundleName, in);
        } catch (NoSuchFileException e) {
            throw noWayBack(bundleName);
        }
        if (!plan.record().toSha256().equals(last.fromSha256())) {
            discard(plan);
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The content of "
                            + bundleName
                            + " that was kept is not the one that swap "
                            + last.operationId()
                            + " replaced; it was changed on disk. Nothing was changed.");
        }
        return plan;
    }

    private Optional<SwapRecord> lastSuccess(String bundleName) {
        return operations().stream()
                .filter(each -> each.bundle().equals(bundleName))
                .filter(each -> each.phase() == SwapRecord.Phase.SUCCEEDED)
                .filter(each -> each.bootId().equals(bootId))
                .findFirst();
    }

    private static PalyraException noWayBack(String bundleName) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "Nothing is kept that could be put back for "
                        + bundleName
                        + ": no swap of it succeeded since the start, or five others did after it."
                        + " palyra bundle update "
                        + bundleName
                        + " takes the jar that it was installed from.");
    }

    /** Returns the names of all bundles. */
    List<String> names() {
        return planner.names();
    }

    /** Forgets a plan that is not carried out. */
    void discard(SwapPlan plan) throws IOException {
        folder.delete(plan.record().operationId());
    }

    /**
     * Begins a swap; it is permitted and recorded before anything changes.
     *
     * @param callerGone counted down when the caller has let go; the worker waits for it a while
     */
    synchronized SwapRecord begin(
            SwapPlan plan, Principal principal, long timeoutMillis, CountDownLatch callerGone)
            throws IOException {
        requireIdle(plan.record().operationId());
        SwapRecord planned = plan.record().at(SwapRecord.Phase.PLANNED, "", 0);
        Permit permit =
                seams.access()
                        .call(
                                access ->
                                        access.authorizeAndRecord(
                                                question(principal, plan.record())));
        SwapRecord begun = planned.permitted(principal.id(), permit.permitId());
        folder.write(begun);
        ClassPreloader.all(context.getBundle());
        Health health = new Health(plan.target(), system, runtime);
        SwapWork work =
                new SwapWork(
                        plan.target(),
                        folder,
                        health,
                        system,
                        plan.refresh(),
                        timeoutMillis,
                        callerGone,
                        begun);
        current = work;
        worker = new Thread(() -> carryOut(work, plan.ownBundle()), "palyra-lifecycle");
        worker.setDaemon(true);
        worker.start();
        return begun;
    }

    private void requireIdle(String except) {
        // A worker whose swap is over only writes its outcome to the journal.
        boolean mine = worker != null && worker.isAlive() && !current.record().phase().over();
        Optional<SwapRecord> open =
                operations().stream()
                        .filter(each -> !each.operationId().equals(except))
                        .filter(each -> !each.phase().over() && each.bootId().equals(bootId))
                        .findFirst();
        if (mine || open.isPresent()) {
            String which =
                    open.map(SwapRecord::operationId)
                            .orElseGet(() -> current.record().operationId());
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The swap "
                            + which
                            + " is still under way; try again when palyra swap status says it is"
                            + " over.");
        }
    }

    private static AccessRequest question(Principal principal, SwapRecord swap) {
        return new AccessRequest(
                principal,
                ACTION,
                "bundle:" + swap.bundle(),
                "",
                Map.of(
                        "operation", swap.operationId(),
                        "fromVersion", swap.fromVersion(),
                        "toVersion", swap.toVersion(),
                        "toSha256", swap.toSha256()));
    }

    private void carryOut(SwapWork work, boolean ownBundle) {
        work.run();
        // With this bundle gone there are no seams left; the next shell settles from the file.
        if (!ownBundle && !gone) {
            try {
                settlement.settle(work.record());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the current state of an operation. */
    synchronized Optional<SwapRecord> operation(String operationId) {
        if (current != null && current.record().operationId().equals(operationId)) {
            return Optional.of(current.record());
        }
        return folder.read(operationId);
    }

    /**
     * Returns the operations of late, newest first. The file of the one at work may be behind, by a
     * moment or for as long as the disk is full.
     */
    synchronized List<SwapRecord> operations() {
        List<SwapRecord> records = new ArrayList<>(folder.records());
        if (current != null) {
            SwapRecord own = current.record();
            records.replaceAll(each -> each.operationId().equals(own.operationId()) ? own : each);
        }
        return records;
    }

    /** Waits until an operation is over, at most {@code millis}; returns its state then. */
    SwapRecord await(String operationId, long millis) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (true) {
            SwapRecord now =
                    operation(operationId)
                            .orElseThrow(
                                    () ->
                                            new PalyraException(
                                                    ErrorCode.NOT_FOUND,
                                                    "There is no swap " + operationId + "."));
            if (now.phase().over() || System.nanoTime() - deadline >= 0) {
                return now;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}

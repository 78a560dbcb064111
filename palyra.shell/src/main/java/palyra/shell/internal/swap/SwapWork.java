package palyra.shell.internal.swap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.FrameworkWiring;
import palyra.shared.bundles.BundleContent;
import palyra.shared.bundles.Health;
import palyra.shared.bundles.LifecycleLock;

/**
 * The life-cycle worker's work on one operation: put the new content in, see whether all is well,
 * otherwise put the old content back.
 *
 * <p>When the shell's own bundle is replaced, this code goes on running after its bundle is gone:
 * nothing here may need a class that is not loaded yet, so {@link ClassPreloader} loads them all
 * before, and only the JDK, the framework and {@code palyra.shared.bundles} are used.
 */
final class SwapWork implements Runnable {
    private static final long LET_GO_MILLIS = 5_000;
    private static final long TURN_MILLIS = 60_000;
    private static final int TOLD = 5;

    private final Bundle target;
    private final SwapFolder folder;
    private final Health health;
    private final BundleContext system;
    private final boolean refresh;
    private final long timeoutMillis;
    private final CountDownLatch callerGone;
    private volatile SwapRecord record;

    SwapWork(
            Bundle target,
            SwapFolder folder,
            Health health,
            BundleContext system,
            boolean refresh,
            long timeoutMillis,
            CountDownLatch callerGone,
            SwapRecord record) {
        this.target = target;
        this.folder = folder;
        this.health = health;
        this.system = system;
        this.refresh = refresh;
        this.timeoutMillis = timeoutMillis;
        this.callerGone = callerGone;
        this.record = record;
    }

    SwapRecord record() {
        return record;
    }

    @Override
    public void run() {
        try {
            callerGone.await(LET_GO_MILLIS, TimeUnit.MILLISECONDS);
            work();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            finish(SwapRecord.Phase.FAILED, "The operation was interrupted.");
        } catch (RuntimeException | Error e) {
            finish(SwapRecord.Phase.FAILED, "The operation failed: " + e + ".");
        }
    }

    private void work() throws InterruptedException {
        Optional<LifecycleLock> turn =
                LifecycleLock.await(system, "the swap of " + record.bundle(), TURN_MILLIS);
        if (turn.isEmpty()) {
            String owner = LifecycleLock.owner(system).orElse("another change of bundles");
            finish(SwapRecord.Phase.FAILED, "Nothing was changed: " + owner + " takes too long.");
            return;
        }
        try {
            swap();
        } finally {
            turn.get().close();
        }
    }

    private void swap() throws InterruptedException {
        move(SwapRecord.Phase.UPDATING, "");
        String problem = put(folder.newJar(record.operationId()));
        if (problem.isEmpty()) {
            move(SwapRecord.Phase.WAITING, "");
            problem = sentence(health.await(timeoutMillis));
        }
        if (problem.isEmpty()) {
            finish(SwapRecord.Phase.SUCCEEDED, "");
        } else {
            rollBack(problem);
        }
    }

    private void rollBack(String problem) throws InterruptedException {
        move(SwapRecord.Phase.ROLLING_BACK, problem);
        String again = put(folder.oldJar(record.operationId()));
        if (again.isEmpty()) {
            again = sentence(health.await(timeoutMillis));
        }
        if (again.isEmpty()) {
            finish(SwapRecord.Phase.ROLLED_BACK, "Undone, because " + problem + ".");
        } else {
            finish(
                    SwapRecord.Phase.FAILED,
                    "Not healthy, because "
                            + problem
                            + "; nor after the old content was put back, because "
                            + again
                            + ". Neither content works: see palyra doctor.");
        }
    }

    private static String sentence(List<String> losses) {
        String told = String.join(", ", losses.subList(0, Math.min(TOLD, losses.size())));
        return losses.size() > TOLD ? told + " and " + (losses.size() - TOLD) + " more" : told;
    }

    /** Puts content in; returns what stood against it, empty when nothing did. */
    private String put(Path jar) throws InterruptedException {
        FrameworkWiring wiring = system.getBundle().adapt(FrameworkWiring.class);
        BundleContent.Limits limits = BundleContent.Limits.ofStart(timeoutMillis);
        return BundleContent.put(target, jar, refresh, health.wasActive(), wiring, limits);
    }

    private void finish(SwapRecord.Phase phase, String message) {
        move(phase, message);
        try {
            folder.deleteJars(record);
        } catch (IOException e) {
            // They take room and nothing else; they go when the operation is forgotten.
        }
    }

    private void move(SwapRecord.Phase phase, String message) {
        record = record.at(phase, message, System.currentTimeMillis());
        try {
            folder.write(record);
        } catch (IOException e) {
            // The memory of this process still knows; a full disk must not stop the way back.
        }
    }
}

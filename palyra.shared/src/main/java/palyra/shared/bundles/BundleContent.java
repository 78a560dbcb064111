package palyra.shared.bundles;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkListener;
import org.osgi.framework.wiring.BundleRevision;
import org.osgi.framework.wiring.FrameworkWiring;

/** Updates the content of a bundle in a running framework. */
public final class BundleContent {
    private static final long REFRESH_MILLIS = 30_000;
    private static final int START_ATTEMPTS = 3;

    private BundleContent() {}

    /**
     * Updates the bundle to the content of a jar. The bundle is stopped for it; when the update
     * fails, it stays stopped. A stop that takes too long is ended by an interrupt, and the content
     * is put in all the same.
     *
     * @param refresh whether bundles that use its packages are to change over with it
     * @param start whether it is to be active afterwards
     * @param limits how long its stop and its start may take
     * @return what stood against it, for a sentence; empty when nothing did
     */
    public static String put(
            Bundle target,
            Path jar,
            boolean refresh,
            boolean start,
            FrameworkWiring wiring,
            Limits limits)
            throws InterruptedException {
        try (InputStream in = Files.newInputStream(jar)) {
            stop(target, limits.stopMillis()); // else the update starts it, without a time limit
            target.update(in);
        } catch (BundleException | IOException | IllegalStateException e) {
            return reason(e);
        }
        if (refresh && !refreshed(target, wiring)) {
            return "the bundles that use its packages were not refreshed in time";
        }
        return start ? start(target, limits.startMillis()) : "";
    }

    /**
     * Time limits for a bundle, in milliseconds.
     *
     * @param stopMillis for its stop, in which a bundle may wait for work to end
     * @param startMillis for its start
     */
    public record Limits(long stopMillis, long startMillis) {
        private static final long PATIENT_STOP_MILLIS = 60_000;

        /** Returns limits with a stop that leaves time for work to end. */
        public static Limits ofStart(long startMillis) {
            return new Limits(Math.max(PATIENT_STOP_MILLIS, startMillis), startMillis);
        }
    }

    private static void stop(Bundle target, long millis) throws BundleException {
        StartTimeout alarm = new StartTimeout(millis);
        try {
            target.stop(Bundle.STOP_TRANSIENT);
        } catch (BundleException e) {
            if (!alarm.rang()) {
                throw e; // it is stopped, and said why it should not be
            }
        } finally {
            alarm.close();
        }
    }

    /**
     * Starts a bundle that is not active. A start that takes too long is ended by an interrupt.
     * Felix fails when another thread resolves at the same moment, so it is retried.
     *
     * @param millis how long it may take
     * @return what stood against it, for a sentence; empty when nothing did
     */
    public static String start(Bundle target, long millis) {
        String problem = "";
        for (int i = 0; i < START_ATTEMPTS && target.getState() != Bundle.ACTIVE; i++) {
            try (StartTimeout alarm = new StartTimeout(millis)) {
                problem = startOnce(target);
                if (alarm.rang()) {
                    return "its start took longer than " + millis + " ms";
                }
            }
        }
        return target.getState() == Bundle.ACTIVE ? "" : problem;
    }

    private static String startOnce(Bundle target) {
        try {
            target.start();
            return "";
        } catch (BundleException | IllegalStateException e) {
            return reason(e);
        } catch (LinkageError e) {
            return e.toString();
        }
    }

    /** Refreshes the users of a bundle's packages; false when that took too long. */
    public static boolean refreshed(Bundle target, FrameworkWiring wiring)
            throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        FrameworkListener listener =
                event -> {
                    if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                        done.countDown();
                    }
                };
        wiring.refreshBundles(List.of(target), listener);
        return done.await(REFRESH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Returns whether others may use packages of the bundle as it is now. */
    public static boolean exports(Bundle target) {
        BundleRevision revision = target.adapt(BundleRevision.class);
        return revision != null
                && !revision.getDeclaredCapabilities(BundleRevision.PACKAGE_NAMESPACE).isEmpty();
    }

    /** Returns the first line of the root cause's message. */
    public static String reason(Exception problem) {
        Throwable root = problem;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = root.getMessage() == null ? root.toString() : root.getMessage();
        return text.lines().findFirst().orElse("no reason was given").strip();
    }
}

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

/** Puts another content into a bundle while everything runs. */
public final class BundleContent {
    private static final long REFRESH_MILLIS = 30_000;
    private static final int START_ATTEMPTS = 3;

    private BundleContent() {}

    /**
     * Puts the content of a jar in. The bundle is stopped for it; when it cannot be put in, it
     * stays stopped.
     *
     * @param refresh whether bundles that use its packages are to change over with it
     * @param start whether it is to be active afterwards
     * @param startMillis how long its start may take
     * @return what stood against it, for a sentence; empty when nothing did
     */
    public static String put(
            Bundle target,
            Path jar,
            boolean refresh,
            boolean start,
            FrameworkWiring wiring,
            long startMillis)
            throws InterruptedException {
        try (InputStream in = Files.newInputStream(jar)) {
            target.stop(Bundle.STOP_TRANSIENT); // else the update starts it, and nobody ends that
            target.update(in);
        } catch (BundleException | IOException | IllegalStateException e) {
            return reason(e);
        }
        if (refresh && !refreshed(target, wiring)) {
            return "the bundles that use its packages were not refreshed in time";
        }
        return start ? start(target, startMillis) : "";
    }

    /**
     * Starts a bundle that is not active. A start that takes too long is ended by an interrupt.
     * Felix gives way when somebody else resolves at the same moment, so it is tried again.
     *
     * @param millis how long it may take
     * @return what stood against it, for a sentence; empty when nothing did
     */
    public static String start(Bundle target, long millis) {
        String problem = "";
        for (int i = 0; i < START_ATTEMPTS && target.getState() != Bundle.ACTIVE; i++) {
            try (Alarm alarm = new Alarm(millis)) {
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

    /** Has the users of a bundle's packages changed over; false when that took too long. */
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

    /** Returns the first line of what is at the bottom of a problem. */
    public static String reason(Exception problem) {
        Throwable root = problem;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = root.getMessage() == null ? root.toString() : root.getMessage();
        return text.lines().findFirst().orElse("no reason was given").strip();
    }
}

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

    private BundleContent() {}

    /**
     * Puts the content of a jar in.
     *
     * @param refresh whether bundles that use its packages are to change over with it
     * @param start whether it is to be active afterwards
     * @return what stood against it, for a sentence; empty when nothing did
     */
    public static String put(
            Bundle target, Path jar, boolean refresh, boolean start, FrameworkWiring wiring)
            throws InterruptedException {
        long before = target.getLastModified();
        try (InputStream in = Files.newInputStream(jar)) {
            target.update(in);
        } catch (BundleException e) {
            if (target.getLastModified() == before) {
                return reason(e);
            }
            // The content is in and was not started: Felix gives way when somebody else resolves
            // at the same moment. What stands against it for good is said again below.
        } catch (IOException | IllegalStateException e) {
            return reason(e);
        }
        if (refresh && !refreshed(target, wiring)) {
            return "the bundles that use its packages were not refreshed in time";
        }
        return start && target.getState() != Bundle.ACTIVE ? start(target) : "";
    }

    private static String start(Bundle target) {
        try {
            target.start();
            return "";
        } catch (BundleException | IllegalStateException e) {
            return reason(e);
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

package palyra.launcher;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;

/**
 * Starts bundles one after another; the HTTP server starts in parallel, because it takes a tenth of
 * the time, once the bundle that answers there has begun: no request meets a server that has
 * nothing to say. Not thread-safe.
 */
final class BundleStarter {
    /** Manifest header of a bundle that should start before the others. */
    static final String EARLY = "Palyra-Start-Early";

    private static final String HTTP = "org.apache.felix.http.jetty12";

    private static final String ANSWERS = "palyra.health";

    private final CountDownLatch answers = new CountDownLatch(1);
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private Optional<FutureTask<Void>> beside = Optional.empty();

    private BundleStarter() {}

    /**
     * Infrastructure first, then bundles with the early header, then all others, else in the given
     * order. The order only saves time.
     */
    static List<BundleSet.Installed> early(List<BundleSet.Installed> installed) {
        List<BundleSet.Installed> sorted = new ArrayList<>(installed);
        sorted.sort(Comparator.comparingInt(BundleStarter::turn));
        return sorted;
    }

    private static int turn(BundleSet.Installed one) {
        if (one.infrastructure()) {
            return 0;
        }
        return "true".equals(one.bundle().getHeaders("").get(EARLY)) ? 1 : 2;
    }

    /**
     * Starts them in this order.
     *
     * @return one sentence for each resolved bundle that did not start
     * @throws LaunchException infrastructure does not start
     */
    static List<String> all(List<BundleSet.Installed> installed) throws LaunchException {
        BundleStarter starter = new BundleStarter();
        try {
            starter.startAll(installed);
        } finally {
            starter.answers.countDown();
        }
        starter.await();
        return List.copyOf(starter.failures);
    }

    private void startAll(List<BundleSet.Installed> installed) throws LaunchException {
        for (BundleSet.Installed one : installed) {
            if (one.bundle().getState() == Bundle.INSTALLED || isFragment(one.bundle())) {
                continue;
            }
            if (HTTP.equals(one.bundle().getSymbolicName())) {
                beside(one);
            } else {
                start(one);
            }
            if (ANSWERS.equals(one.bundle().getSymbolicName())) {
                answers.countDown();
            }
        }
    }

    private static boolean isFragment(Bundle bundle) {
        return bundle.getHeaders("").get("Fragment-Host") != null;
    }

    private void beside(BundleSet.Installed one) {
        FutureTask<Void> task =
                new FutureTask<>(
                        () -> {
                            answers.await();
                            start(one);
                            return null;
                        });
        Thread thread = new Thread(task, "palyra-http-start");
        thread.setDaemon(true);
        thread.start();
        beside = Optional.of(task);
    }

    private void start(BundleSet.Installed one) throws LaunchException {
        try {
            one.bundle().start(Bundle.START_ACTIVATION_POLICY);
        } catch (BundleException e) {
            String sentence =
                    one.bundle().getSymbolicName() + " does not start: " + Problems.oneLine(e);
            if (one.infrastructure()) {
                throw new LaunchException(
                        ExitCode.BROKEN, "the installation is broken: " + sentence, e);
            }
            failures.add(sentence);
        }
    }

    private void await() throws LaunchException {
        if (beside.isEmpty()) {
            return;
        }
        try {
            beside.get().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException(ExitCode.FAILED, "the start was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof LaunchException refused) {
                throw refused;
            }
            throw new IllegalStateException("the HTTP server cannot be started", e.getCause());
        }
    }
}

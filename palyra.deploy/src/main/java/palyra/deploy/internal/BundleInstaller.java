package palyra.deploy.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;
import org.osgi.framework.wiring.FrameworkWiring;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.shared.bundles.BundleContent;
import palyra.shared.bundles.DryRun;
import palyra.shared.bundles.Health;
import palyra.shared.bundles.Requirements;
import palyra.shared.bundles.StartTimeout;

/**
 * Installs and uninstalls bundles, one at a time, and checks the health of the others. Uses the
 * framework's context, so installed bundles stay when this bundle stops.
 */
final class BundleInstaller {
    private static final String CHECK = "palyra:deploy-check/";
    private static final int MAX_SHOWN = 5;

    private final BundleContext system;
    private final ServiceComponentRuntime runtime;
    private final int startLevel;

    BundleInstaller(BundleContext system, ServiceComponentRuntime runtime, int startLevel) {
        this.system = system;
        this.runtime = runtime;
        this.startLevel = startLevel;
    }

    /** Returns whether a location belongs to a dry run. */
    static boolean isCheck(String location) {
        return location.startsWith(CHECK);
    }

    /** Returns why a jar would not resolve; empty when it would. */
    Optional<String> objection(JarFacts facts) {
        try {
            return DryRun.objection(
                    facts.headers(), facts.symbolicName(), system, CHECK + facts.symbolicName());
        } catch (BundleException | IOException e) {
            return Optional.of("the framework refuses it: " + BundleContent.reason(e));
        }
    }

    Optional<Bundle> find(String symbolicName) {
        return Optional.ofNullable(system.getBundle(DeployedBundle.location(symbolicName)));
    }

    /**
     * Installs a jar.
     *
     * @param back jar to restore when the new one does not start; empty to uninstall
     */
    Outcome put(String name, Path jar, Optional<Path> back, long timeoutMillis)
            throws InterruptedException {
        Health health = Health.ofOthers(system, runtime);
        Optional<Bundle> present = find(name);
        String problem =
                present.isPresent()
                        ? update(present.get(), jar, health, timeoutMillis)
                        : install(name, jar, health, timeoutMillis);
        if (problem.isEmpty()) {
            return Outcome.done();
        }
        return present.isPresent() && back.isPresent()
                ? rollBack(present.get(), back.get(), health, problem, timeoutMillis)
                : withdraw(name, problem, timeoutMillis);
    }

    private String install(String name, Path jar, Health health, long timeoutMillis)
            throws InterruptedException {
        try (InputStream in = Files.newInputStream(jar)) {
            Bundle bundle = installed(name, in);
            String problem = BundleContent.start(bundle, timeoutMillis);
            return problem.isEmpty() ? losses(health.after(bundle), timeoutMillis) : problem;
        } catch (BundleException | IOException | IllegalStateException e) {
            return BundleContent.reason(e);
        }
    }

    /**
     * Installs with the final start level. A later change would make the framework's own thread
     * start the bundle, where a start that hangs has no timeout.
     */
    private Bundle installed(String name, InputStream in) throws BundleException {
        FrameworkStartLevel levels = system.getBundle().adapt(FrameworkStartLevel.class);
        int usual = levels.getInitialBundleStartLevel();
        if (usual == startLevel) {
            return system.installBundle(DeployedBundle.location(name), in);
        }
        levels.setInitialBundleStartLevel(startLevel);
        try {
            return system.installBundle(DeployedBundle.location(name), in);
        } finally {
            levels.setInitialBundleStartLevel(usual);
        }
    }

    private String update(Bundle bundle, Path jar, Health health, long timeoutMillis)
            throws InterruptedException {
        boolean refresh = BundleContent.exports(bundle);
        FrameworkWiring wiring = system.getBundle().adapt(FrameworkWiring.class);
        String problem =
                BundleContent.put(
                        bundle,
                        jar,
                        refresh,
                        true,
                        wiring,
                        BundleContent.Limits.ofStart(timeoutMillis));
        return problem.isEmpty() ? losses(health.after(bundle), timeoutMillis) : problem;
    }

    private static String losses(Health health, long timeoutMillis) throws InterruptedException {
        List<String> losses = health.await(timeoutMillis);
        String shown = String.join(", ", losses.subList(0, Math.min(MAX_SHOWN, losses.size())));
        return losses.size() > MAX_SHOWN
                ? shown + " and " + (losses.size() - MAX_SHOWN) + " more"
                : shown;
    }

    private Outcome rollBack(
            Bundle bundle, Path back, Health health, String problem, long timeoutMillis)
            throws InterruptedException {
        String again = update(bundle, back, health, timeoutMillis);
        return again.isEmpty()
                ? new Outcome(Outcome.Result.ROLLED_BACK, "Rolled back, because " + problem + ".")
                : new Outcome(
                        Outcome.Result.FAILED,
                        "It did not start, because "
                                + problem
                                + "; the previous bundle could not be restored, because "
                                + again
                                + ".");
    }

    private Outcome withdraw(String name, String problem, long timeoutMillis)
            throws InterruptedException {
        Outcome removal = remove(name, timeoutMillis);
        return removal.isDone()
                ? new Outcome(Outcome.Result.WITHDRAWN, "Uninstalled, because " + problem + ".")
                : new Outcome(
                        Outcome.Result.FAILED,
                        "It did not start, because " + problem + ". " + removal.message());
    }

    /**
     * Uninstalls a bundle; no effect when it is not installed. Waits at most {@code timeoutMillis}
     * for a thread that holds the bundle, such as one in a start that hangs.
     */
    Outcome remove(String symbolicName, long timeoutMillis) throws InterruptedException {
        Optional<Bundle> bundle = find(symbolicName);
        if (bundle.isEmpty()) {
            return Outcome.done();
        }
        boolean refresh = BundleContent.exports(bundle.get());
        StartTimeout alarm = new StartTimeout(timeoutMillis);
        try {
            bundle.get().uninstall();
        } catch (BundleException | IllegalStateException e) {
            String reason =
                    alarm.rang()
                            ? "its start or stop did not end within " + timeoutMillis + " ms"
                            : BundleContent.reason(e);
            return new Outcome(
                    Outcome.Result.FAILED, "It could not be uninstalled: " + reason + ".");
        } finally {
            alarm.close();
        }
        FrameworkWiring wiring = system.getBundle().adapt(FrameworkWiring.class);
        boolean refreshed = !refresh || BundleContent.refreshed(bundle.get(), wiring);
        return refreshed
                ? Outcome.done()
                : new Outcome(
                        Outcome.Result.DONE,
                        "Bundles that use its packages are still being refreshed.");
    }

    /** Returns whether a bundle should be active and is not. */
    static boolean isInactive(Bundle bundle) {
        boolean down = (bundle.getState() & (Bundle.INSTALLED | Bundle.RESOLVED)) != 0;
        return down && bundle.adapt(BundleStartLevel.class).isPersistentlyStarted();
    }

    /** Returns why a bundle is inactive, for a message. */
    String lack(Bundle bundle) {
        List<Requirements.Unmet> unmet = Requirements.unmet(bundle, system);
        return bundle.getState() != Bundle.INSTALLED || unmet.isEmpty()
                ? "it is not started"
                : "it needs "
                        + String.join("; ", unmet.stream().map(Requirements.Unmet::text).toList());
    }

    /** Starts a bundle that should be active; returns the reason when that fails. */
    static String revive(Bundle bundle, long timeoutMillis) {
        return BundleContent.start(bundle, timeoutMillis);
    }
}

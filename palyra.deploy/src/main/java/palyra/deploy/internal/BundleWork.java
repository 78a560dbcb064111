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
import palyra.shared.bundles.Alarm;
import palyra.shared.bundles.BundleContent;
import palyra.shared.bundles.DryRun;
import palyra.shared.bundles.Health;
import palyra.shared.bundles.Requirements;

/**
 * Puts bundles in and takes them out, one at a time, and sees whether others are as well as before.
 * Works with the framework's own context: what it installed stays when this bundle goes.
 */
final class BundleWork {
    private static final String CHECK = "palyra:deploy-check/";
    private static final int TOLD = 5;

    private final BundleContext system;
    private final ServiceComponentRuntime runtime;
    private final int startLevel;

    BundleWork(BundleContext system, ServiceComponentRuntime runtime, int startLevel) {
        this.system = system;
        this.runtime = runtime;
        this.startLevel = startLevel;
    }

    /** Returns whether a location is one that a dry run uses for a moment. */
    static boolean isCheck(String location) {
        return location.startsWith(CHECK);
    }

    /** Returns why a jar would not resolve here; empty when it would. */
    Optional<String> objection(JarFacts facts) {
        try {
            return DryRun.objection(
                    facts.headers(), facts.symbolicName(), system, CHECK + facts.symbolicName());
        } catch (BundleException | IOException e) {
            return Optional.of("the framework does not take it: " + BundleContent.reason(e));
        }
    }

    Optional<Bundle> find(String symbolicName) {
        return Optional.ofNullable(system.getBundle(Deployed.location(symbolicName)));
    }

    /**
     * Puts a jar in.
     *
     * @param back what is put in again when the jar does not come up; empty to take it out
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
     * Installs with the right start level from the first. To change it afterwards would make the
     * framework's own thread look at the bundle a moment later: that thread would start it in our
     * place, where nobody ends a start that never ends.
     */
    private Bundle installed(String name, InputStream in) throws BundleException {
        FrameworkStartLevel levels = system.getBundle().adapt(FrameworkStartLevel.class);
        int usual = levels.getInitialBundleStartLevel();
        if (usual == startLevel) {
            return system.installBundle(Deployed.location(name), in);
        }
        levels.setInitialBundleStartLevel(startLevel);
        try {
            return system.installBundle(Deployed.location(name), in);
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
        String told = String.join(", ", losses.subList(0, Math.min(TOLD, losses.size())));
        return losses.size() > TOLD ? told + " and " + (losses.size() - TOLD) + " more" : told;
    }

    private Outcome rollBack(
            Bundle bundle, Path back, Health health, String problem, long timeoutMillis)
            throws InterruptedException {
        String again = update(bundle, back, health, timeoutMillis);
        return again.isEmpty()
                ? new Outcome(Outcome.Result.ROLLED_BACK, "Undone, because " + problem + ".")
                : new Outcome(
                        Outcome.Result.FAILED,
                        "It did not come up, because "
                                + problem
                                + "; nor did what was there before, because "
                                + again
                                + ".");
    }

    private Outcome withdraw(String name, String problem, long timeoutMillis)
            throws InterruptedException {
        Outcome removal = remove(name, timeoutMillis);
        return removal.isDone()
                ? new Outcome(Outcome.Result.WITHDRAWN, "Taken out, because " + problem + ".")
                : new Outcome(
                        Outcome.Result.FAILED,
                        "It did not come up, because " + problem + ". " + removal.message());
    }

    /**
     * Takes a bundle out; nothing happens when it is not there. Whoever holds on to the bundle, as
     * one does who starts it and never ends, is waited for so long and no longer.
     */
    Outcome remove(String symbolicName, long timeoutMillis) throws InterruptedException {
        Optional<Bundle> bundle = find(symbolicName);
        if (bundle.isEmpty()) {
            return Outcome.done();
        }
        boolean refresh = BundleContent.exports(bundle.get());
        Alarm alarm = new Alarm(timeoutMillis);
        try {
            bundle.get().uninstall();
        } catch (BundleException | IllegalStateException e) {
            String reason =
                    alarm.rang()
                            ? "whoever starts or stops it did not end within "
                                    + timeoutMillis
                                    + " ms"
                            : BundleContent.reason(e);
            return new Outcome(Outcome.Result.FAILED, "It could not be taken out: " + reason + ".");
        } finally {
            alarm.close();
        }
        FrameworkWiring wiring = system.getBundle().adapt(FrameworkWiring.class);
        boolean refreshed = !refresh || BundleContent.refreshed(bundle.get(), wiring);
        return refreshed
                ? Outcome.done()
                : new Outcome(
                        Outcome.Result.DONE, "The users of its packages take long to change over.");
    }

    /** Returns whether a bundle should be active and is not. */
    static boolean isAsleep(Bundle bundle) {
        boolean down = (bundle.getState() & (Bundle.INSTALLED | Bundle.RESOLVED)) != 0;
        return down && bundle.adapt(BundleStartLevel.class).isPersistentlyStarted();
    }

    /** Returns what an inactive bundle lacks, for a sentence. */
    String lack(Bundle bundle) {
        List<Requirements.Unmet> unmet = Requirements.unmet(bundle, system);
        return bundle.getState() != Bundle.INSTALLED || unmet.isEmpty()
                ? "it is not started"
                : "it needs "
                        + String.join("; ", unmet.stream().map(Requirements.Unmet::text).toList());
    }

    /** Starts a bundle that should be active and is not; returns what stands against it. */
    static String revive(Bundle bundle, long timeoutMillis) {
        return BundleContent.start(bundle, timeoutMillis);
    }
}

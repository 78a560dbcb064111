package palyra.deploy.internal;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleListener;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.shared.gate.Gate;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.wait.Await;

/** A real framework with declarative services and a drop-in folder. */
final class Gateway {
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final Path state;
    final FakeAccess access =
            new FakeAccess(Use.CHANGE).allowing(request -> request.principal().in("operator"));
    final MemoryJournal journal = new MemoryJournal();
    final Gate<Journal> journalGate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    final Gate<Access> accessGate = new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, 0);
    final PinStore pins = new PinStore(journalGate, accessGate);
    private int boots;
    private Framework framework;
    private BundleListener listener;
    DeployThread watch;
    Reporter reporter;

    Gateway(Path state) {
        this.state = state;
        journalGate.add(journal, Map.of());
        accessGate.add(access, Map.of());
    }

    void loseJournal() {
        journalGate.remove(journal);
    }

    void findJournal() {
        journalGate.add(journal, Map.of());
        watch.pinsChanged();
    }

    /** Starts a framework with an empty cache, as the launcher does. */
    void boot() throws Exception {
        boot(Map.of());
    }

    void boot(Map<String, String> more) throws Exception {
        Map<String, String> properties = new HashMap<>(more);
        properties.put(Constants.FRAMEWORK_STORAGE, state.resolve("cache-" + boots++).toString());
        properties.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, shared());
        properties.put("felix.log.level", "0");
        properties.put("ds.loglevel", "0");
        framework = new FrameworkFactory().newFramework(properties);
        framework.start();
        Class<?> runtime = Class.forName("org.apache.felix.scr.impl.Activator", false, loader());
        Path jar = Path.of(runtime.getProtectionDomain().getCodeSource().getLocation().toURI());
        system().installBundle(jar.toUri().toString()).start();
    }

    private static ClassLoader loader() {
        return Gateway.class.getClassLoader();
    }

    private static String shared() {
        return String.join(
                ",",
                "org.osgi.service.component;version=1.5.1",
                "org.osgi.service.component.runtime;version=1.5.0",
                "org.osgi.service.component.runtime.dto;version=1.5.0",
                "org.osgi.util.promise;version=1.3.0",
                "org.osgi.util.function;version=1.2.0");
    }

    ServiceComponentRuntime runtime() {
        return system().getService(system().getServiceReference(ServiceComponentRuntime.class));
    }

    BundleContext system() {
        return framework.getBundleContext();
    }

    /** Starts to watch, as the component does when it is activated. */
    void watch(DeploySettings settings) {
        BundleInstaller work = new BundleInstaller(system(), runtime(), 1);
        reporter = new Reporter(work);
        DeployLoop loop =
                new DeployLoop(
                        system(),
                        pins,
                        new DeployJournal(journalGate, "boot-" + boots),
                        work,
                        new JarStore(state),
                        new FrameworkStability(system(), runtime(), 0),
                        reporter);
        watch = new DeployThread(loop, settings);
        listener = loop::bundleChanged;
        system().addBundleListener(listener);
        watch.start();
    }

    void unwatch() {
        if (watch != null) {
            watch.stop();
            system().removeBundleListener(listener);
            watch = null;
        }
    }

    void stop() throws Exception {
        unwatch();
        framework.stop();
        framework.waitForStop(20_000);
    }

    /** Moves a file into the folder. */
    void drop(String name, byte[] bytes) throws Exception {
        Path folder = state.resolve("deploy");
        Await.until("the folder to be made", PATIENCE, () -> Files.exists(folder));
        Path draft = Files.write(state.resolve("draft"), bytes);
        Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    void take(String name) throws Exception {
        Files.delete(state.resolve("deploy").resolve(name));
    }

    List<String> bundles() {
        return framework == null || system() == null
                ? List.of()
                : Arrays.stream(system().getBundles())
                        .filter(bundle -> bundle.getSymbolicName() != null)
                        .map(bundle -> bundle.getSymbolicName() + " " + bundle.getVersion())
                        .toList();
    }

    Optional<Bundle> bundle(String name) {
        return Arrays.stream(system().getBundles())
                .filter(bundle -> name.equals(bundle.getSymbolicName()))
                .findFirst();
    }

    boolean isActive(String name, String version) {
        return bundle(name)
                .filter(bundle -> bundle.getState() == Bundle.ACTIVE)
                .filter(bundle -> bundle.getVersion().toString().equals(version))
                .isPresent();
    }

    void awaitActive(String name, String version) {
        await(name + " " + version, () -> isActive(name, version));
    }

    void awaitGone(String name) {
        await(name + " to be gone", () -> bundle(name).isEmpty());
    }

    Optional<Row> row(String file) {
        return reporter.view().row(file);
    }

    Row awaitRow(String file, Row.State state) {
        await(
                file + " to be " + state,
                () -> row(file).map(row -> row.state() == state).orElse(false));
        return row(file).orElseThrow();
    }

    void await(String what, BooleanSupplier condition) {
        try {
            Await.until(what, PATIENCE, condition);
        } catch (AssertionError e) {
            throw new AssertionError(
                    e.getMessage() + "; " + (reporter == null ? "" : reporter.view()), e);
        }
    }
}

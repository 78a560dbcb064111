package palyra.deploy.internal;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.files.FileOwner;

/**
 * One round: polls the folder, plans, executes the plan, reports. Used by one thread, except the
 * methods that are marked as thread-safe.
 */
final class DeployLoop {
    static final long LOOK_MILLIS = 200;
    static final long RETRY_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(DeployLoop.class);
    private static final long IDLE_MILLIS = 60_000;
    private static final long GONE_MILLIS = 5_000;

    private final BundleContext system;
    private final PinStore pinStore;
    private final DeployJournal journal;
    private final BundleInstaller installer;
    private final JarStore store;
    private final JarCleanup copies;
    private final DeployedBundleStore deployed;
    private final ChangeExecutor changes;
    private final FrameworkStability stability;
    private final LifecycleQueue queue;
    private final Reporter reporter;
    private final BundleRestrictions admission;
    private final AtomicLong world = new AtomicLong();
    private volatile boolean pinsStale = true;
    private volatile boolean stopped;

    private DropFolder folder;
    private DeploySettings folderOf; // null without a folder
    private List<PinSet.Entry> storedPins; // null until they were read
    private long revivedAt = -1;

    DeployLoop(
            BundleContext system,
            PinStore pinStore,
            DeployJournal journal,
            BundleInstaller installer,
            JarStore store,
            FrameworkStability stability,
            Reporter reporter) {
        this.system = system;
        this.pinStore = pinStore;
        this.journal = journal;
        this.installer = installer;
        this.store = store;
        this.copies = new JarCleanup(store);
        this.stability = stability;
        this.reporter = reporter;
        this.deployed = new DeployedBundleStore(store);
        this.changes = new ChangeExecutor(installer, store, deployed, journal, reporter);
        this.queue = new LifecycleQueue(system, reporter);
        this.admission = new BundleRestrictions(system);
    }

    /** Loads the state that an earlier thread or process left. */
    void load() {
        deployed.load();
    }

    /** Ends the current round before its next change. Thread-safe. */
    void stop() {
        stopped = true;
    }

    /** Marks the stored pins as outdated. Thread-safe. */
    void pinsChanged() {
        pinsStale = true;
    }

    /** Counts a change of the framework. Thread-safe. */
    void bundleChanged(BundleEvent event) {
        int looked = BundleEvent.INSTALLED | BundleEvent.RESOLVED | BundleEvent.UNRESOLVED;
        int mask = looked | BundleEvent.UPDATED | BundleEvent.UNINSTALLED;
        if ((event.getType() & mask) != 0
                && !BundleInstaller.isCheck(event.getBundle().getLocation())) {
            world.incrementAndGet();
        }
    }

    /** Runs a round and returns the delay to the next, in milliseconds. */
    long next(DeploySettings settings) throws InterruptedException {
        queue.waitFor("");
        if (!settings.active()) {
            return withdrawAll(settings);
        }
        if (!readPins()) {
            reporter.waiting(settings, "the journal, which holds pins");
            return RETRY_MILLIS;
        }
        try {
            openFolder(settings);
            folder.poll();
        } catch (UnusableFileException e) {
            reporter.unusable(settings, e);
            return RETRY_MILLIS;
        } catch (IOException e) {
            reporter.unusable(settings, DropListing.unreadable(settings.folder(), e));
            return RETRY_MILLIS;
        }
        PinSet pins = new PinSet(settings.pins(), storedPins);
        Planner.Plan plan = plan(pins);
        if (!plan.changes().isEmpty()) {
            // They may take as long as a start may.
            reporter.report(settings, folder.listing(), plan, pins, queue.waitsFor());
        }
        if (execute(plan, settings)) {
            plan = plan(pins);
        }
        adopt(plan);
        revive(settings);
        recordRefusals(plan);
        copies.tidy(folder.files().values(), deployed.all());
        reporter.report(settings, folder.listing(), plan, pins, queue.waitsFor());
        return LOOK_MILLIS;
    }

    private boolean readPins() {
        if (pinsStale) {
            pinsStale = false; // set before reading: a concurrent change is read in the next round
            boolean read = false;
            try {
                storedPins = pinStore.load();
                read = true;
            } catch (PalyraException e) {
                LOG.debug("Stored pins cannot be read now.", e);
            } finally {
                if (!read) {
                    pinsStale = true;
                }
            }
        }
        return storedPins != null;
    }

    private void openFolder(DeploySettings now) throws IOException {
        boolean same =
                folderOf != null
                        && folderOf.folder().equals(now.folder())
                        && folderOf.maxFileBytes() == now.maxFileBytes();
        if (!same) {
            folder = new DropFolder(now, store, FileOwner.ofThisProcess());
            folderOf = now;
        }
        folder.prepare();
    }

    private Planner.Plan plan(PinSet pins) {
        return Planner.plan(
                new Planner.Input(
                        folder.files(),
                        pins,
                        deployed.all().stream()
                                .filter(one -> !changes.isStuck(one.symbolicName()))
                                .toList(),
                        present(),
                        changes.failures(),
                        admission::objection,
                        world.get(),
                        !folder.unsettledFor(GONE_MILLIS),
                        System.currentTimeMillis()));
    }

    private Set<String> present() {
        Set<String> names = new TreeSet<>();
        for (Bundle bundle : system.getBundles()) {
            if (DeployedBundle.isLocation(bundle.getLocation())) {
                names.add(DeployedBundle.nameAt(bundle.getLocation()));
            }
        }
        names.removeIf(changes::isStuck);
        return names;
    }

    /** Returns whether a change was executed. */
    private boolean execute(Planner.Plan plan, DeploySettings now) throws InterruptedException {
        Optional<String> unrest = stability.waitsFor();
        if (plan.changes().isEmpty() || unrest.isPresent()) {
            queue.waitFor(unrest.orElse(""));
            return false;
        }
        boolean any = false;
        for (Change change : plan.changes()) {
            DropFile file = folder.files().get(change.file());
            long reading = file == null ? 0 : file.reading();
            long before = world.get();
            if (stopped
                    || !queue.take(
                            change.title(), () -> changes.execute(change, reading, before, now))) {
                break;
            }
            any = true;
        }
        return any;
    }

    /** Lets another file with the same content provide a bundle. */
    private void adopt(Planner.Plan plan) {
        for (Row row : plan.rows().values()) {
            if (row.state() == Row.State.ACTIVE) {
                deployed.get(row.facts().orElseThrow().symbolicName())
                        .filter(good -> !good.file().equals(row.file()))
                        .ifPresent(good -> changes.keep(good.from(row.file())));
            }
        }
    }

    /** Starts a deployed bundle again when its requirements are available again. */
    private void revive(DeploySettings now) throws InterruptedException {
        long stamp = world.get();
        if (stamp == revivedAt) {
            return;
        }
        for (DeployedBundle good : deployed.all()) {
            Optional<Bundle> asleep =
                    installer.find(good.symbolicName()).filter(BundleInstaller::isInactive);
            if (asleep.isPresent()
                    && !queue.take(
                            "the start of " + good.title(),
                            () -> BundleInstaller.revive(asleep.get(), now.startTimeoutMillis()))) {
                return;
            }
        }
        revivedAt = stamp;
    }

    private void recordRefusals(Planner.Plan plan) {
        for (Row row : plan.rows().values()) {
            boolean judged = row.state() == Row.State.REFUSED && row.pin().isEmpty();
            if (judged && row.facts().isPresent()) {
                journal.refused(row.file(), row.facts().get(), row.explanation(), row.pinLine());
            }
        }
        try {
            journal.flush();
        } catch (PalyraException e) {
            LOG.debug("Events of the drop-in folder wait for the journal.", e);
        }
    }

    /** Uninstalls everything from the folder while it is off; keeps the last good states. */
    private long withdrawAll(DeploySettings now) throws InterruptedException {
        for (String name : present()) {
            String file = deployed.get(name).map(DeployedBundle::file).orElse("");
            Change change = Change.remove(name, file, now.why());
            if (!queue.take(change.title(), () -> changes.remove(change, false, now))) {
                reporter.waiting(now, queue.waitsFor());
                return RETRY_MILLIS;
            }
        }
        folderOf = null;
        reporter.off(now);
        try {
            journal.flush();
            return IDLE_MILLIS;
        } catch (PalyraException e) {
            return RETRY_MILLIS;
        }
    }
}

package palyra.policy.internal.set;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.LoopView;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Tells soon that something changed in a folder. Only a hint: it may tell too often, and where the
 * system cannot watch it reports nothing, so its user must also poll.
 */
final class FolderWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderWatcher.class);
    private static final long STOP_MILLIS = 1_000;

    private final List<Path> folders;
    private final Runnable changed;
    private final Map<Path, WatchKey> keys = new HashMap<>(); // used by the caller of renew
    private WatchService service;
    private boolean told; // that nothing can be watched; of the thread that calls begin and renew
    private volatile SupervisedLoop loop; // null while nothing is watched

    FolderWatcher(List<Path> folders, Runnable changed) {
        this.folders = List.copyOf(folders);
        this.changed = changed;
    }

    /** Begins to watch, unless it does already. */
    void begin() {
        if (loop != null) {
            return;
        }
        try {
            service = folders.getFirst().getFileSystem().newWatchService();
        } catch (IOException | UnsupportedOperationException e) {
            if (!told) {
                LOG.info("Policy folders are only looked at now and then: {}", e.toString());
                told = true;
            }
            return;
        }
        LoopSpec spec = LoopSpec.of("palyra-policy-watch", "palyra.policy");
        loop = new SupervisedLoop(spec, this::run).start();
        renew();
    }

    /** Watches folders that came since, and all where it could not before. Called by one thread. */
    void renew() {
        if (loop == null) {
            begin();
            return;
        }
        for (Path folder : folders) {
            WatchKey key = keys.get(folder);
            if ((key == null || !key.isValid()) && Files.isDirectory(folder)) {
                register(folder);
            }
        }
    }

    private void register(Path folder) {
        try {
            keys.put(
                    folder,
                    folder.register(
                            service,
                            StandardWatchEventKinds.ENTRY_CREATE,
                            StandardWatchEventKinds.ENTRY_MODIFY,
                            StandardWatchEventKinds.ENTRY_DELETE));
        } catch (IOException | ClosedWatchServiceException e) {
            LOG.debug("{} is only looked at now and then.", folder, e);
        }
    }

    private void run(Heartbeat pulse) throws InterruptedException {
        try {
            while (!pulse.isStopping()) {
                pulse.idle();
                WatchKey key = service.take();
                pulse.beat();
                key.pollEvents();
                key.reset();
                changed.run();
            }
        } catch (ClosedWatchServiceException e) {
            LOG.trace("Closed.");
        }
    }

    /** Returns how the thread is; nothing while nothing is watched. */
    List<LoopView> loops() {
        SupervisedLoop now = loop;
        return now == null ? List.of() : List.of(now.view());
    }

    @Override
    public void close() {
        SupervisedLoop last = loop;
        if (last == null) {
            return;
        }
        try {
            service.close();
        } catch (IOException e) {
            LOG.debug("The watch on the policy folders did not close.", e);
        }
        last.close(STOP_MILLIS);
    }
}

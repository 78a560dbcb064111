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

/**
 * Tells soon that something changed in a folder. Only a hint: it may tell too often, and where the
 * system cannot watch it tells nothing, so somebody must look by himself now and then.
 */
final class FolderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FolderWatch.class);
    private static final long STOP_MILLIS = 1_000;

    private final List<Path> folders;
    private final Runnable changed;
    private final Map<Path, WatchKey> keys = new HashMap<>(); // used by whoever calls renew
    private WatchService service;
    private Thread thread;

    FolderWatch(List<Path> folders, Runnable changed) {
        this.folders = List.copyOf(folders);
        this.changed = changed;
    }

    /** Begins to watch. */
    void begin() {
        try {
            service = folders.getFirst().getFileSystem().newWatchService();
        } catch (IOException | UnsupportedOperationException e) {
            LOG.info("Policy folders are only looked at now and then: {}", e.toString());
            return;
        }
        thread = new Thread(this::run, "palyra-policy-watch");
        thread.setDaemon(true);
        thread.start();
        renew();
    }

    /** Watches folders that came since. Called by one thread. */
    void renew() {
        if (service == null) {
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

    private void run() {
        try {
            while (true) {
                WatchKey key = service.take();
                key.pollEvents();
                key.reset();
                changed.run();
            }
        } catch (ClosedWatchServiceException e) {
            LOG.trace("Closed.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        if (service == null) {
            return;
        }
        try {
            service.close();
            thread.interrupt();
            thread.join(STOP_MILLIS);
        } catch (IOException e) {
            LOG.debug("The watch on the policy folders did not close.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

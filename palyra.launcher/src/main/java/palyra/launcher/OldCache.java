package palyra.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import palyra.shared.files.FileTree;
import palyra.shared.files.MediumFailure;

/**
 * What the framework of the last start left: nothing of it is used again, and removing it takes
 * longer than moving it away. So a start moves it, and it is removed when the gateway is ready.
 */
final class OldCache {
    private static final String PREFIX = "old-cache-";

    /** What the framework makes of the bundles takes a tenth of this. */
    private static final long ROOM_BYTES = 16 << 20;

    private OldCache() {}

    /**
     * Leaves an empty cache folder; one that cannot be moved is emptied by the framework. What an
     * earlier start put aside and did not live to remove goes first: starts that fail again and
     * again must not fill the disk.
     */
    static void putAside(StateFolder state) {
        remove(state.sub("tmp"));
        Path cache = state.sub(StateFolder.CACHE);
        try {
            Path aside = Files.createTempDirectory(state.sub("tmp"), PREFIX);
            Files.move(cache, aside.resolve("cache"), StandardCopyOption.ATOMIC_MOVE);
            Files.createDirectory(cache, StateFolder.PRIVATE);
        } catch (IOException e) {
            // It stays, or the framework makes it: either way the start goes on.
        }
        long free = MediumFailure.freeBytes(state.path());
        if (free >= 0 && free < ROOM_BYTES) {
            remove(state.sub("tmp")); // what the last start used is what this one needs
        }
    }

    /** Removes what was put aside. */
    static void removeInBackground(StateFolder state) {
        Thread thread = new Thread(() -> remove(state.sub("tmp")), "palyra-old-cache");
        thread.setDaemon(true);
        thread.start();
    }

    static void remove(Path tmp) {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(tmp, PREFIX + "*")) {
            for (Path folder : old) {
                FileTree.remove(folder);
            }
        } catch (IOException e) {
            // What is left is tried again at the next start.
        }
    }
}

package palyra.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import palyra.shared.files.FileTree;
import palyra.shared.files.MediumFailure;

/**
 * The bundle cache of the previous start. It is never used again, but deleting it takes longer than
 * moving it: a start moves it away and deletes it once the gateway is ready.
 */
final class PreviousCache {
    private static final String PREFIX = "old-cache-";

    /** What commands of a process that was killed left: copies of the journal, perhaps. */
    private static final String COMMANDS = "palyra-";

    /** What the framework makes of the bundles takes a tenth of this. */
    private static final long ROOM_BYTES = 16 << 20;

    private PreviousCache() {}

    /**
     * Leaves an empty cache folder; one that cannot be moved is emptied by the framework. Deletes
     * first what an earlier start moved and did not delete, so that repeated failed starts do not
     * fill the disk.
     */
    static void putAside(StateFolder state) {
        remove(state.sub("tmp"));
        remove(state.sub("tmp"), COMMANDS);
        Path cache = state.sub(StateFolder.CACHE);
        try {
            Path aside = Files.createTempDirectory(state.sub("tmp"), PREFIX);
            Files.move(cache, aside.resolve("cache"), StandardCopyOption.ATOMIC_MOVE);
            Files.createDirectory(cache, StateFolder.PRIVATE);
        } catch (IOException e) {
            // The start goes on; the framework empties or creates the folder.
        }
        long free = MediumFailure.freeBytes(state.path());
        if (free >= 0 && free < ROOM_BYTES) {
            remove(state.sub("tmp")); // the space of the last start is needed now
        }
    }

    /** Deletes the moved cache in the background. */
    static void removeInBackground(StateFolder state) {
        Thread thread = new Thread(() -> remove(state.sub("tmp")), "palyra-old-cache");
        thread.setDaemon(true);
        thread.start();
    }

    static void remove(Path tmp) {
        remove(tmp, PREFIX);
    }

    private static void remove(Path tmp, String prefix) {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(tmp, prefix + "*")) {
            for (Path folder : old) {
                FileTree.remove(folder);
            }
        } catch (IOException e) {
            // The next start tries again.
        }
    }
}

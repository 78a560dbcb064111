package palyra.backup.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system in memory of a few KiB, where this user may mount one. */
public final class SmallMedium {
    private SmallMedium() {}

    /** Mounts one on a folder; false where that is not allowed. */
    public static boolean mount(Path folder, int kibibytes) throws Exception {
        return run("mount", "-t", "tmpfs", "-o", "size=" + kibibytes + "k", "tmpfs", "" + folder);
    }

    /** Gives a mounted one another size. */
    public static boolean resize(Path folder, int kibibytes) throws Exception {
        return run("mount", "-o", "remount,size=" + kibibytes + "k", folder.toString());
    }

    /** Takes it away; false when nothing is mounted there. */
    public static boolean unmount(Path folder) throws Exception {
        return run("umount", folder.toString());
    }

    private static boolean run(String... command) throws Exception {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // this system has no such program
        }
    }
}

package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Path;
import java.util.List;
import palyra.api.Require;
import palyra.shared.confine.SystemPaths;

/** Checked configuration; an empty path of a program means the usual places. */
record TierCSettings(String bwrapPath, String socatPath, List<String> readOnlyPaths) {
    TierCSettings {
        program("bwrapPath", bwrapPath);
        program("socatPath", socatPath);
        readOnlyPaths = List.copyOf(readOnlyPaths);
        for (String path : readOnlyPaths) {
            Require.that(
                    path.startsWith("/")
                            && Path.of(path).normalize().toString().equals(path)
                            && !SystemPaths.neverShown(path),
                    TierCConfiguration.PID
                            + ": readOnlyPaths holds "
                            + path
                            + "; use absolute paths without .., not /, /proc, /sys, /dev or /run");
        }
    }

    static TierCSettings from(TierCConfiguration configuration) {
        return new TierCSettings(
                configuration.bwrapPath(),
                configuration.socatPath(),
                List.of(configuration.readOnlyPaths()));
    }

    private static void program(String name, String path) {
        Require.that(
                path.isEmpty() || path.startsWith("/"),
                TierCConfiguration.PID + ": " + name + " is " + path + "; use an absolute path");
    }

    /** Returns where bubblewrap may be, best first. */
    List<Path> bwrapPlaces() {
        return places(bwrapPath, "bwrap");
    }

    /** Returns where socat may be, best first. */
    List<Path> socatPlaces() {
        return places(socatPath, "socat");
    }

    private static List<Path> places(String configured, String name) {
        return configured.isEmpty()
                ? List.of(
                        Path.of("/usr/bin", name),
                        Path.of("/usr/local/bin", name),
                        Path.of("/bin", name))
                : List.of(Path.of(configured));
    }
}

package palyra.sandbox.tierb.internal;

import java.nio.file.Path;
import java.util.List;
import palyra.api.Require;
import palyra.shared.confine.SystemPaths;

/** Checked configuration. */
record TierBSettings(List<String> readOnlyPaths) {
    TierBSettings {
        readOnlyPaths = List.copyOf(readOnlyPaths);
        for (String path : readOnlyPaths) {
            Require.that(
                    path.startsWith("/")
                            && Path.of(path).normalize().toString().equals(path)
                            && !SystemPaths.neverShown(path),
                    TierBConfiguration.PID
                            + ": readOnlyPaths holds "
                            + path
                            + "; use absolute paths without .., not /, /proc, /sys, /dev or /run");
        }
    }

    static TierBSettings from(TierBConfiguration configuration) {
        return new TierBSettings(List.of(configuration.readOnlyPaths()));
    }
}

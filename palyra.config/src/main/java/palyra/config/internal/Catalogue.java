package palyra.config.internal;

import java.util.Optional;
import java.util.Set;

/** What PIDs there are. Thread-safe. */
interface Catalogue {
    /** Returns what a PID takes; empty when no bundle declares it now. */
    Optional<Schema> schema(String pid);

    /** Returns every declared PID. */
    Set<String> pids();

    /** Looks again if something may have changed; returns whether anything did. */
    boolean refresh();
}

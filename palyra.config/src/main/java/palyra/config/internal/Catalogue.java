package palyra.config.internal;

import java.util.Optional;
import java.util.Set;

/** The declared PIDs. Thread-safe. */
interface Catalogue {
    /** Returns the schema of a PID; empty when no bundle declares it. */
    Optional<Schema> schema(String pid);

    /** Returns every declared PID. */
    Set<String> pids();

    /** Reads the declarations again if they may have changed; returns whether any did. */
    boolean refresh();
}

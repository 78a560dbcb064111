package palyra.deploy.internal;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes copies of jars that are no longer needed. Not thread-safe. */
final class JarCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(JarCleanup.class);

    private final JarStore store;
    private Set<String> kept = new TreeSet<>();

    JarCleanup(JarStore store) {
        this.store = store;
    }

    /** Deletes them, unless a file is being read and its copy is not known yet. */
    void tidy(Collection<DropFile> files, Collection<DeployedBundle> deployed) {
        Set<String> needed = new TreeSet<>();
        for (DropFile file : files) {
            if (file.status() == DropFile.Status.SETTLING) {
                return;
            }
            file.facts().ifPresent(facts -> needed.add(facts.sha256()));
        }
        deployed.forEach(good -> needed.add(good.sha256()));
        if (needed.equals(kept)) {
            return;
        }
        try {
            store.keepOnly(needed);
            kept = needed;
        } catch (IOException e) {
            LOG.warn("Old copies of jars cannot be deleted.", e);
        }
    }
}

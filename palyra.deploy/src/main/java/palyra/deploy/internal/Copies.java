package palyra.deploy.internal;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes our copies of jars that stand for nothing any more. Used by one thread. */
final class Copies {
    private static final Logger LOG = LoggerFactory.getLogger(Copies.class);

    private final JarStore store;
    private Set<String> kept = new TreeSet<>();

    Copies(JarStore store) {
        this.store = store;
    }

    /** Deletes them, unless a file is half read and its copy not known yet. */
    void tidy(Collection<DropFile> files, Collection<Deployed> deployed) {
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

package palyra.deploy.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.Optional;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What came up, kept over restarts beside the copies of the jars. Written when a bundle is up, not
 * before: after an interruption it tells what is known to be good. Used by one thread.
 */
final class DeployedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(DeployedFiles.class);
    private static final String SUFFIX = ".properties";

    private final JarStore store;
    private final SortedMap<String, Deployed> all = new TreeMap<>();

    DeployedFiles(JarStore store) {
        this.store = store;
    }

    /** Reads what earlier starts left; what cannot be read counts for nothing. */
    void load() {
        all.clear();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(store.folder(), "*" + SUFFIX)) {
            for (Path file : files) {
                read(file).ifPresent(one -> all.put(one.symbolicName(), one));
            }
        } catch (NoSuchFileException e) {
            LOG.trace("Nothing was ever taken.", e);
        } catch (IOException e) {
            LOG.warn("What was in force before cannot be read; the folder decides alone.", e);
        }
    }

    private static Optional<Deployed> read(Path file) {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
            return Optional.of(Deployed.of(properties));
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("{} cannot be read and is left out.", file.getFileName(), e);
            return Optional.empty();
        }
    }

    Optional<Deployed> get(String symbolicName) {
        return Optional.ofNullable(all.get(symbolicName));
    }

    Collection<Deployed> all() {
        return new TreeMap<>(all).values();
    }

    void put(Deployed one) throws IOException {
        all.put(one.symbolicName(), one);
        Path file = file(one.symbolicName());
        Path part = file.resolveSibling(file.getFileName() + ".part");
        store.create();
        try (OutputStream out = Files.newOutputStream(part)) {
            one.asProperties().store(out, null);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void remove(String symbolicName) throws IOException {
        all.remove(symbolicName);
        Files.deleteIfExists(file(symbolicName));
    }

    private Path file(String symbolicName) {
        return store.folder().resolve(symbolicName + SUFFIX);
    }
}

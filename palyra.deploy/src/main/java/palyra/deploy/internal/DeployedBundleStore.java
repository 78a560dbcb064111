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
 * Stores the bundles that started successfully, beside the copies of the jars. Written after a
 * successful start only, so it has the last good states after an interruption. Not thread-safe.
 */
final class DeployedBundleStore {
    private static final Logger LOG = LoggerFactory.getLogger(DeployedBundleStore.class);
    private static final String SUFFIX = ".properties";

    private final JarStore store;
    private final SortedMap<String, DeployedBundle> all = new TreeMap<>();

    DeployedBundleStore(JarStore store) {
        this.store = store;
    }

    /** Reads the files of earlier starts; skips unreadable ones. */
    void load() {
        all.clear();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(store.folder(), "*" + SUFFIX)) {
            for (Path file : files) {
                read(file).ifPresent(one -> all.put(one.symbolicName(), one));
            }
        } catch (NoSuchFileException e) {
            LOG.trace("No bundle was deployed before.", e);
        } catch (IOException e) {
            LOG.warn("The last good states cannot be read; only the folder counts.", e);
        }
    }

    private static Optional<DeployedBundle> read(Path file) {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
            return Optional.of(DeployedBundle.of(properties));
        } catch (IOException | IllegalArgumentException e) {
            LOG.warn("{} cannot be read and is skipped.", file.getFileName(), e);
            return Optional.empty();
        }
    }

    Optional<DeployedBundle> get(String symbolicName) {
        return Optional.ofNullable(all.get(symbolicName));
    }

    Collection<DeployedBundle> all() {
        return new TreeMap<>(all).values();
    }

    void put(DeployedBundle one) throws IOException {
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

package palyra.config.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.DropInFolder;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileStamp;
import palyra.shared.files.FileTrust;
import palyra.shared.hash.Digests;

/**
 * Polls one folder of configuration files. Accepts a change only when two successive polls saw the
 * same, so a file that is being copied, or is absent during an editor's rename, has no effect. Not
 * thread-safe.
 */
final class ConfigurationFolder {
    static final int MAX_BYTES = 256 * 1024;
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFolder.class);
    private static final FileStamp UNDECIDED = FileStamp.special(-2, null);

    private final Layer layer;
    private final Path folder;
    private final LinkOption[] links;
    private final Map<String, Entry> entries = new TreeMap<>();
    private final FolderListing listing;
    private final LastGood lastGood;
    private List<Problem> problems = List.of();
    private boolean readable;

    /**
     * @param folder where; it need not exist
     */
    ConfigurationFolder(Layer layer, Path folder) {
        this(layer, folder, LastGood.NONE);
    }

    /** As above; what is in force of the folder is kept in {@code lastGood}. */
    ConfigurationFolder(Layer layer, Path folder, LastGood lastGood) {
        this.layer = layer;
        this.lastGood = lastGood;
        this.folder = folder;
        links = layer.strict() ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        listing = new FolderListing(layer, folder);
    }

    private static final class Entry {
        private FileStamp taken = FileStamp.GONE;
        private FileStamp last = FileStamp.GONE;
        private Source source;
        private byte[] bytes; // of the source; null when it is broken
        private boolean unreadable;
    }

    /** Returns the sources of the last poll, by name. */
    List<Source> sources() {
        return entries.values().stream().map(e -> e.source).filter(Objects::nonNull).toList();
    }

    /** Returns a source as it was last in force, also before the start; empty when not known. */
    Optional<Source> lastGood(Source source) {
        return source.id().layer() == layer
                ? lastGood.find(source.id(), source.target())
                : Optional.empty();
    }

    /** A source is known to be good: it is kept for a start at which its file is refused. */
    void inForce(Source source) {
        Entry entry = entries.get(source.id().file());
        if (source.id().layer() == layer
                && entry != null
                && entry.bytes != null
                && source.equals(entry.source)) {
            lastGood.keep(source.id().file(), entry.bytes);
        }
    }

    /** Returns whether the last poll could list the folder. */
    boolean readable() {
        return readable;
    }

    /** Returns the problems of the folder itself. */
    List<Problem> problems() {
        return problems;
    }

    /**
     * Polls.
     *
     * @param first accepts each file at once instead of after two equal polls. That is safe at the
     *     start: a prefix of a JSON object is not valid JSON, so a file that is being copied is
     *     refused until it is complete.
     * @return whether {@link #sources} or {@link #problems} changed
     */
    boolean poll(boolean first) {
        List<Problem> found = new ArrayList<>();
        boolean changed = false;
        Optional<SortedSet<String>> names = listing.names(found);
        readable = names.isPresent();
        if (names.isPresent()) {
            Map<String, FileStamp> stamps = stamps(names.get());
            for (String name : union(stamps)) {
                changed |= poll(name, stamps.getOrDefault(name, FileStamp.GONE), first);
            }
            boolean gone =
                    entries.values()
                            .removeIf(e -> e.source == null && e.last.equals(FileStamp.GONE));
            if (first || gone) {
                lastGood.retain(entries.keySet());
            }
        }
        changed |= !found.equals(problems);
        problems = List.copyOf(found);
        return changed;
    }

    private SortedSet<String> union(Map<String, FileStamp> stamps) {
        TreeSet<String> all = new TreeSet<>(entries.keySet());
        all.addAll(stamps.keySet());
        return all;
    }

    private Map<String, FileStamp> stamps(SortedSet<String> names) {
        Map<String, FileStamp> stamps = new HashMap<>();
        for (String name : names) {
            try {
                stamps.put(name, FileStamp.of(folder.resolve(name), links));
            } catch (NoSuchFileException e) {
                LOG.trace("{} went between listing and looking.", name);
            } catch (IOException e) {
                stamps.put(name, FileStamp.special(0, e.getClass().getName()));
            }
        }
        return stamps;
    }

    private boolean poll(String name, FileStamp now, boolean first) {
        Entry entry = entries.computeIfAbsent(name, n -> new Entry());
        boolean settled = first || now.equals(entry.last);
        entry.last = now;
        if (!settled || (now.equals(entry.taken) && !entry.unreadable)) {
            return false;
        }
        Source before = entry.source;
        if (now.equals(FileStamp.GONE)) {
            entry.source = null;
            entry.taken = now;
        } else {
            take(entry, name, now);
        }
        return !Objects.equals(before, entry.source);
    }

    private void take(Entry entry, String name, FileStamp now) {
        Source.Id id = new Source.Id(layer, name);
        Target target = Target.ofFileName(name).orElseThrow();
        Path file = folder.resolve(name);
        entry.unreadable = false;
        entry.bytes = null;
        entry.taken = now;
        try {
            Optional<String> distrust = distrust(target, file);
            if (distrust.isPresent()) {
                entry.unreadable = true;
                entry.source =
                        broken(id, target, distrust.get(), "Correct it or replace the file.");
                return;
            }
            byte[] bytes = bytes(file);
            if (bytes.length > MAX_BYTES) {
                entry.source =
                        broken(
                                id,
                                target,
                                "it has more than " + MAX_BYTES + " bytes",
                                "Make it smaller.");
                return;
            }
            if (!FileStamp.of(file, links).equals(now)) {
                entry.taken = UNDECIDED; // changed while it was read: the next polls decide
                return;
            }
            entry.source =
                    new Source(
                            id,
                            target,
                            Digests.sha256Hex(bytes),
                            ConfigurationValidator.read(bytes));
            entry.bytes = bytes;
        } catch (IOException e) {
            entry.unreadable = true;
            entry.source =
                    broken(
                            id,
                            target,
                            "it cannot be read: " + e.getClass().getSimpleName(),
                            "Make it readable for the user that the gateway runs as.");
        }
    }

    private Optional<String> distrust(Target target, Path file) throws IOException {
        if (!layer.strict()) {
            return FileTrust.objection(folder, file);
        }
        // Otherwise a file in the folder could change the rules for the folder.
        return target.pid().equals(DropInFolder.PID)
                ? Optional.of(
                        "it configures the drop-in folder, which is not allowed from inside it")
                : FileTrust.strictObjection(file, FileOwner.ofThisProcess());
    }

    private byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, links)) {
            return in.readNBytes(MAX_BYTES + 1);
        }
    }

    private static Source broken(Source.Id id, Target target, String reason, String remedy) {
        return new Source(id, target, "", new Source.Broken(reason, remedy));
    }
}

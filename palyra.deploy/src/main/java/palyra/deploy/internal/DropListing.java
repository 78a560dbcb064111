package palyra.deploy.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileTrust;

/**
 * Content of the folder, by name.
 *
 * @param jars usable names of jars
 * @param misnamed names of jars that are not usable, made printable
 * @param configurations names of configuration files, which another bundle reads
 */
record DropListing(
        SortedSet<String> jars, SortedSet<String> misnamed, SortedSet<String> configurations) {
    static final DropListing EMPTY =
            new DropListing(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    static final int MAX_JARS = 200;
    private static final int MAX_ENTRIES = 2_000;
    private static final Pattern USABLE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,199}");

    DropListing {
        jars = Collections.unmodifiableSortedSet(new TreeSet<>(jars));
        misnamed = Collections.unmodifiableSortedSet(new TreeSet<>(misnamed));
        configurations = Collections.unmodifiableSortedSet(new TreeSet<>(configurations));
    }

    /**
     * Lists the folder if it is trusted.
     *
     * @throws UnusableFileException when it is not; the previous state stays
     */
    static DropListing of(Path folder, FileOwner owner) throws UnusableFileException {
        SortedSet<String> jars = new TreeSet<>();
        SortedSet<String> misnamed = new TreeSet<>();
        SortedSet<String> configurations = new TreeSet<>();
        int entries = 0;
        try {
            requireTrusted(folder, owner);
            try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
                for (Path path : stream) {
                    String name = path.getFileName().toString();
                    if (++entries > MAX_ENTRIES) {
                        throw tooMany(MAX_ENTRIES + " entries");
                    }
                    if (name.startsWith(".")) {
                        continue;
                    }
                    if (name.endsWith(".json")) {
                        configurations.add(name.replaceAll("\\p{Cntrl}", "?"));
                    } else if (name.endsWith(".jar") && USABLE.matcher(name).matches()) {
                        jars.add(name);
                    } else if (name.endsWith(".jar")) {
                        misnamed.add(name.replaceAll("\\p{Cntrl}", "?"));
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw unreadable(folder, e);
        }
        if (jars.size() > MAX_JARS) {
            throw tooMany(jars.size() + " jars");
        }
        return new DropListing(jars, misnamed, configurations);
    }

    private static void requireTrusted(Path folder, FileOwner owner)
            throws IOException, UnusableFileException {
        if (!Files.exists(folder)) {
            throw new UnusableFileException(
                    "The drop-in folder " + folder + " does not exist.",
                    "Create it, with mode 700; until then the previous state stays.");
        }
        Optional<String> objection = FileTrust.strictFolderObjection(folder, owner);
        if (objection.isPresent()) {
            throw new UnusableFileException(
                    "The drop-in folder " + folder + " is not trusted: " + objection.get() + ".",
                    "Correct its owner and mode; until then the previous state stays.");
        }
    }

    static UnusableFileException unreadable(Path folder, Exception e) {
        return new UnusableFileException(
                "The drop-in folder " + folder + " cannot be read: " + oneLine(e) + ".",
                "Restore it or make it readable; until then the previous state stays.");
    }

    private static UnusableFileException tooMany(String count) {
        return new UnusableFileException(
                "The drop-in folder holds " + count + "; at most " + MAX_JARS + " jars are read.",
                "Remove files that are not needed; until then the previous state stays.");
    }

    private static String oneLine(Exception e) {
        return e.getClass().getSimpleName() + " (" + e.getMessage() + ")";
    }
}

package palyra.config.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileTrust;

/** Lists the configuration files of a folder. Not thread-safe. */
final class FolderListing {
    static final int MAX_FILES = 200;
    private static final int MAX_ENTRIES = 2_000;

    private final Layer layer;
    private final Path folder;
    private boolean seen;

    FolderListing(Layer layer, Path folder) {
        this.layer = layer;
        this.folder = folder;
    }

    /**
     * Returns the names of the files; empty when the folder cannot be read, which changes nothing.
     * Adds problems to {@code found}.
     */
    Optional<SortedSet<String>> names(List<Problem> found) {
        SortedSet<String> names = new TreeSet<>();
        int entriesSeen = 0;
        if (!trusted(found)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path path : stream) {
                String name = path.getFileName().toString();
                if (++entriesSeen > MAX_ENTRIES) {
                    found.add(tooMany(MAX_ENTRIES + " entries"));
                    return Optional.empty();
                }
                if (name.endsWith(".json") && !name.startsWith(".")) {
                    names.add(name);
                }
            }
            seen = true;
        } catch (NoSuchFileException e) {
            return gone(found);
        } catch (IOException | DirectoryIteratorException e) {
            found.add(
                    Problem.error(
                            "",
                            "The "
                                    + layer.label()
                                    + " folder of configuration cannot be read: "
                                    + e.getClass().getSimpleName()
                                    + ".",
                            "Make it readable; until then the previous configuration stays in"
                                    + " force."));
            return Optional.empty();
        }
        unusable(names, found);
        return Optional.of(names);
    }

    private boolean trusted(List<Problem> found) {
        if (!layer.strict() || !Files.exists(folder)) {
            return true;
        }
        Optional<String> objection;
        try {
            objection = FileTrust.strictFolderObjection(folder, FileOwner.ofThisProcess());
        } catch (IOException e) {
            objection = Optional.of("its owner and mode cannot be read (" + e.getMessage() + ")");
        }
        objection.ifPresent(
                why ->
                        found.add(
                                Problem.error(
                                        "",
                                        "The "
                                                + layer.label()
                                                + " folder of configuration is not trusted: "
                                                + why
                                                + ".",
                                        "Correct its owner and mode; until then the previous"
                                                + " configuration stays in force.")));
        return objection.isEmpty();
    }

    /** A folder that never existed is empty; one that disappeared is treated as an accident. */
    private Optional<SortedSet<String>> gone(List<Problem> found) {
        if (!seen) {
            return Optional.of(new TreeSet<>());
        }
        found.add(
                Problem.error(
                        "",
                        "The " + layer.label() + " folder of configuration no longer exists.",
                        "Restore it; until then the previous configuration stays in force."));
        return Optional.empty();
    }

    private void unusable(SortedSet<String> names, List<Problem> found) {
        for (String name : List.copyOf(names)) {
            if (Target.ofFileName(name).isEmpty()) {
                names.remove(name);
                found.add(
                        Problem.error(
                                "",
                                layer.label()
                                        + " file "
                                        + name.replaceAll("\\p{Cntrl}", "?")
                                        + ": the name is not PID.json or PID~NAME.json.",
                                "Rename it; letters, digits and . _ - can be used."));
            }
        }
        if (names.size() > MAX_FILES) {
            found.add(tooMany(names.size() + " files"));
            while (names.size() > MAX_FILES) {
                names.remove(names.last());
            }
        }
    }

    private Problem tooMany(String count) {
        return Problem.error(
                "",
                "The "
                        + layer.label()
                        + " folder of configuration holds "
                        + count
                        + "; the first "
                        + MAX_FILES
                        + " by name are read.",
                "Remove files that are not needed.");
    }
}

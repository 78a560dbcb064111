package palyra.policy.internal.set;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.PolicySetLimits;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileTrust;

/**
 * Reads a policy set out of the shipped folder and the operator's. Nothing that is being written is
 * taken: the folders must look the same for a while, and the same again after everything was read.
 * Used by one thread.
 */
class SourceReader {
    private static final int MOST_LOOKS = 50;

    private final Path shipped;
    private final PolicySetLimits limits;
    private final long settleMillis;

    /**
     * @param shipped folder that comes with the product; need not exist
     * @param limits are checked against the sizes of the files before any of them is read
     * @param settleMillis how long nothing may have changed
     */
    SourceReader(Path shipped, PolicySetLimits limits, long settleMillis) {
        this.shipped = shipped;
        this.limits = limits;
        this.settleMillis = settleMillis;
    }

    /** Looks at the folders; equal looks mean that there is nothing new. */
    List<FolderListing> look(Path own) throws IOException {
        return List.of(FolderListing.at(shipped), FolderListing.at(own));
    }

    /**
     * Reads.
     *
     * @param own folder in the place of the operator's
     * @param strict whether {@code own} must be a folder that no other user can exchange
     */
    ReadResult read(Path own, boolean strict, PolicySettings settings) throws InterruptedException {
        try {
            for (int looks = 0; looks < MOST_LOOKS; looks++) {
                List<FolderListing> before = look(own);
                if (settled(own, before)) {
                    ReadResult reading = take(before, strict, settings);
                    if (look(own).equals(before)) {
                        return reading;
                    }
                }
            }
            return new ReadResult.Unsettled();
        } catch (IOException e) {
            return unusable("", "The policy folders cannot be read: " + why(e) + ".");
        }
    }

    /** Files that were left alone long enough need no second look. */
    private boolean settled(Path own, List<FolderListing> before)
            throws InterruptedException, IOException {
        long now = System.currentTimeMillis();
        long last = before.stream().mapToLong(FolderListing::lastChangeMillis).max().orElse(0);
        if (last > now - settleMillis && settleMillis > 0) {
            pause(settleMillis);
            return look(own).equals(before);
        }
        return true;
    }

    /** Waits; a test has its own idea of time. */
    void pause(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    private ReadResult take(List<FolderListing> looks, boolean strict, PolicySettings settings) {
        FolderListing own = looks.getLast();
        List<Found> found = found(looks.getFirst(), own, settings);
        List<PolicyProblem> problems = new ArrayList<>(SizeCheck.problems(looks, found, limits));
        folderObjection(own, strict).ifPresent(problems::add);
        if (!problems.isEmpty()) {
            return new ReadResult.Unusable(problems);
        }
        TreeMap<String, byte[]> files = new TreeMap<>();
        found.forEach(each -> read(each, files, problems));
        SortedSet<String> off =
                settings.defaults() ? settings.disabledDefaults() : new TreeSet<String>();
        return problems.isEmpty()
                ? new ReadResult.Complete(new SourceSet(files, off))
                : new ReadResult.Unusable(problems);
    }

    /**
     * A file that belongs to the set.
     *
     * @param fullName its name in the set
     * @param bytes how large it looks; negative for a link to nothing
     */
    record Found(Path folder, String name, String fullName, long bytes) {
        FileKind kind() {
            return FileKind.of(name).orElseThrow();
        }
    }

    private static List<Found> found(
            FolderListing shipped, FolderListing own, PolicySettings settings) {
        List<Found> found = new ArrayList<>();
        boolean ownSchema = own.stamps().containsKey(FileKind.SCHEMA_NAME);
        shipped.stamps()
                .forEach(
                        (name, stamp) -> {
                            boolean schema = FileKind.of(name).orElseThrow() == FileKind.SCHEMA;
                            if (schema ? !ownSchema : settings.defaults()) {
                                String full = SourceSet.SHIPPED_PREFIX + name;
                                found.add(new Found(shipped.folder(), name, full, stamp.size()));
                            }
                        });
        own.stamps()
                .forEach(
                        (name, stamp) ->
                                found.add(new Found(own.folder(), name, name, stamp.size())));
        return found;
    }

    private static Optional<PolicyProblem> folderObjection(FolderListing own, boolean strict) {
        if (!own.exists()) {
            return Optional.of(
                    PolicyProblems.error(
                            "",
                            "There is no policy folder " + own.folder() + ".",
                            "Put it back; one without files is enough."));
        }
        try {
            Optional<String> objection =
                    strict
                            ? FileTrust.strictFolderObjection(
                                    own.folder(), FileOwner.ofThisProcess())
                            : Optional.empty();
            return objection.map(
                    why ->
                            PolicyProblems.error(
                                    "",
                                    "The policy folder is not trusted: " + why + ".",
                                    "Correct its owner and mode (0700)."));
        } catch (IOException e) {
            return Optional.of(
                    PolicyProblems.error(
                            "", "The policy folder cannot be looked at: " + why(e) + ".", ""));
        }
    }

    private void read(Found found, TreeMap<String, byte[]> files, List<PolicyProblem> problems) {
        Path folder = found.folder();
        String name = found.name();
        String fullName = found.fullName();
        if (name.codePoints().anyMatch(Character::isISOControl) || name.length() > 200) {
            problems.add(
                    PolicyProblems.error(
                            "",
                            "A policy file has a name with control characters or more than 200"
                                    + " characters.",
                            "Rename it."));
            return;
        }
        Path file = folder.resolve(name);
        try {
            Optional<String> objection = FileTrust.objection(folder, file);
            if (objection.isPresent()) {
                problems.add(
                        PolicyProblems.error(
                                fullName,
                                "The file is not trusted: " + objection.get() + ".",
                                "Correct it or take the file away."));
                return;
            }
            try (InputStream in = open(file)) {
                int most = SizeCheck.limit(found.kind(), limits);
                byte[] bytes = in.readNBytes(most + 1);
                if (bytes.length > most) {
                    problems.add(SizeCheck.tooLarge(found, "more than " + most, most));
                }
                files.put(fullName, bytes);
            }
        } catch (IOException e) {
            problems.add(
                    PolicyProblems.error(
                            fullName,
                            "The file cannot be read: " + why(e) + ".",
                            "Make it readable for the user that the gateway runs as."));
        }
    }

    /** Opens a file; a test has its own idea of what the system can open. */
    InputStream open(Path file) throws IOException {
        return Files.newInputStream(file);
    }

    private static ReadResult unusable(String file, String message) {
        return new ReadResult.Unusable(List.of(PolicyProblems.error(file, message, "")));
    }

    private static String why(IOException e) {
        String message = e.getMessage();
        return e.getClass().getSimpleName() + (message == null ? "" : " (" + message + ")");
    }
}

package palyra.shared.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import palyra.api.ErrorCode;

/**
 * Why a write to a medium failed, classified so that every part reports it alike: with the folder,
 * the bytes that are left and the remedy.
 */
public enum MediumFailure {
    /** The medium, or the quota on it, is used up. */
    NO_SPACE("has no space left", "free some space"),
    /** The file system takes no writes at all. */
    READ_ONLY("is mounted read-only", "mount it for writing"),
    /** The folder belongs to another user, or its mode forbids this. */
    NO_PERMISSION("may not be written by this user", "give it to the user that runs Palyra"),
    /** Anything else: the device, the network behind it, a path that is no folder. */
    IO("failed", "check the path, and the system's log for the device");

    /** With less free space than this a failed write is reported as "no space". */
    private static final long NO_SPACE_BYTES = 64 << 10;

    private static final int MOST_CAUSES = 20;

    private final String state;
    private final String remedy;

    MediumFailure(String state, String remedy) {
        this.state = state;
        this.remedy = remedy;
    }

    /**
     * Returns what an exception of a write to {@code place} means. The system's own words decide;
     * they are in its language, so that the medium itself is asked where they are not known.
     *
     * @param thrown with its causes
     * @param place file or folder that was written; it need not be there
     */
    public static MediumFailure of(Throwable thrown, Path place) {
        MediumFailure reported = reported(thrown);
        return reported == IO ? measured(place) : reported;
    }

    private static MediumFailure reported(Throwable thrown) {
        Throwable at = thrown;
        for (int i = 0; at != null && i < MOST_CAUSES; i++, at = at.getCause()) {
            MediumFailure found = fromWords(at);
            if (found != IO) {
                return found;
            }
        }
        return IO;
    }

    private static MediumFailure fromWords(Throwable thrown) {
        String words = String.valueOf(thrown.getMessage()).toLowerCase(Locale.ROOT);
        if (words.contains("no space left") || words.contains("quota exceeded")) {
            return NO_SPACE;
        }
        if (words.contains("read-only file system")) {
            return READ_ONLY;
        }
        boolean refused =
                thrown instanceof AccessDeniedException || words.contains("permission denied");
        return refused ? NO_PERMISSION : IO;
    }

    private static MediumFailure measured(Path place) {
        try {
            FileStore store = Files.getFileStore(existing(place));
            if (store.isReadOnly()) {
                return READ_ONLY;
            }
            boolean pseudo =
                    store.getTotalSpace() == 0; // such as /proc, which has no room to use up
            return !pseudo && store.getUsableSpace() < NO_SPACE_BYTES ? NO_SPACE : IO;
        } catch (IOException | SecurityException e) {
            return IO;
        }
    }

    private static Path existing(Path place) {
        Path at = place.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    /** Returns the bytes that a user may still write where {@code place} is, or -1 if unknown. */
    public static long freeBytes(Path place) {
        try {
            return Files.getFileStore(existing(place)).getUsableSpace();
        } catch (IOException | SecurityException e) {
            return -1;
        }
    }

    /**
     * Returns what happened, for the middle of a sentence: {@code the medium of /srv/palyra has no
     * space left (0 bytes free)}.
     */
    public String words(Path place) {
        String free = this == NO_SPACE ? " (" + Math.max(0, freeBytes(place)) + " bytes free)" : "";
        String actor = this == NO_PERMISSION ? "" : "the medium of ";
        return actor + place + " " + state + free;
    }

    /** Returns whether a sentence says that a medium at or under a folder has no space left. */
    public static boolean tellsOfNoSpace(String sentence, Path folder) {
        return sentence.contains("the medium of " + folder) && sentence.contains(NO_SPACE.state);
    }

    /** Returns what to do about it, as an order: {@code free some space}. */
    public String remedy() {
        return remedy;
    }

    /**
     * Returns a whole clause about a write that failed: what happened, where, and what to do. A
     * failure without one of the medium's own reasons has the exception's message.
     *
     * @param thrown with its causes
     * @param place file or folder that was written
     */
    public static String sentence(Throwable thrown, Path place) {
        MediumFailure failure = of(thrown, place);
        String what = failure == IO ? place + " failed: " + reason(thrown) : failure.words(place);
        return what + "; " + failure.remedy;
    }

    /** Returns why a file could not be used, for people: no name of a class when it has words. */
    public static String reason(Throwable thrown) {
        if (thrown instanceof NoSuchFileException missing) {
            return missing.getFile() + " is not there";
        }
        if (thrown instanceof AccessDeniedException denied) {
            return denied.getFile() + " may not be used by this user";
        }
        String said = thrown.getMessage();
        return said == null || said.isBlank() ? thrown.getClass().getSimpleName() : said.strip();
    }

    /** Returns the code that a caller gets; {@code otherwise} for what has none of its own. */
    public ErrorCode code(ErrorCode otherwise) {
        return switch (this) {
            case NO_SPACE -> ErrorCode.DISK_FULL;
            case READ_ONLY, NO_PERMISSION -> ErrorCode.READ_ONLY;
            case IO -> otherwise;
        };
    }
}

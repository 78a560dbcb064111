package palyra.skills.internal.ledger;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalLong;
import palyra.shared.files.DurableFiles;
import palyra.skills.internal.RefusedException;

/**
 * The last serial number of the ledger, kept in a file outside the journal: it detects that all
 * rows were set back to an older state.
 */
final class LedgerHead {
    private static final int MAX_BYTES = 200;

    /** Makes the code that authenticates a serial number. */
    interface Seal {
        String of(long serial);
    }

    private final Path file;
    private final DurableFiles files;

    LedgerHead(Path file, DurableFiles files) {
        this.file = file;
        this.files = files;
    }

    /**
     * Returns the number; empty when there is no file.
     *
     * @throws RefusedException {@code trust_store_tampered} when the file is not ours
     */
    OptionalLong read(Seal seal) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return OptionalLong.empty();
            }
            if (Files.size(file) <= MAX_BYTES) {
                String text = Files.readString(file, StandardCharsets.US_ASCII).strip();
                String[] words = text.split(" ");
                if (words.length == 2
                        && words[0].matches("[0-9]{1,18}")
                        && seal.of(Long.parseLong(words[0])).equals(words[1])) {
                    return OptionalLong.of(Long.parseLong(words[0]));
                }
            }
            throw SkillRegistry.tampered(file + " does not hold what this gateway wrote");
        } catch (IOException e) {
            throw SkillRegistry.tampered(file + " cannot be read");
        }
    }

    /** Writes the number; a crash leaves the old one or the new one. */
    void write(long serial, Seal seal) throws IOException {
        files.makeFolder(file.getParent());
        Path part = file.resolveSibling(file.getFileName() + ".part");
        files.delete(part);
        files.writeNew(
                part, (serial + " " + seal.of(serial) + "\n").getBytes(StandardCharsets.US_ASCII));
        files.rename(part, file);
        files.sync(file.getParent());
    }
}

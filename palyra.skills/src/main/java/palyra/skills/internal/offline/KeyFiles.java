package palyra.skills.internal.offline;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.artifact.SkillKey;

/** Key files, which only their owner may read. */
public final class KeyFiles {
    private static final long MAX_BYTES = 4_096;

    private KeyFiles() {}

    /** Reads a key; DENIED when others may read the file. */
    public static SkillKey read(Path file) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new PalyraException(
                        ErrorCode.NOT_FOUND,
                        "Key file not found: " + file + ". palyra skills keygen makes one.");
            }
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            boolean open =
                    mode.stream()
                            .anyMatch(
                                    each ->
                                            each.name().startsWith("GROUP")
                                                    || each.name().startsWith("OTHERS"));
            if (open || Files.size(file) > MAX_BYTES) {
                throw new PalyraException(
                        ErrorCode.DENIED,
                        "The key file "
                                + file
                                + " may be read by others, or is too long; make it private: chmod 600 "
                                + file);
            }
            return SkillKey.read(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "The key file " + file + " cannot be read.", e);
        }
    }

    /** Writes a new key to a new file that only its owner can read. */
    public static SkillKey generate(Path file) {
        SkillKey key = SkillKey.generate();
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new PalyraException(
                    ErrorCode.ALREADY_EXISTS, "The file " + file + " exists; name a new one.");
        }
        try (FileChannel out =
                FileChannel.open(
                        file,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            for (ByteBuffer rest = ByteBuffer.wrap(key.pem().getBytes(StandardCharsets.US_ASCII));
                    rest.hasRemaining(); ) {
                out.write(rest);
            }
            out.force(true);
            return key;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The key cannot be written to " + file + ": " + e.getMessage() + ".",
                    e);
        }
    }
}

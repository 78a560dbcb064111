package palyra.vault.internal.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileTrust;

/** Reads files that hold a key or a passphrase, and that only their owner may read or write. */
final class PrivateFile {
    private static final int MOST_BYTES = 65_536;
    private static final Set<PosixFilePermission> WORLD =
            PosixFilePermissions.fromString("------rwx");

    private PrivateFile() {}

    /** Reads a file of mode 0600 or less that belongs to this process's user or root. */
    static byte[] read(Path file) throws IOException {
        return read(file, false);
    }

    /**
     * Reads a file that the service manager handed in: its group may be able to read it, which is
     * how access lists of single users appear in a mode.
     */
    static byte[] readCredential(Path file) throws IOException {
        return read(file.toRealPath(), true);
    }

    private static byte[] read(Path file, boolean groupMayRead) throws IOException {
        Optional<String> objection = objection(file, groupMayRead);
        if (objection.isPresent()) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The vault's key is not read from "
                            + file
                            + ": "
                            + objection.get()
                            + ". Make the gateway's user its owner, with mode 600.");
        }
        return Files.readAllBytes(file);
    }

    private static Optional<String> objection(Path file, boolean groupMayRead) throws IOException {
        Optional<String> trust = owned(file);
        if (trust.isPresent()) {
            return trust;
        }
        Set<PosixFilePermission> mode =
                Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
        boolean exposed =
                mode.stream()
                        .anyMatch(
                                bit ->
                                        groupMayRead
                                                ? WORLD.contains(bit)
                                                : !bit.name().startsWith("OWNER_"));
        if (exposed) {
            return Optional.of("its mode is " + PosixFilePermissions.toString(mode));
        }
        return Files.size(file) > MOST_BYTES
                ? Optional.of("it has more than " + MOST_BYTES + " bytes")
                : Optional.empty();
    }

    private static Optional<String> owned(Path file) throws IOException {
        FileOwner owner;
        try {
            owner = FileOwner.ofThisProcess();
        } catch (IOException e) {
            return FileTrust.objection(file.toAbsolutePath().getParent(), file);
        }
        return FileTrust.strictObjection(file, owner);
    }

    /** Returns the bytes without one line end at the end; {@code bytes} are overwritten. */
    static byte[] withoutLineEnd(byte[] bytes) {
        int end = bytes.length;
        if (end > 0 && bytes[end - 1] == '\n') {
            end--;
            if (end > 0 && bytes[end - 1] == '\r') {
                end--;
            }
        }
        byte[] rest = Arrays.copyOf(bytes, end);
        Arrays.fill(bytes, (byte) 0);
        return rest;
    }
}

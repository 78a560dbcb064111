package palyra.vault.internal.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Material that is supplied as a file: a passphrase, or a credential of the service manager. The
 * material to rotate to is beside it, with {@code .new} after its name.
 */
final class SuppliedSource implements MasterKeySource {
    /** Fewest bytes of random material. */
    private static final int FEWEST_RANDOM = 32;

    /** Fewest bytes of a passphrase. */
    private static final int FEWEST_THOUGHT_OF = 12;

    /** How it is handed in. */
    enum Way {
        /** A file of the gateway's user. */
        FILE,
        /** A file of the service manager. */
        CREDENTIAL,
        /** An open descriptor. */
        DESCRIPTOR
    }

    private final String name;
    private final boolean guessable;
    private final Way way;
    private final Path file;

    SuppliedSource(String name, boolean guessable, Way way, Path file) {
        this.name = name;
        this.guessable = guessable;
        this.way = way;
        this.file = file;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String place() {
        return switch (way) {
            case FILE -> "the file " + file;
            case CREDENTIAL -> "the credential " + file;
            case DESCRIPTOR -> "the descriptor " + file;
        };
    }

    @Override
    public boolean guessable() {
        return guessable;
    }

    private Path next() {
        return file.resolveSibling(file.getFileName() + ".new");
    }

    @Override
    public List<byte[]> materials() throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (Path each : way == Way.DESCRIPTOR ? List.of(file) : List.of(file, next())) {
            if (Files.exists(each)) {
                all.add(read(each));
            }
        }
        return all;
    }

    private byte[] read(Path from) throws IOException {
        byte[] read =
                switch (way) {
                    case FILE -> PrivateFile.read(from);
                    case CREDENTIAL -> PrivateFile.readCredential(from);
                    case DESCRIPTOR -> Files.readAllBytes(from);
                };
        byte[] material = guessable ? PrivateFile.withoutLineEnd(read) : read;
        int fewest = guessable ? FEWEST_THOUGHT_OF : FEWEST_RANDOM;
        if (material.length < fewest) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "What "
                            + from
                            + " holds is too short for a master key: it needs at least "
                            + fewest
                            + " bytes.");
        }
        return material;
    }

    @Override
    public byte[] make() throws IOException {
        List<byte[]> there = materials();
        if (there.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "There is no master key for the vault: "
                            + place()
                            + " is not there. Hand it in and start again.");
        }
        return there.get(0);
    }

    @Override
    public byte[] renew(byte[] inUse) throws IOException {
        for (byte[] each : materials()) {
            if (!Arrays.equals(each, inUse)) {
                return each;
            }
        }
        return inUse.clone();
    }

    @Override
    public void settle(byte[] inUse) {
        // The operator, who supplied the files, removes the old one.
    }

    @Override
    public String advice(byte[] inUse) throws IOException {
        List<byte[]> there = materials();
        boolean behind = !there.isEmpty() && !Arrays.equals(there.get(0), inUse);
        there.forEach(each -> Arrays.fill(each, (byte) 0));
        return behind ? "The master key in use is " + next() + "; put it in place of " + file : "";
    }
}

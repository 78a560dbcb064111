package palyra.vault.internal.key;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.vault.internal.crypto.Aead;

/**
 * A file with one key, or two while it is rotated: {@code "PVK1" ‖ key[32] ‖ …}. It is made at the
 * first start.
 */
final class FileSource implements MasterKeySource {
    private static final byte[] MAGIC = "PVK1".getBytes(StandardCharsets.US_ASCII);
    private static final int MOST_KEYS = 2;

    private final Path file;
    private final DurableFiles files;
    private final Aead aead;

    FileSource(Path file, DurableFiles files, Aead aead) {
        this.file = file;
        this.files = files;
        this.aead = aead;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public String place() {
        return "the file " + file;
    }

    @Override
    public boolean guessable() {
        return false;
    }

    @Override
    public List<byte[]> materials() throws IOException {
        List<byte[]> keys = new ArrayList<>();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return keys;
        }
        byte[] content = PrivateFile.read(file);
        try {
            int count = (content.length - MAGIC.length) / Aead.KEY_BYTES;
            boolean formed =
                    count >= 1
                            && count <= MOST_KEYS
                            && content.length == MAGIC.length + count * Aead.KEY_BYTES
                            && Arrays.equals(MAGIC, Arrays.copyOf(content, MAGIC.length));
            if (!formed) {
                throw new PalyraException(
                        ErrorCode.KEYS_UNAVAILABLE,
                        "The file " + file + " holds no key of a vault; restore it from a backup.");
            }
            for (int i = 0; i < count; i++) {
                int from = MAGIC.length + i * Aead.KEY_BYTES;
                keys.add(Arrays.copyOfRange(content, from, from + Aead.KEY_BYTES));
            }
            return keys;
        } finally {
            Arrays.fill(content, (byte) 0);
        }
    }

    @Override
    public byte[] make() throws IOException {
        List<byte[]> there = materials();
        if (!there.isEmpty()) {
            return there.get(0);
        }
        byte[] made = aead.randomBytes(Aead.KEY_BYTES);
        write(List.of(made));
        return made;
    }

    @Override
    public byte[] renew(byte[] inUse) throws IOException {
        byte[] made = aead.randomBytes(Aead.KEY_BYTES);
        write(List.of(inUse, made));
        return made;
    }

    @Override
    public void settle(byte[] inUse) throws IOException {
        List<byte[]> there = materials();
        boolean alone = there.size() == 1 && Arrays.equals(there.get(0), inUse);
        there.forEach(key -> Arrays.fill(key, (byte) 0));
        if (!alone) {
            write(List.of(inUse));
        }
    }

    private void write(List<byte[]> keys) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(MAGIC.length + keys.size() * Aead.KEY_BYTES);
        content.put(MAGIC);
        keys.forEach(content::put);
        Path folder = file.toAbsolutePath().getParent();
        Path temporary = folder.resolve("." + file.getFileName() + "." + UUID.randomUUID());
        try {
            files.makeFolder(folder);
            files.writeNew(temporary, content.array());
            files.rename(temporary, file);
            files.sync(folder);
        } finally {
            Arrays.fill(content.array(), (byte) 0);
            Files.deleteIfExists(temporary);
        }
    }
}

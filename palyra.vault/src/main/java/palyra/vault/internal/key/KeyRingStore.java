package palyra.vault.internal.key;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.vault.internal.crypto.Aead;

/**
 * Opens, makes and rotates the ring of keys in {@code keyring}. A crash at any step leaves a ring
 * that some material of the source opens. For one thread at a time.
 */
public final class KeyRingStore {
    private static final Logger LOG = LoggerFactory.getLogger(KeyRingStore.class);
    private static final String TEMPORARY = "keyring.tmp";

    private final Path file;
    private final MasterKeySource source;
    private final DurableFiles files;
    private final Aead aead;

    /** Creates it for a folder. */
    public KeyRingStore(Path folder, MasterKeySource source, DurableFiles files, Aead aead) {
        this.file = folder.resolve("keyring");
        this.source = source;
        this.files = files;
        this.aead = aead;
    }

    /** Returns whether there is a ring. */
    public boolean exists() {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns where the keys come from. */
    public MasterKeySource source() {
        return source;
    }

    /** Makes the ring of a new vault. */
    public KeyRing create() throws IOException {
        KeyRing ring = KeyRing.make(aead);
        byte[] material = source.make();
        try {
            write(ring, material);
            return ring;
        } finally {
            Arrays.fill(material, (byte) 0);
        }
    }

    /**
     * Opens the ring.
     *
     * @throws PalyraException KEYS_UNAVAILABLE when the source has not the key, CORRUPT when the
     *     file was changed
     */
    public KeyRing open() throws IOException {
        Opened opened = opened(source);
        try {
            source.settle(opened.material());
            return opened.ring();
        } finally {
            Arrays.fill(opened.material(), (byte) 0);
        }
    }

    /**
     * Opens the ring. If {@code before} closed it, it is closed with this chest's source from now
     * on: durable on return, and until then the ring that {@code before} opens stays in its place.
     *
     * @throws PalyraException as {@link #open}; also KEYS_UNAVAILABLE when this source has no key
     *     to close it with; then nothing was changed
     */
    public KeyRing openAfter(MasterKeySource before) throws IOException {
        if (before.name().equals(source.name()) || !read().source().equals(before.name())) {
            return open();
        }
        Opened opened = opened(before);
        Arrays.fill(opened.material(), (byte) 0);
        boolean closed = false;
        try {
            byte[] material = source.make();
            try {
                write(opened.ring(), material);
                source.settle(material);
                closed = true;
            } finally {
                Arrays.fill(material, (byte) 0);
            }
        } finally {
            if (!closed) {
                opened.ring().wipe();
            }
        }
        LOG.warn(
                "The vault's key ring is closed with the key source {} now, no longer with {}:"
                        + " remove the old key from {}, and rotate.",
                source.name(),
                before.name(),
                before.place());
        return opened.ring();
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Opened(KeyRing ring, byte[] material) {}

    private KeyRingFile read() throws IOException {
        return KeyRingFile.parse(Files.readAllBytes(file))
                .orElseThrow(() -> damaged("is no key ring"));
    }

    private Opened opened(MasterKeySource from) throws IOException {
        KeyRingFile read = read();
        List<byte[]> materials = from.materials();
        Optional<Opened> opened = Optional.empty();
        for (byte[] material : materials) {
            if (opened.isEmpty()) {
                opened = tried(read, material);
            }
        }
        byte[] used = opened.map(Opened::material).orElse(null);
        materials.forEach(
                material -> {
                    if (material != used) {
                        Arrays.fill(material, (byte) 0);
                    }
                });
        boolean none = materials.isEmpty();
        return opened.orElseThrow(() -> wrongKey(from, read, none));
    }

    private Optional<Opened> tried(KeyRingFile read, byte[] material) {
        byte[] key = read.stretch().key(material);
        try {
            if (!read.isKey(key)) {
                return Optional.empty();
            }
            KeyRing ring =
                    read.open(key, aead)
                            .orElseThrow(() -> damaged("was changed, though its key is right"));
            return Optional.of(new Opened(ring, material));
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private PalyraException wrongKey(MasterKeySource from, KeyRingFile read, boolean none) {
        String made =
                read.source().equals(from.name())
                        ? ""
                        : " The vault was closed with the key source "
                                + read.source()
                                + ", and "
                                + from.name()
                                + " is configured.";
        return new PalyraException(
                ErrorCode.KEYS_UNAVAILABLE,
                "The vault stays closed: "
                        + (none
                                ? "there is no master key in "
                                : "the wrong master key was found in ")
                        + from.place()
                        + "."
                        + made
                        + " Nothing was changed; give back the key that it was closed with.");
    }

    private PalyraException damaged(String found) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                "The vault's key ring "
                        + file
                        + " "
                        + found
                        + ". Nothing was overwritten; restore it from a backup.");
    }

    /** Adds a master key, under new material where the source has some; durable on return. */
    public KeyRing rotate() throws IOException {
        Opened opened = opened(source);
        byte[] next = source.renew(opened.material());
        try {
            KeyRing rotated = opened.ring().rotated(aead);
            write(rotated, next);
            source.settle(next);
            return rotated;
        } finally {
            Arrays.fill(opened.material(), (byte) 0);
            Arrays.fill(next, (byte) 0);
            opened.ring().wipe();
        }
    }

    /** Drops the master keys that are neither current nor named; durable on return. */
    public KeyRing retire(Set<Integer> needed) throws IOException {
        Opened opened = opened(source);
        try {
            KeyRing kept = opened.ring().with(needed);
            write(kept, opened.material());
            return kept;
        } finally {
            Arrays.fill(opened.material(), (byte) 0);
            opened.ring().wipe();
        }
    }

    private void write(KeyRing ring, byte[] material) throws IOException {
        KeyDerivation stretch =
                source.guessable() ? KeyDerivation.passphrase(aead) : KeyDerivation.random();
        byte[] key = stretch.key(material);
        Path temporary = file.resolveSibling(TEMPORARY);
        try {
            byte[] content = KeyRingFile.of(ring, source.name(), stretch, key, aead).bytes();
            files.delete(temporary);
            files.writeNew(temporary, content);
            files.rename(temporary, file);
            files.sync(file.toAbsolutePath().getParent());
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }
}

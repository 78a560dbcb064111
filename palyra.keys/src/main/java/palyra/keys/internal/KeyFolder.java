package palyra.keys.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.MediumFailure;

/**
 * Where the keys are stored: {@code boot-keys.json} and {@code published.json} in the folder {@code
 * keys} of the state, or, for the former, a credential that is only read.
 */
final class KeyFolder {
    private static final String PRIVATE_MODE = "rw-------";
    private static final String PUBLIC_MODE = "rw-r--r--";

    private final Path folder;
    private final Path keyFile;
    private final Path publishedFile;
    private final Optional<Path> credential;
    private final KeyFileSeal seal;

    KeyFolder(Path stateFolder, Optional<Path> credential, KeyFileSeal seal) {
        this.seal = seal;
        this.folder = stateFolder.resolve("keys");
        this.keyFile = folder.resolve("boot-keys.json");
        this.publishedFile = folder.resolve("published.json");
        this.credential = credential;
    }

    /** Reads the keys, making them when this is the first start, and publishes them. */
    KeyRing open(long nowMillis) {
        try {
            PrivateFiles.requireFolder(folder);
            PrivateFiles.removeLeftovers(folder);
            KeyRing ring = readOrMake(nowMillis);
            requireNoneForgotten(ring);
            publish(ring);
            return ring;
        } catch (IOException e) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The boot keys in "
                            + source()
                            + " cannot be opened: "
                            + MediumFailure.sentence(e, folder)
                            + ".",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make keys", e);
        }
    }

    private KeyRing readOrMake(long nowMillis) throws IOException, GeneralSecurityException {
        if (credential.isPresent()) {
            return parse(PrivateFiles.readCredential(credential.get()));
        }
        if (Files.exists(keyFile, LinkOption.NOFOLLOW_LINKS)) {
            return readSealed();
        }
        if (Files.exists(publishedFile, LinkOption.NOFOLLOW_LINKS)) {
            throw damaged(
                    keyFile + " is gone, but " + publishedFile + " shows that there were keys",
                    "begin with new keys by moving " + publishedFile + " away");
        }
        KeyRing made = KeyRing.generate(nowMillis);
        PrivateFiles.write(
                keyFile, seal.close(KeyRingCodec.bytes(made), Optional.empty()), PRIVATE_MODE);
        return made;
    }

    /** Rewrites a file that does not have the configured form. */
    private KeyRing readSealed() throws IOException {
        byte[] file = PrivateFiles.readPrivate(keyFile);
        byte[] content = seal.open(file);
        KeyRing ring = parse(content);
        if (!seal.isSettled(file)) {
            PrivateFiles.write(keyFile, seal.close(content, Optional.of(file)), PRIVATE_MODE);
        }
        return ring;
    }

    /** Returns whether the keys can be read only when the vault is there, and it is not. */
    boolean waitsForVault() throws IOException {
        return credential.isEmpty()
                && !seal.hasVault()
                && Files.exists(keyFile, LinkOption.NOFOLLOW_LINKS)
                && KeyFileSeal.isByVault(PrivateFiles.readPrivate(keyFile));
    }

    /**
     * Rewrites the file of an open ring when it does not have the configured form.
     *
     * @return whether it was written
     */
    boolean settle(KeyRing ring) throws IOException {
        if (credential.isPresent()) {
            return false;
        }
        byte[] file = PrivateFiles.readPrivate(keyFile);
        if (seal.isSettled(file)) {
            return false;
        }
        write(ring, file);
        return true;
    }

    private void write(KeyRing ring, byte[] before) throws IOException {
        byte[] after = seal.close(KeyRingCodec.bytes(ring), Optional.of(before));
        PrivateFiles.write(keyFile, after, PRIVATE_MODE);
    }

    private KeyRing parse(byte[] bytes) {
        return KeyRingCodec.parse(bytes)
                .orElseThrow(
                        () ->
                                damaged(
                                        "The key file " + source() + " is damaged",
                                        "begin with new keys by moving the folder "
                                                + folder
                                                + " away"));
    }

    /** An older copy of the key file would disown signatures that newer keys have made. */
    private void requireNoneForgotten(KeyRing ring) throws IOException {
        if (!Files.exists(publishedFile, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<String> known = ring.published().stream().map(key -> key.keyId()).toList();
        Optional<List<String>> published =
                KeyRingCodec.publishedIds(Files.readAllBytes(publishedFile));
        if (published.isPresent() && !known.containsAll(published.get())) {
            throw damaged(
                    "The key file "
                            + source()
                            + " is older than "
                            + publishedFile
                            + ", which names keys that it does not hold",
                    "accept that signatures by those keys no longer verify by moving "
                            + publishedFile
                            + " away");
        }
    }

    /** Makes a ring durable. READ_ONLY when it cannot be written; then the old one stays. */
    void replace(KeyRing ring) {
        if (credential.isPresent()) {
            throw new PalyraException(
                    ErrorCode.READ_ONLY,
                    "The boot keys come from the credential "
                            + credential.get()
                            + ", which the gateway cannot write, so they are not rotated here;"
                            + " rotate them where the credential is made.");
        }
        try {
            write(ring, PrivateFiles.readPrivate(keyFile));
        } catch (IOException e) {
            throw new PalyraException(
                    MediumFailure.of(e, folder).code(ErrorCode.READ_ONLY),
                    "The new key could not be written to "
                            + keyFile
                            + ": "
                            + MediumFailure.sentence(e, folder)
                            + ". The old key stays in use; rotate again after that.",
                    e);
        }
    }

    /** Brings {@code published.json} up to date. */
    void publish(KeyRing ring) throws IOException {
        byte[] content = KeyRingCodec.publishedBytes(ring.published());
        boolean same =
                Files.isRegularFile(publishedFile, LinkOption.NOFOLLOW_LINKS)
                        && Arrays.equals(Files.readAllBytes(publishedFile), content);
        if (!same) {
            PrivateFiles.write(publishedFile, content, PUBLIC_MODE);
        }
    }

    Path source() {
        return credential.orElse(keyFile);
    }

    private static PalyraException damaged(String found, String lastResort) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                found
                        + ". Nothing was overwritten: restore it from a backup, or "
                        + lastResort
                        + " (issued tokens stop working).");
    }
}

package palyra.deploy.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * Stores copies of jars, named by their digest, in a folder that is writable by the gateway only.
 * The copy is what is checked and installed. Not thread-safe.
 */
final class JarStore {
    static final String FOLDER = "deployed";
    private static final String JAR = ".jar";
    private static final String PART = "incoming.part";

    private final Path folder;

    JarStore(Path state) {
        folder = state.resolve(FOLDER);
    }

    Path folder() {
        return folder;
    }

    void create() throws IOException {
        Files.createDirectories(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    Path jar(String sha256) {
        return folder.resolve(sha256 + JAR);
    }

    /**
     * Copies a file and returns its digest; links are not followed.
     *
     * @throws UnusableFileException when it has more than {@code maxBytes}
     */
    String take(Path file, long maxBytes) throws IOException, UnusableFileException {
        create();
        Path part = folder.resolve(PART);
        String sha256;
        try (OutputStream out = Files.newOutputStream(part)) {
            sha256 = digest(file, out, maxBytes);
        }
        Files.move(part, jar(sha256), StandardCopyOption.ATOMIC_MOVE);
        return sha256;
    }

    /** Returns the digest that a file has now; links are not followed. */
    static String digest(Path file, long maxBytes) throws IOException, UnusableFileException {
        return digest(file, OutputStream.nullOutputStream(), maxBytes);
    }

    private static String digest(Path file, OutputStream copy, long maxBytes)
            throws IOException, UnusableFileException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[64 * 1024];
        long total = 0;
        try (InputStream in =
                Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                total += count;
                if (total > maxBytes) {
                    throw new UnusableFileException(
                            "It has more than " + maxBytes + " bytes.",
                            "Make it smaller, or raise maxFileBytes of palyra.deploy.");
                }
                digest.update(buffer, 0, count);
                copy.write(buffer, 0, count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Deletes all copies but these. */
    void keepOnly(Set<String> sha256s) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*" + JAR)) {
            for (Path jar : jars) {
                String name = jar.getFileName().toString();
                if (!sha256s.contains(name.substring(0, name.length() - JAR.length()))) {
                    Files.deleteIfExists(jar);
                }
            }
        } catch (NoSuchFileException e) {
            return; // no jar was stored yet
        }
        Files.deleteIfExists(folder.resolve(PART));
    }
}

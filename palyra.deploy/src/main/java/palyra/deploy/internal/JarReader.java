package palyra.deploy.internal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import palyra.shared.bundles.JarEntries;

/** Reads and validates a jar completely. */
final class JarReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");
    private static final Pattern SIGNATURE_FILE = Pattern.compile("META-INF/[^/]+\\.SF");
    private static final int MAX_MANIFEST_BYTES = 1 << 20;
    private static final int MAX_SIGNATURE_BYTES = 16 << 20;

    private final Path jar;
    private final Set<String> names = new HashSet<>();
    private final List<JarEntry> signatureFiles = new ArrayList<>();
    private final Signatures signatures = new Signatures();
    private long bytesLeft;

    private JarReader(Path jar, long maxExpandedBytes) {
        this.jar = jar;
        this.bytesLeft = maxExpandedBytes;
    }

    /**
     * Reads the copy of a jar.
     *
     * @param sha256 digest of the copy
     * @param maxExpandedBytes most bytes that its entries may have together
     * @throws UnusableFileException when it is damaged, too large, changed after signing, or not a
     *     bundle
     * @throws IOException when the system cannot open it, which may be temporary
     */
    static JarFacts read(Path jar, String sha256, long maxExpandedBytes)
            throws IOException, UnusableFileException {
        return read(
                jar,
                sha256,
                maxExpandedBytes,
                path -> new JarFile(path.toFile(), true, ZipFile.OPEN_READ));
    }

    /** As above, with a replaceable way to open a jar for tests. */
    static JarFacts read(Path jar, String sha256, long maxExpandedBytes, Opening opening)
            throws IOException, UnusableFileException {
        ZipFormat.requireWhole(jar);
        return new JarReader(jar, maxExpandedBytes).read(sha256, opening);
    }

    /** Opens a jar. */
    interface Opening {
        JarFile open(Path jar) throws IOException;
    }

    private JarFacts read(String sha256, Opening opening)
            throws IOException, UnusableFileException {
        try (JarFile file = opening.open(jar)) {
            List<JarEntry> entries = Collections.list(file.entries());
            for (JarEntry entry : entries) {
                requireUsable(entry.getName());
            }
            for (JarEntry entry : entries) {
                take(file, entry);
            }
            JarEntry manifest = file.getJarEntry(JarFile.MANIFEST_NAME);
            if (manifest == null) {
                throw noBundle("it has no manifest");
            }
            checkSignatureFiles(file, manifest);
            return facts(sha256, file.getManifest().getMainAttributes());
        } catch (SecurityException e) {
            throw new UnusableFileException(
                    "It was changed after it was signed, or its signature is damaged: "
                            + oneLine(e)
                            + ".",
                    "Do not use it; get it again from its source.");
        } catch (FileSystemException | FileNotFoundException e) {
            throw e; // a failure of the system, such as too few file descriptors, not of the jar
        } catch (IOException | IllegalArgumentException e) {
            throw new UnusableFileException(
                    "It is damaged: " + oneLine(e) + ".", "Build or copy it again.");
        }
    }

    private void take(JarFile file, JarEntry entry) throws IOException {
        bytesLeft -= JarEntries.readWhole(file, entry, bytesLeft);
        signatures.add(entry);
        if (SIGNATURE_FILE.matcher(entry.getName().toUpperCase(Locale.ROOT)).matches()) {
            signatureFiles.add(entry);
        }
    }

    /** ZIP readers differ in which of two entries with one name they use. */
    private void requireUsable(String name) throws IOException {
        boolean climbs = List.of(name.split("/", -1)).contains("..");
        if (climbs || name.startsWith("/") || name.contains("\\")) {
            throw new IOException("an entry has the name " + name);
        }
        boolean manifest = name.equalsIgnoreCase(JarFile.MANIFEST_NAME);
        if (!names.add(manifest ? JarFile.MANIFEST_NAME : name)) {
            throw new IOException("it holds " + name + " twice");
        }
        if (manifest && !name.equals(JarFile.MANIFEST_NAME)) {
            throw new IOException("its manifest has the name " + name);
        }
    }

    private void checkSignatureFiles(JarFile file, JarEntry manifest) throws IOException {
        if (signatureFiles.isEmpty()) {
            return;
        }
        byte[] bytes = bytes(file, manifest, MAX_MANIFEST_BYTES);
        for (JarEntry each : signatureFiles) {
            signatures.addSignatureFile(
                    each.getName(), bytes(file, each, MAX_SIGNATURE_BYTES), bytes);
        }
    }

    private static byte[] bytes(JarFile file, JarEntry entry, int limit) throws IOException {
        try (var in = file.getInputStream(entry)) {
            byte[] bytes = in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw new IOException(entry.getName() + " is too large");
            }
            return bytes;
        }
    }

    private JarFacts facts(String sha256, Attributes headers)
            throws IOException, UnusableFileException {
        String name = headers.getValue(Constants.BUNDLE_SYMBOLICNAME);
        if (name == null || !"2".equals(headers.getValue(Constants.BUNDLE_MANIFESTVERSION))) {
            throw noBundle("its manifest has no symbolic name");
        }
        String plain = name.split(";", 2)[0].strip();
        if (!NAME.matcher(plain).matches()) {
            throw noBundle("its symbolic name is '" + plain + "'");
        }
        try {
            return new JarFacts(
                    jar,
                    sha256,
                    Files.size(jar),
                    headers,
                    plain,
                    Version.parseVersion(headers.getValue(Constants.BUNDLE_VERSION)),
                    signatures.signers(),
                    signatures.lack());
        } catch (IllegalArgumentException e) {
            throw noBundle("its version cannot be read");
        }
    }

    private static UnusableFileException noBundle(String found) {
        return new UnusableFileException(
                "It is not an OSGi bundle: " + found + ".", "Build it as a bundle, with bnd.");
    }

    private static String oneLine(Exception e) {
        String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        return text.lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", "?");
    }
}

package palyra.shell.internal.swap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.Version;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.bundles.JarEntries;

/**
 * A jar that may take the place of a bundle: readable to its last byte, of the same name, without
 * native code.
 */
record Candidate(Manifest manifest, String symbolicName, Version version) {
    private static final long MAX_BYTES = 512L << 20;

    /** Copies at most 512 MiB; the copy is checked and installed. */
    static void copy(InputStream in, Path to) throws IOException {
        try (OutputStream out = Files.newOutputStream(to)) {
            byte[] buffer = new byte[64 * 1024];
            long total = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                total += count;
                if (total > MAX_BYTES) {
                    throw wrong("The jar is larger than 512 MiB.");
                }
                out.write(buffer, 0, count);
            }
        }
    }

    /** Reads a jar whole, so that damage shows before anything is stopped. */
    static Candidate read(Path jar) {
        try (JarFile file = new JarFile(jar.toFile(), true)) {
            for (Enumeration<JarEntry> entries = file.entries(); entries.hasMoreElements(); ) {
                JarEntries.readWhole(file, entries.nextElement(), Long.MAX_VALUE);
            }
            Manifest manifest = file.getManifest();
            if (manifest == null) {
                throw wrong("The jar has no manifest, so it is no bundle.");
            }
            return of(manifest);
        } catch (IOException | SecurityException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The jar is damaged or no jar: " + e.getMessage() + ".",
                    e);
        }
    }

    private static Candidate of(Manifest manifest) {
        Attributes main = manifest.getMainAttributes();
        String name = main.getValue(Constants.BUNDLE_SYMBOLICNAME);
        if (name == null || !"2".equals(main.getValue(Constants.BUNDLE_MANIFESTVERSION))) {
            throw wrong("The jar is no OSGi bundle: its manifest has no symbolic name.");
        }
        try {
            return new Candidate(
                    manifest,
                    name.split(";", 2)[0].trim(),
                    Version.parseVersion(main.getValue(Constants.BUNDLE_VERSION)));
        } catch (IllegalArgumentException e) {
            throw wrong("The jar's version cannot be read: " + e.getMessage() + ".");
        }
    }

    /** Returns whether there may be only one bundle of its name. */
    boolean singleton() {
        String name = manifest.getMainAttributes().getValue(Constants.BUNDLE_SYMBOLICNAME);
        return name.replaceAll("[\\s\"]", "").contains(";singleton:=true");
    }

    /** Refuses what cannot take the place of {@code target} while it runs. */
    void requireFits(Bundle target) {
        if (!symbolicName.equals(target.getSymbolicName())) {
            throw wrong(
                    "The jar holds "
                            + symbolicName
                            + ", not "
                            + target.getSymbolicName()
                            + "; a swap replaces a bundle by another of its name.");
        }
        if (target.getBundleId() == 0) {
            throw wrong("The framework itself cannot be swapped; install it and restart.");
        }
        boolean natives =
                target.getHeaders().get(Constants.BUNDLE_NATIVECODE) != null
                        || manifest.getMainAttributes().getValue(Constants.BUNDLE_NATIVECODE)
                                != null
                        || symbolicName.startsWith("palyra.lib.");
        if (natives) {
            throw wrong(
                    symbolicName
                            + " holds native code, which is never unloaded; replace its jar and"
                            + " restart.");
        }
        if (target.getHeaders().get(Constants.FRAGMENT_HOST) != null) {
            throw wrong(symbolicName + " is a fragment; replace its jar and restart.");
        }
    }

    private static PalyraException wrong(String sentence) {
        return new PalyraException(ErrorCode.INVALID_ARGUMENT, sentence);
    }
}

package palyra.shell.internal.swap;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.osgi.framework.Bundle;

/**
 * Packs what a bundle consists of now into a jar: the way back. It is read through the framework,
 * since the file it was installed from may have been replaced or an earlier swap may have changed
 * it. The same content gives the same bytes.
 */
final class BundleCopy {
    private static final String MANIFEST = "META-INF/MANIFEST.MF";
    private static final long FIXED_TIME = 315_619_200_000L; // 1980-01-02, the first zip can say

    private BundleCopy() {}

    static void write(Bundle bundle, Path to) throws IOException {
        SortedSet<String> entries = new TreeSet<>();
        collect(bundle, "/", entries);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            if (entries.remove(MANIFEST)) {
                add(bundle, MANIFEST, zip);
            }
            for (String entry : entries) {
                add(bundle, entry, zip);
            }
        }
    }

    private static void collect(Bundle bundle, String folder, SortedSet<String> entries) {
        Enumeration<String> paths = bundle.getEntryPaths(folder);
        if (paths == null) {
            return;
        }
        for (String path : Collections.list(paths)) {
            if (path.endsWith("/")) {
                collect(bundle, path, entries);
            } else {
                entries.add(path);
            }
        }
    }

    private static void add(Bundle bundle, String entry, ZipOutputStream zip) throws IOException {
        URL url = bundle.getEntry(entry);
        if (url == null) {
            throw new IOException("the entry " + entry + " of " + bundle + " is gone");
        }
        ZipEntry header = new ZipEntry(entry);
        header.setTime(FIXED_TIME);
        zip.putNextEntry(header);
        try (InputStream in = url.openStream()) {
            in.transferTo(zip);
        }
        zip.closeEntry();
    }
}

package palyra.skills.engine.wasmtime.internal;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.Bundle;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;

/** The files of the worker's program in this bundle. */
final class BundleFiles implements WorkerFiles.Content {
    private static final String OWN = "/palyra/skills/engine/wasmtime/internal/";

    private final Bundle bundle;

    BundleFiles(Bundle bundle) {
        this.bundle = bundle;
    }

    @Override
    public Map<String, byte[]> classes() throws IOException {
        Map<String, byte[]> classes = new HashMap<>();
        for (String folder : List.of("protocol", "worker")) {
            for (String path : paths(OWN + folder, ".class")) {
                try (InputStream in = open(path)) {
                    classes.put(path, in.readAllBytes());
                }
            }
        }
        return classes;
    }

    @Override
    public List<InputStream> jars() throws IOException {
        List<InputStream> jars = new ArrayList<>();
        for (String path : paths("/worker", ".jar")) {
            jars.add(open(path));
        }
        return jars;
    }

    /** Entries are looked at without resolving the bundle, as {@code getEntry} promises. */
    private List<String> paths(String folder, String suffix) throws IOException {
        Enumeration<String> entries = bundle.getEntryPaths(folder);
        if (entries == null) {
            throw new IOException("this bundle holds nothing in " + folder);
        }
        return Collections.list(entries).stream().filter(path -> path.endsWith(suffix)).toList();
    }

    private InputStream open(String path) throws IOException {
        URL entry = bundle.getEntry(path);
        if (entry == null) {
            throw new IOException("this bundle holds no " + path);
        }
        return entry.openStream();
    }
}

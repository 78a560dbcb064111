package palyra.shell.internal.swap;

import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.osgi.framework.Bundle;

/** Loads every class that the worker may still need when its own bundle is gone. */
final class Preloading {
    private static final String FOLDER = "/palyra/shell/internal/swap";

    private Preloading() {}

    static void all(Bundle own) {
        Enumeration<URL> classes = own.findEntries(FOLDER, "*.class", true);
        if (classes == null) {
            return;
        }
        for (URL entry : Collections.list(classes)) {
            String path = entry.getPath();
            String name =
                    path.substring(path.indexOf(FOLDER) + 1, path.length() - ".class".length())
                            .replace('/', '.');
            if (!name.endsWith("package-info")) {
                load(name);
            }
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name, true, Preloading.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the bundle lists a class that it lacks: " + name, e);
        }
    }
}

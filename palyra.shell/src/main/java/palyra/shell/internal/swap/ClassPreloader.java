package palyra.shell.internal.swap;

import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.osgi.framework.Bundle;

/** Loads every class that the worker may still need when its own bundle is gone. */
final class ClassPreloader {
    private static final List<String> FOLDERS =
            List.of("/palyra/shell/internal/swap", "/palyra/shared/bundles");

    private ClassPreloader() {}

    static void all(Bundle own) {
        FOLDERS.forEach(folder -> all(own, folder));
    }

    private static void all(Bundle own, String folder) {
        Enumeration<URL> classes = own.findEntries(folder, "*.class", true);
        if (classes == null) {
            return;
        }
        for (URL entry : Collections.list(classes)) {
            String path = entry.getPath();
            String name =
                    path.substring(path.indexOf(folder) + 1, path.length() - ".class".length())
                            .replace('/', '.');
            if (!name.endsWith("package-info")) {
                load(name);
            }
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name, true, ClassPreloader.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the bundle lists a class that it lacks: " + name, e);
        }
    }
}

package palyra.shared.bundles;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Looks into a bundle and leaves it as it is. {@code Bundle.findEntries} and {@code getResource}
 * have the framework resolve a bundle that is just being updated, on the caller's thread; the event
 * of that crosses the start of the bundle on the thread that updates it, and bundle trackers (such
 * as the component runtime) may then miss the start for good (OSGi Core 8, 4.4.17 and 701.4). Here
 * it stays as it is. Thread-safe.
 */
public final class BundleEntries {
    private BundleEntries() {}

    /**
     * Returns the entries of a folder of a bundle, with those of its fragments when it is resolved.
     *
     * @param pattern name, with {@code *} for any characters
     */
    public static List<URL> find(Bundle bundle, String folder, String pattern) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        return wiring == null ? own(bundle, folder, pattern) : find(wiring, folder, pattern);
    }

    /** Reads entries of an unresolved bundle without resolving it. */
    private static List<URL> own(Bundle bundle, String folder, String pattern) {
        Enumeration<String> paths = bundle.getEntryPaths(folder);
        if (paths == null) {
            return List.of();
        }
        Pattern name =
                Pattern.compile(
                        Arrays.stream(pattern.split("\\*", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*")));
        return Collections.list(paths).stream()
                .filter(path -> name.matcher(path.substring(path.lastIndexOf('/') + 1)).matches())
                .map(bundle::getEntry)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns one entry; empty when it does not exist. */
    public static Optional<URL> get(Bundle bundle, String path) {
        int slash = path.lastIndexOf('/');
        return find(bundle, slash <= 0 ? "/" : path.substring(0, slash), path.substring(slash + 1))
                .stream()
                .findFirst();
    }

    private static List<URL> find(BundleWiring wiring, String folder, String pattern) {
        List<URL> found = wiring.findEntries(folder, pattern, 0);
        return found == null ? List.of() : found; // null: its content was replaced meanwhile
    }

    /**
     * Returns the bundle as it is wired now, for others to look into: entries and resources come
     * from that wiring, everything else from the bundle itself. Empty when it is not resolved.
     */
    public static Optional<Bundle> view(Bundle bundle) {
        BundleWiring wiring = bundle.adapt(BundleWiring.class);
        if (wiring == null || !wiring.isCurrent()) {
            return Optional.empty();
        }
        Object view =
                Proxy.newProxyInstance(
                        BundleEntries.class.getClassLoader(),
                        new Class<?>[] {Bundle.class},
                        (proxy, method, arguments) -> {
                            switch (method.getName()) {
                                case "findEntries" -> {
                                    return entries(
                                            wiring,
                                            (String) arguments[0],
                                            (String) arguments[1],
                                            (Boolean) arguments[2]);
                                }
                                case "getResource", "getEntry" -> {
                                    return get(bundle, (String) arguments[0]).orElse(null);
                                }
                                default -> {
                                    try {
                                        return method.invoke(bundle, arguments);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                }
                            }
                        });
        return Optional.of((Bundle) view);
    }

    private static Enumeration<URL> entries(
            BundleWiring wiring, String folder, String pattern, boolean recurse) {
        List<URL> found =
                wiring.findEntries(folder, pattern, recurse ? BundleWiring.FINDENTRIES_RECURSE : 0);
        return found == null || found.isEmpty() ? null : Collections.enumeration(found);
    }
}

package palyra.itests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The class loaders of bundles that a process holds, counted by bundle. A loader says nothing of
 * its bundle to {@code jcmd VM.classloaders}, so that the classes in it tell: it is of the jar that
 * has most of them, as classes that were compiled into several bundles stand in several jars. A
 * loader without a class is not listed there, and holds nothing.
 */
final class BundleLoaders {
    private static final String TYPE =
            "org.apache.felix.framework.BundleWiringImpl$BundleClassLoader";
    private static final Pattern LOADER = Pattern.compile("[ |]*\\+-- (\\S+).*");
    private static final Pattern CLASS = Pattern.compile("[ |]*(?:Classes: )?([\\w.$]+)");

    private final Map<String, List<String>> jarsByClass = new HashMap<>();

    /**
     * Knows the loaders of these bundles and of what is rebuilt from them; no others are counted.
     */
    BundleLoaders(List<Path> bundles) {
        for (Path bundle : bundles) {
            try (JarFile jar = new JarFile(bundle.toFile())) {
                String name = bundle.getFileName().toString();
                jar.stream().map(JarEntry::getName).forEach(entry -> add(name, entry));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void add(String jar, String entry) {
        if (entry.endsWith(".class")) {
            String type = entry.substring(0, entry.length() - ".class".length());
            jarsByClass.computeIfAbsent(type.replace('/', '.'), t -> new ArrayList<>()).add(jar);
        }
    }

    /** Counts what {@code jcmd VM.classloaders show-classes} said, by the jars' file names. */
    Map<String, Integer> count(String classLoaders) {
        Map<String, Integer> loaders = new TreeMap<>();
        Map<String, Integer> votes = new HashMap<>();
        boolean inBundle = false;
        for (String line : classLoaders.lines().toList()) {
            Matcher loader = LOADER.matcher(line);
            if (loader.matches()) {
                elect(votes, loaders);
                inBundle = loader.group(1).equals(TYPE);
            } else if (inBundle) {
                Matcher type = CLASS.matcher(line);
                if (type.matches()) {
                    jarsByClass
                            .getOrDefault(type.group(1), List.of())
                            .forEach(jar -> votes.merge(jar, 1, Integer::sum));
                }
            }
        }
        elect(votes, loaders);
        return loaders;
    }

    private static void elect(Map<String, Integer> votes, Map<String, Integer> loaders) {
        votes.entrySet().stream()
                .max(
                        Map.Entry.<String, Integer>comparingByValue()
                                .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .ifPresent(jar -> loaders.merge(jar.getKey(), 1, Integer::sum));
        votes.clear();
    }
}

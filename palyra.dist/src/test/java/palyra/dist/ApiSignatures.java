package palyra.dist;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The public signatures of the exported packages, one line each, and the rule that a package whose
 * lines change changes its version too: a line gone or altered asks for the next major version (the
 * next minor below 1.0), lines only added for the next minor.
 */
final class ApiSignatures {
    private static final Pattern EXPORT =
            Pattern.compile("([\\w.]+)((?:;[\\w-]+:?=(?:\"[^\"]*\"|[^;,\"]*))*)(?:,|$)");
    private static final Pattern VERSION = Pattern.compile(";version=\"?([0-9.]+)");

    /** An exported package: its version and the sorted lines of its signature. */
    record Exported(String version, TreeSet<String> lines) {}

    private ApiSignatures() {}

    /** Arguments: the signature file to write, then the bundles to read. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        List<Path> jars = Arrays.stream(arguments).skip(1).map(Path::of).toList();
        Map<String, Exported> now = read(jars);
        Map<String, Exported> before =
                Files.exists(file) ? parse(Files.readAllLines(file)) : Map.of();
        List<String> breaches = breaches(before, now);
        if (!breaches.isEmpty()) {
            breaches.forEach(System.err::println);
            System.err.println("nothing was written: set the version in package-info.java first");
            System.exit(1);
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, format(now));
        System.out.println("wrote " + file + ": " + now.size() + " packages");
    }

    /** Packages whose signature changed without the version that this asks for, a sentence each. */
    static List<String> breaches(Map<String, Exported> before, Map<String, Exported> now) {
        List<String> sentences = new ArrayList<>();
        before.forEach(
                (name, old) -> {
                    Exported current = now.get(name);
                    if (current != null && !old.lines().equals(current.lines())) {
                        check(name, old, current, sentences);
                    }
                });
        return sentences;
    }

    private static void check(String name, Exported old, Exported current, List<String> sentences) {
        int[] from = numbers(old.version());
        int[] to = numbers(current.version());
        TreeSet<String> gone = new TreeSet<>(old.lines());
        gone.removeAll(current.lines());
        boolean major = to[0] > from[0];
        boolean minor = to[0] == from[0] && to[1] > from[1];
        boolean majorWanted = !gone.isEmpty() && from[0] > 0;
        if (!major && (majorWanted || !minor)) {
            TreeSet<String> differing = gone.isEmpty() ? new TreeSet<>(current.lines()) : gone;
            if (gone.isEmpty()) {
                differing.removeAll(old.lines());
            }
            sentences.add(
                    "signature of "
                            + name
                            + " changed and its version "
                            + current.version()
                            + " does not say so: bump the package version ("
                            + (majorWanted ? "major" : "minor")
                            + " after "
                            + old.version()
                            + ") and run scripts/update-api-signatures.sh; first difference: "
                            + differing.first());
        }
    }

    private static int[] numbers(String version) {
        int[] numbers = new int[3];
        String[] words = version.split("\\.", -1);
        for (int i = 0; i < Math.min(words.length, numbers.length); i++) {
            numbers[i] = Integer.parseInt(words[i]);
        }
        return numbers;
    }

    static List<String> format(Map<String, Exported> packages) {
        List<String> text = new ArrayList<>();
        packages.forEach(
                (name, exported) -> {
                    text.add("package " + name + " " + exported.version());
                    exported.lines().forEach(line -> text.add("  " + line));
                });
        return text;
    }

    static Map<String, Exported> parse(List<String> text) {
        Map<String, Exported> packages = new TreeMap<>();
        Exported current = null;
        for (String line : text) {
            if (line.startsWith("package ")) {
                String[] words = line.split(" ", -1);
                current = new Exported(words[2], new TreeSet<>());
                packages.put(words[1], current);
            } else if (current != null && !line.isBlank()) {
                current.lines().add(line.strip());
            }
        }
        return packages;
    }

    static Map<String, Exported> read(List<Path> jars) throws IOException {
        Map<String, Exported> packages = new TreeMap<>();
        URL[] urls = jars.stream().map(ApiSignatures::url).toArray(URL[]::new);
        try (URLClassLoader loader =
                new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            for (Path jar : jars) {
                readJar(jar, loader, packages);
            }
        }
        return packages;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(jar + " has no URL", e);
        }
    }

    private static void readJar(Path path, ClassLoader loader, Map<String, Exported> packages)
            throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            Map<String, String> exports =
                    exports(jar.getManifest().getMainAttributes().getValue("Export-Package"));
            exports.forEach(
                    (name, version) -> packages.put(name, new Exported(version, new TreeSet<>())));
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                    .filter(
                            name ->
                                    exports.containsKey(
                                            name.substring(0, Math.max(0, name.lastIndexOf('.')))))
                    .forEach(name -> describe(load(name, loader), packages));
        }
    }

    static Map<String, String> exports(String header) {
        Map<String, String> exports = new LinkedHashMap<>();
        Matcher matcher = EXPORT.matcher(header == null ? "" : header);
        while (matcher.find()) {
            Matcher version = VERSION.matcher(matcher.group(2));
            exports.put(matcher.group(1), version.find() ? version.group(1) : "0.0.0");
        }
        return exports;
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " is in the jar and cannot be loaded", e);
        }
    }

    private static void describe(Class<?> type, Map<String, Exported> packages) {
        if (!visible(type)) {
            return;
        }
        TreeSet<String> lines = packages.get(type.getPackageName()).lines();
        lines.add(line(type, declaration(type)));
        for (Constructor<?> one : type.getDeclaredConstructors()) {
            add(lines, type, one);
        }
        for (Method one : type.getDeclaredMethods()) {
            add(lines, type, one);
        }
        for (Field one : type.getDeclaredFields()) {
            if (isOpen(one.getModifiers()) && !one.isSynthetic()) {
                lines.add(line(type, one.toGenericString()));
            }
        }
    }

    private static void add(TreeSet<String> lines, Class<?> type, Executable one) {
        if (isOpen(one.getModifiers()) && !one.isSynthetic()) {
            lines.add(line(type, one.toGenericString()));
        }
    }

    /**
     * The package's own prefix and the JDK's commonest are left out: the list is read by people.
     */
    private static String line(Class<?> type, String signature) {
        String own = Pattern.quote(type.getPackageName() + ".");
        String name = type.getName().substring(type.getPackageName().length() + 1);
        return name
                + ": "
                + signature.replaceAll(
                        "\\b(?:" + own + "|java\\.lang\\.|java\\.util\\.)(?=[A-Z])", "");
    }

    private static boolean visible(Class<?> type) {
        return isOpen(type.getModifiers())
                && !type.isAnonymousClass()
                && !type.isSynthetic()
                && (type.getDeclaringClass() == null || visible(type.getDeclaringClass()));
    }

    private static boolean isOpen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String declaration(Class<?> type) {
        StringBuilder text = new StringBuilder(type.toGenericString());
        if (type.isRecord()) {
            text.append(
                    Arrays.stream(type.getRecordComponents())
                            .map(RecordComponent::toString)
                            .collect(Collectors.joining(", ", "(", ")")));
        }
        if (type.getGenericSuperclass() != null) {
            text.append(" extends ").append(type.getGenericSuperclass().getTypeName());
        }
        if (type.getGenericInterfaces().length > 0) {
            text.append(
                    Arrays.stream(type.getGenericInterfaces())
                            .map(each -> each.getTypeName())
                            .collect(Collectors.joining(", ", " implements ", "")));
        }
        if (type.isSealed()) {
            text.append(
                    Arrays.stream(type.getPermittedSubclasses())
                            .map(Class::getName)
                            .sorted()
                            .collect(Collectors.joining(", ", " permits ", "")));
        }
        return text.toString();
    }
}

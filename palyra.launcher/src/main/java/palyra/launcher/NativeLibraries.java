package palyra.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The native libraries of the installation, {@code lib/native/<system>/}. A start loads them from
 * there and unpacks nothing. A library that is missing there, or differs from the one in its
 * bundle, is unpacked into the state folder.
 */
final class NativeLibraries {
    private static final String X86 = "x86_64";

    /**
     * A native library.
     *
     * @param jar prefix of the bundle's file name
     * @param number of the bundle's folder
     * @param entry path in the bundle; {@code %s} is the processor
     * @param x86 the bundle's name of x86_64
     * @param property system property with its path
     * @param byFile whether the property names the file, or its folder
     */
    private record Kind(
            String jar, String folder, String entry, String x86, String property, boolean byFile) {
        String entry(String processor) {
            return String.format(entry, processor.equals(X86) ? x86 : processor);
        }
    }

    private static final List<Kind> KINDS =
            List.of(
                    new Kind(
                            "sqlite-jdbc-",
                            "3",
                            "org/sqlite/native/Linux/%s/libsqlitejdbc.so",
                            X86,
                            "org.sqlite.lib.path",
                            false),
                    new Kind(
                            "jna-",
                            "3",
                            "com/sun/jna/linux-%s/libjnidispatch.so",
                            "x86-64",
                            "jna.boot.library.path",
                            false),
                    new Kind(
                            "palyra.lib.cedar-",
                            "5",
                            "native/linux/%s/libcedar_java_ffi.so",
                            X86,
                            "palyra.lib.cedar.library",
                            true));

    private final Map<String, String> properties;
    private final List<String> problems;

    private NativeLibraries(Map<String, String> properties, List<String> problems) {
        this.properties = Map.copyOf(properties);
        this.problems = List.copyOf(problems);
    }

    /** Finds the libraries of this system. */
    static NativeLibraries of(Path home) {
        return of(home, System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static NativeLibraries of(Path home, String system, String processor) {
        Map<String, String> properties = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        String name = processor.equals("amd64") ? X86 : processor;
        if (system.equals("Linux") && (name.equals(X86) || name.equals("aarch64"))) {
            for (Kind kind : KINDS) {
                look(home, name, kind, properties, problems);
            }
        }
        return new NativeLibraries(properties, problems);
    }

    private static void look(
            Path home,
            String processor,
            Kind kind,
            Map<String, String> properties,
            List<String> problems) {
        String entry = kind.entry(processor);
        Path folder = home.resolve("lib").resolve("native").resolve("linux-" + processor);
        Path file = folder.resolve(entry.substring(entry.lastIndexOf('/') + 1));
        try {
            long expected = sizeInBundle(home, kind, entry);
            if (expected < 0) {
                return; // an installation without this bundle needs no library of it
            }
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(file) == expected) {
                properties.put(kind.property(), (kind.byFile() ? file : folder).toString());
            } else {
                problems.add(problem(file, expected));
            }
        } catch (IOException e) {
            problems.add(file + " cannot be compared with its bundle: " + Problems.sentence(e));
        }
    }

    private static String problem(Path file, long expected) {
        return file
                + " is not the library of its bundle ("
                + expected
                + " bytes); each start unpacks it now and needs space for that: install Palyra"
                + " again";
    }

    /** Returns -1 where the bundle, or the library in it, is missing. */
    private static long sizeInBundle(Path home, Kind kind, String entry) throws IOException {
        Path folder = home.resolve("bundles").resolve(kind.folder());
        if (!Files.isDirectory(folder)) {
            return -1;
        }
        try (DirectoryStream<Path> jars =
                Files.newDirectoryStream(folder, kind.jar() + "[0-9]*.jar")) {
            for (Path jar : jars) {
                try (ZipFile zip = new ZipFile(jar.toFile())) {
                    ZipEntry found = zip.getEntry(entry);
                    return found == null ? -1 : found.getSize();
                }
            }
        }
        return -1;
    }

    /** Returns the system properties with their paths, without those that the operator has set. */
    Map<String, String> properties() {
        return properties;
    }

    /** Returns one sentence for each missing or different library. */
    List<String> problems() {
        return problems;
    }
}

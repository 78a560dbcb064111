package palyra.policy.internal.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import palyra.lib.cedar.Cedar;

/**
 * {@code palyra policy conformance FOLDER|TAR}, without a framework: the bundles stand on the class
 * path. Their classes are loaded once more by a loader that finds the native library inside its
 * bundle, as a framework would.
 */
public final class ConformanceMain {
    private static final String USAGE =
            "palyra: policy conformance takes one folder, .tar or .tar.gz with tests in the format"
                    + " of Cedar's integration tests";

    private static final String HELP =
            """
            palyra policy conformance FOLDER|TAR
              Runs tests in the format of Cedar's integration tests through the compiled evaluator
              and the native engine, without a gateway. TAR may be gzipped and is not unpacked;
              archives in FOLDER count as well.
              Prints each failing case with file, request, expected and found, then
              "N passed, N failed", which counts requests. Exit codes: 0 all passed, 1 some failed,
              2 nothing usable was named.""";

    private ConformanceMain() {}

    /** Takes the folder or archive. */
    public static void main(String[] args) throws Exception {
        int exit;
        try (Bundles bundles = new Bundles()) {
            Class<?> again = bundles.loadClass(ConformanceMain.class.getName());
            exit = (int) again.getMethod("run", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            System.err.println("palyra: the run ended with a defect of Palyra: " + e.getCause());
            exit = Conformance.UNUSABLE;
        }
        System.exit(exit);
    }

    /** Called in the other loader. */
    public static int run(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        try {
            return run(args, out, err);
        } finally {
            out.flush();
        }
    }

    private static int run(String[] args, PrintStream out, PrintStream err) {
        if (args.length == 1 && args[0].matches("-h|--help")) {
            out.println(HELP);
            return Conformance.PASSED;
        }
        if (args.length != 1 || args[0].isBlank() || args[0].startsWith("-")) {
            err.println(USAGE);
            return Conformance.UNUSABLE;
        }
        Path place;
        try {
            place = Path.of(args[0]);
        } catch (InvalidPathException e) {
            err.println("palyra: '" + args[0] + "' is no path");
            return Conformance.UNUSABLE;
        }
        Cedar cedar =
                ServiceLoader.load(Cedar.class, ConformanceMain.class.getClassLoader())
                        .findFirst()
                        .orElseThrow();
        return new Conformance(cedar, out, err).run(place);
    }

    /** The class path, with native libraries where bundles have them. */
    private static final class Bundles extends URLClassLoader {
        private final List<Path> unpacked = new ArrayList<>();

        Bundles() {
            super(classPath(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] classPath() {
            List<URL> urls = new ArrayList<>();
            for (String entry :
                    System.getProperty("java.class.path")
                            .split(System.getProperty("path.separator"))) {
                try {
                    urls.add(Path.of(entry).toUri().toURL());
                } catch (MalformedURLException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return urls.toArray(URL[]::new);
        }

        @Override
        protected String findLibrary(String name) {
            String inside =
                    "native/" + system() + "/" + machine() + "/" + System.mapLibraryName(name);
            try (InputStream in = getResourceAsStream(inside)) {
                if (in == null) {
                    return null;
                }
                Path file = Files.createTempFile("palyra-", "-" + System.mapLibraryName(name));
                unpacked.add(file);
                Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                return file.toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static String system() {
            String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
            if (name.startsWith("mac")) {
                return "macos";
            }
            return name.startsWith("windows") ? "windows" : "linux";
        }

        private static String machine() {
            String name = System.getProperty("os.arch");
            return name.equals("amd64") ? "x86_64" : name;
        }

        @Override
        public void close() throws IOException {
            super.close();
            for (Path file : unpacked) {
                Files.deleteIfExists(file);
            }
        }
    }
}

package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FolderTest {
    private static final Pattern RUN_BUNDLE =
            Pattern.compile("([\\w.-]+);version='\\[([\\w.]+),([\\w.]+)\\)'");

    private static Properties run() throws IOException {
        Properties run = new Properties();
        try (var in = Files.newBufferedReader(Product.root().resolve("run.bndrun"))) {
            run.load(in);
        }
        return run;
    }

    /** -runbundles by symbolic name, with the lowest version of each range. */
    private static Map<String, String> resolved() throws IOException {
        Map<String, String> bundles = new TreeMap<>();
        Matcher matcher = RUN_BUNDLE.matcher(run().getProperty("-runbundles"));
        while (matcher.find()) {
            bundles.put(matcher.group(1), matcher.group(2));
        }
        return bundles;
    }

    private static String threeNumbers(String version) {
        Matcher matcher = Pattern.compile("\\d+(\\.\\d+){0,2}").matcher(version);
        assertTrue(matcher.lookingAt(), version);
        return matcher.group();
    }

    @Test
    void holdsExactlyTheBundlesThatWereResolved() throws Exception {
        Map<String, String> shipped = new TreeMap<>();
        for (Path jar : Product.bundles()) {
            String twin =
                    shipped.put(
                            Product.header(jar, "Bundle-SymbolicName"),
                            threeNumbers(Product.header(jar, "Bundle-Version")));
            assertEquals(null, twin, "shipped twice: " + jar);
        }
        assertEquals(resolved(), shipped);
    }

    @Test
    void runBundlesAreSorted() throws Exception {
        Matcher matcher = RUN_BUNDLE.matcher(run().getProperty("-runbundles"));
        String last = "";
        while (matcher.find()) {
            assertTrue(last.compareTo(matcher.group(1)) < 0, last + " before " + matcher.group(1));
            last = matcher.group(1);
        }
        assertFalse(last.isEmpty());
    }

    @Test
    void neverTellsTheRunningFrameworkOfForeignSystems() throws Exception {
        Properties run = run();
        assertFalse(run.containsKey("-runsystemcapabilities"));
        assertTrue(run.getProperty("-runprovidedcapabilities").contains("MacOSX"));
    }

    /** The launcher's jar names the logging libraries; without them no bundle resolves. */
    @Test
    void everythingThatTheLauncherNamesLiesBesideIt() throws Exception {
        Path lib = Product.folder().resolve("lib");
        Path launcher = lib.resolve("palyra.launcher.jar");
        for (String name : Product.header(launcher, "Class-Path").split(" ")) {
            assertTrue(Files.isRegularFile(lib.resolve(name)), name);
        }
        assertEquals(
                "slf4j.api", Product.header(lib.resolve("slf4j-api.jar"), "Bundle-SymbolicName"));
    }

    @Test
    void folder5HoldsOurBundlesAndNothingElseDoes() throws Exception {
        for (Path jar : Product.bundles()) {
            boolean ours = Product.header(jar, "Bundle-SymbolicName").startsWith("palyra.");
            String folder = jar.getParent().getFileName().toString();
            assertEquals(ours, folder.equals("5"), jar.toString());
        }
    }

    @Test
    void theGrpcInterfaceShips() throws Exception {
        Path sources = Product.root().resolve("palyra.transport.grpc/src/main/proto");
        for (String name : Set.of("common/v1/common", "gateway/v1/gateway")) {
            String file = "palyra/" + name + ".proto";
            assertEquals(
                    Files.readString(sources.resolve(file)),
                    Files.readString(Product.folder().resolve("proto").resolve(file)));
        }
    }

    @Test
    void onlyWhatSomebodyRunsIsExecutable() throws Exception {
        Set<String> executable = new TreeSet<>();
        try (var files = Files.walk(Product.folder())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                boolean library = file.startsWith(Product.folder().resolve("lib/native"));
                if (Files.isExecutable(file) && !library) {
                    executable.add(Product.folder().relativize(file).toString());
                }
            }
        }
        assertEquals(
                Set.of(
                        "palyra",
                        "bin/palyra",
                        "scripts/demo-approvals.sh",
                        "templates/common/mvnw"),
                executable);
    }

    /** Projects of bnd workspaces name what Maven projects get through the contract suites' pom. */
    @ParameterizedTest
    @CsvSource({
        "org.osgi.service.component.annotations, osgi.component.annotations.version",
        "org.osgi.service.metatype.annotations, osgi.metatype.annotations.version",
        "osgi.annotation, osgi.annotation.version",
        "json-schema-validator, json.schema.version",
        "slf4j-api, slf4j.version",
        "junit-platform-console-standalone, junit.platform.version",
    })
    void bndWorkspacesGetTheVersionsOfThisBuild(String artifact, String property) throws Exception {
        String pom = Files.readString(Product.root().resolve("pom.xml"));
        Matcher version = Pattern.compile("<" + Pattern.quote(property) + ">([^<]+)<").matcher(pom);
        assertTrue(version.find(), property);
        Path shipped = Product.folder().resolve("templates/bnd/palyra.mvn");
        assertTrue(
                Files.readString(shipped).contains(":" + artifact + ":" + version.group(1) + "\n"),
                artifact + " " + version.group(1) + " is not in " + shipped);
    }

    /** The bnd that palyra dev fetches for bnd workspaces. */
    @Test
    void oneVersionOfBndBuildsAllProjects() throws Exception {
        String pom = Files.readString(Product.root().resolve("pom.xml"));
        Matcher version = Pattern.compile("<bnd.version>([^<]+)<").matcher(pom);
        assertTrue(version.find());
        String script = Files.readString(Product.folder().resolve("bin/dev.sh"));
        assertTrue(script.contains("DEV_BND_VERSION=" + version.group(1) + "\n"), version.group(1));
        String template = Files.readString(Product.folder().resolve("templates/common/pom.xml"));
        assertTrue(template.contains("<version>" + version.group(1) + "</version>"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"palyra.api", "palyra.api.core", "palyra.testing", "palyra.testing.discord"})
    void sourcesAndJavadocLieBesideWhatIntegratorsBuildWith(String artifact) throws Exception {
        String version = Product.version();
        Path folder =
                Product.folder().resolve("maven/dev/palyra").resolve(artifact).resolve(version);
        String name = artifact + "-" + version;
        try (ZipFile sources = new ZipFile(folder.resolve(name + "-sources.jar").toFile());
                ZipFile javadoc = new ZipFile(folder.resolve(name + "-javadoc.jar").toFile())) {
            String tool =
                    switch (artifact) {
                        case "palyra.api" -> "palyra/api/tool/Tool";
                        case "palyra.api.core" -> "palyra/api/core/tools/ToolExecutor";
                        case "palyra.testing.discord" -> "palyra/testing/discord/FakeDiscord";
                        default -> "palyra/testing/tool/ToolContract";
                    };
            assertNotNull(sources.getEntry(tool + ".java"));
            assertNotNull(javadoc.getEntry(tool + ".html"));
        }
    }

    /** What a start would unpack otherwise is there, byte for byte what its bundle holds. */
    @ParameterizedTest
    @CsvSource({
        "3/sqlite-jdbc-, org/sqlite/native/Linux/x86_64/libsqlitejdbc.so, linux-x86_64",
        "3/sqlite-jdbc-, org/sqlite/native/Linux/aarch64/libsqlitejdbc.so, linux-aarch64",
        "3/jna-, com/sun/jna/linux-x86-64/libjnidispatch.so, linux-x86_64",
        "3/jna-, com/sun/jna/linux-aarch64/libjnidispatch.so, linux-aarch64",
        "5/palyra.lib.cedar-, native/linux/x86_64/libcedar_java_ffi.so, linux-x86_64",
        "5/palyra.lib.cedar-, native/linux/aarch64/libcedar_java_ffi.so, linux-aarch64"
    })
    void nativeLibrariesLieBesideTheirBundles(String bundle, String entry, String system)
            throws Exception {
        Path jar =
                Product.bundles().stream()
                        .filter(one -> one.toString().contains("bundles/" + bundle))
                        .findFirst()
                        .orElseThrow();
        Path laid =
                Product.folder()
                        .resolve("lib/native")
                        .resolve(system)
                        .resolve(Path.of(entry).getFileName());
        try (ZipFile zip = new ZipFile(jar.toFile());
                InputStream packed = zip.getInputStream(zip.getEntry(entry))) {
            assertArrayEquals(packed.readAllBytes(), Files.readAllBytes(laid));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "palyra",
                ".ci/run",
                "palyra.dist/src/main/dist/bin/palyra",
                "palyra.dist/src/main/dist/bin/common.sh",
                "palyra.dist/src/main/dist/bin/dev.sh",
                "palyra.dist/src/main/dist/bin/upgrade.sh",
                "scripts/prove-readme.sh",
                "scripts/resolve.sh",
                "scripts/update-api-signatures.sh"
            })
    void scriptsParse(String script) throws Exception {
        Process bash =
                new ProcessBuilder("bash", "-n", Product.root().resolve(script).toString())
                        .redirectErrorStream(true)
                        .start();
        String complaint = new String(bash.getInputStream().readAllBytes());
        assertTrue(bash.waitFor(20, TimeUnit.SECONDS));
        assertEquals(0, bash.exitValue(), complaint);
    }

    @Test
    void filesNameNoBuildMachine() throws Exception {
        String builtIn = Product.root().toString();
        try (var files = Files.walk(Product.folder())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                if (!file.toString().endsWith(".jar")) {
                    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                    assertFalse(text.contains(builtIn), file.toString());
                }
            }
        }
    }
}

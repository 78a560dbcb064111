package palyra.itests.stories;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.frameworkProperty;
import static org.ops4j.pax.exam.CoreOptions.junitBundles;
import static org.ops4j.pax.exam.CoreOptions.options;
import static org.ops4j.pax.exam.CoreOptions.systemPackage;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.ops4j.pax.exam.Option;
import palyra.itests.Dist;
import palyra.launcher.LaunchPlan;

/** A framework with exactly what ships, told exactly what the launcher tells it. */
final class ProductOptions {
    private static final int LOGGING_LEVEL = 1;
    private static final int PRODUCT_LEVEL = 3;

    /** Bundles of folders above are installed only where there is a terminal. */
    private static final int LAST_FOLDER = 5;

    /** Pax Exam exports packages of its own beside those that the launcher names. */
    private static final String PACKAGES = "org.osgi.framework.system.packages.extra";

    /** What Pax Exam keeps for itself. */
    private static final Set<String> NOT_OURS =
            Set.of(
                    "org.osgi.framework.storage",
                    "org.osgi.framework.storage.clean",
                    PACKAGES,
                    "org.osgi.framework.startlevel.beginning");

    private ProductOptions() {}

    /** Everything, in the order of the folders. */
    static Option[] product(Option... more) {
        return product(shipped(), more);
    }

    /** Everything, above logging in an order of its own. */
    static Option[] shuffled(long seed, Option... more) {
        List<Path> jars = shipped();
        List<Path> logging = jars.stream().filter(jar -> Dist.level(jar) == LOGGING_LEVEL).toList();
        List<Path> others =
                new ArrayList<>(jars.stream().filter(jar -> !logging.contains(jar)).toList());
        Collections.shuffle(others, new Random(seed));
        List<Path> all = new ArrayList<>(logging);
        all.addAll(others);
        return product(all, more);
    }

    /** Everything but some. */
    static Option[] without(Set<String> names, Option... more) {
        List<Path> left =
                shipped().stream()
                        .filter(
                                jar ->
                                        names.stream()
                                                .noneMatch(
                                                        name ->
                                                                jar.getFileName()
                                                                        .toString()
                                                                        .startsWith(name + "-")))
                        .toList();
        return product(left, more);
    }

    private static List<Path> shipped() {
        return Dist.bundles().stream().filter(jar -> Dist.level(jar) <= LAST_FOLDER).toList();
    }

    private static Option[] product(List<Path> jars, Option... more) {
        Path state = freshState();
        LaunchPlan plan =
                LaunchPlan.of(
                        Dist.folder(),
                        state,
                        List.of(
                                "--headless",
                                "--http-port",
                                "0",
                                "--set",
                                "palyra.transport.grpc:port=0"));
        List<Option> all = new ArrayList<>();
        plan.system().forEach((key, value) -> all.add(systemProperty(key).value(value)));
        plan.framework()
                .forEach(
                        (key, value) -> {
                            if (!NOT_OURS.contains(key)) {
                                all.add(frameworkProperty(key).value(value));
                            }
                        });
        for (String exported : plan.framework().get(PACKAGES).split(",")) {
            all.add(systemPackage(exported));
        }
        for (Path jar : jars) {
            all.add(
                    bundle("reference:" + jar.toUri())
                            .startLevel(
                                    Dist.level(jar) <= LOGGING_LEVEL
                                            ? LOGGING_LEVEL
                                            : PRODUCT_LEVEL));
        }
        all.add(junitBundles());
        all.addAll(List.of(more));
        return options(all.toArray(Option[]::new));
    }

    /** The framework runs in this JVM, so the folder goes when the JVM does. */
    private static Path freshState() {
        try {
            Path parent = Files.createTempDirectory("palyra-story");
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> delete(parent), "story-clean-up"));
            return parent.resolve("state");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            System.err.println("left behind: " + folder + ", " + e.getMessage());
        }
    }
}

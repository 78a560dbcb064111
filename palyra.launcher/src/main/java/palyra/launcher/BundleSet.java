package palyra.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.framework.startlevel.FrameworkStartLevel;

/**
 * The bundles of an installation, by the number of their folder. Folder 1 (the framework's log) has
 * its own start level; all others share one, and their order has no meaning.
 */
final class BundleSet {
    static final int LOGGING_LEVEL = 1;
    static final int PRODUCT_LEVEL = 3;

    /** Bundles of folders up to this one are infrastructure: the gateway needs all of them. */
    static final int INFRASTRUCTURE_FOLDER = 3;

    /** A jar and the number of its folder. */
    record Item(int folder, Path jar) {}

    /** A bundle that was installed from an item. */
    record Installed(Item item, Bundle bundle) {
        boolean infrastructure() {
            return item.folder() <= INFRASTRUCTURE_FOLDER;
        }
    }

    private BundleSet() {}

    /** Every jar in {@code bundles/<number>/}, sorted by number, then by name. */
    static List<Item> scan(Path bundles) throws LaunchException {
        List<Item> items = new ArrayList<>();
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(bundles, Files::isDirectory)) {
            for (Path folder : folders) {
                String name = folder.getFileName().toString();
                if (name.matches("[0-9]{1,3}")) {
                    addJars(items, Integer.parseInt(name), folder);
                }
            }
        } catch (IOException e) {
            throw broken("the bundles in " + bundles + " cannot be read: " + Problems.sentence(e));
        }
        if (items.isEmpty()) {
            throw broken("there is no bundle under " + bundles + "; is PALYRA_HOME right?");
        }
        items.sort(
                (a, b) ->
                        a.folder() != b.folder()
                                ? a.folder() - b.folder()
                                : a.jar().compareTo(b.jar()));
        return items;
    }

    private static void addJars(List<Item> items, int number, Path folder) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
            jars.forEach(jar -> items.add(new Item(number, jar)));
        }
    }

    /** Shuffles everything above the logging folder: no order may matter, and tests prove it. */
    static List<Item> shuffled(List<Item> items, long seed) {
        List<Item> logging = new ArrayList<>();
        List<Item> others = new ArrayList<>();
        items.forEach(item -> (item.folder() <= LOGGING_LEVEL ? logging : others).add(item));
        Collections.shuffle(others, new Random(seed));
        logging.addAll(others);
        return logging;
    }

    /** Installs by reference: the jars stay where they are and nothing is copied. */
    static List<Installed> install(BundleContext framework, List<Item> items)
            throws LaunchException {
        List<Installed> installed = new ArrayList<>(items.size());
        // Each change of a bundle's own level is written to disk, so only the few others get one.
        framework
                .getBundle(0)
                .adapt(FrameworkStartLevel.class)
                .setInitialBundleStartLevel(PRODUCT_LEVEL);
        for (Item item : items) {
            try {
                Bundle bundle =
                        framework.installBundle("reference:" + item.jar().toUri().toASCIIString());
                if (item.folder() <= LOGGING_LEVEL) {
                    bundle.adapt(BundleStartLevel.class).setStartLevel(LOGGING_LEVEL);
                }
                installed.add(new Installed(item, bundle));
            } catch (BundleException e) {
                throw broken(item.jar() + " cannot be installed: " + Problems.oneLine(e));
            }
        }
        return installed;
    }

    private static LaunchException broken(String message) {
        return new LaunchException(ExitCode.BROKEN, message);
    }
}

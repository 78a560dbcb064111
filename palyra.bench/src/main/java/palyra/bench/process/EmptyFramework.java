package palyra.bench.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;

/**
 * The peer of the product's process: the same framework with declarative services and nothing for
 * them to do. Arguments: the ready file, the framework's cache folder, then the bundles.
 */
public final class EmptyFramework {
    private EmptyFramework() {}

    /** Starts and stays until it is killed. */
    public static void main(String[] arguments) throws Exception {
        Path readyFile = Path.of(arguments[0]);
        Framework framework =
                new FrameworkFactory()
                        .newFramework(
                                Map.of(
                                        "org.osgi.framework.storage",
                                        arguments[1],
                                        "org.osgi.framework.storage.clean",
                                        "onFirstInit",
                                        "felix.log.level",
                                        "1"));
        framework.start();
        List<Bundle> bundles = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            bundles.add(
                    framework
                            .getBundleContext()
                            .installBundle("reference:" + Path.of(arguments[i]).toUri()));
        }
        for (Bundle bundle : bundles) {
            bundle.start();
        }
        Path draft = readyFile.resolveSibling(readyFile.getFileName() + ".draft");
        Files.writeString(draft, "ready\n");
        Files.move(draft, readyFile, StandardCopyOption.ATOMIC_MOVE);
        framework.waitForStop(0);
    }
}

package palyra.lib.cedar.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;
import palyra.testing.wait.Await;

/** The built bundle in a real framework, with users that come and go. */
final class HolderIT {
    private static final int UPDATES = Boolean.getBoolean("palyra.test.full") ? 200 : 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;

    private CedarFramework framework;

    @AfterEach
    void stop() throws Exception {
        if (framework != null) {
            framework.close();
        }
    }

    private static Path jar() {
        return Path.of(System.getProperty("palyra.cedar.bundle"));
    }

    /** Ends with the framework's last user gone, its classes too, and one library mapped. */
    @Test
    void usersComeAndGoAndLeaveNothingBehind() throws Exception {
        framework = new CedarFramework(folder, Map.of());
        Bundle holder = framework.install(jar());
        holder.start();
        Bundle user = framework.installUser(0);
        user.start();
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int update = 1; update <= UPDATES; update++) {
            assertEquals("true false 1", report(), "update " + update);
            loaders.add(loader(user));
            user.update(CedarFramework.userJar(update));
            refresh(user);
            assertEquals(Bundle.ACTIVE, user.getState());
        }
        assertEquals("true false 1", report());
        loaders.add(loader(user));
        user.uninstall();
        refresh(user);
        Await.until("the classes of all users to be collected", PATIENCE, () -> collected(loaders));
        assertEquals(Bundle.ACTIVE, holder.getState());
        long copies = maps().stream().filter(name -> name.contains("cedar_java_ffi")).count();
        assertTrue(copies == 1 || !Files.exists(Path.of("/proc/self/maps")), copies + " copies");
    }

    private static boolean collected(List<WeakReference<ClassLoader>> loaders) {
        System.gc();
        return loaders.stream().allMatch(each -> each.get() == null);
    }

    private static WeakReference<ClassLoader> loader(Bundle user) {
        return new WeakReference<>(user.adapt(BundleWiring.class).getClassLoader());
    }

    private static Set<String> maps() throws IOException {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.exists(maps)) {
            return Set.of();
        }
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.filter(line -> line.contains("/"))
                    .map(line -> line.substring(line.indexOf('/')))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private String report() throws Exception {
        ServiceReference<?> reference =
                framework.context()
                        .getServiceReferences(Callable.class.getName(), "(user=cedar)")[0];
        try {
            return (String) ((Callable<?>) framework.context().getService(reference)).call();
        } finally {
            framework.context().ungetService(reference);
        }
    }

    private void refresh(Bundle bundle) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        framework
                .context()
                .getBundle(0)
                .adapt(FrameworkWiring.class)
                .refreshBundles(List.of(bundle), (FrameworkEvent event) -> done.countDown());
        assertTrue(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void resolvesWhereNoLibraryFitsAndSaysWhy() throws Exception {
        framework =
                new CedarFramework(
                        folder,
                        Map.of(
                                "org.osgi.framework.os.name", "SunOS",
                                "org.osgi.framework.processor", "Sparc",
                                "java.library.path", folder.toString()));
        Bundle holder = framework.install(jar());
        holder.start();
        framework.installUser(0).start();
        String reason = report();
        assertTrue(reason.startsWith("The native Cedar library could not be loaded on "), reason);
        assertTrue(holder.getRegisteredServices() != null);
    }

    @Test
    void importsNothingThatCouldRefreshIt() throws IOException {
        try (JarFile bundle = new JarFile(jar().toFile())) {
            Manifest manifest = bundle.getManifest();
            String imports = manifest.getMainAttributes().getValue("Import-Package");
            assertEquals(
                    List.of(),
                    Arrays.stream(imports.split(","))
                            .filter(each -> !each.startsWith("java."))
                            .toList());
            assertEquals(
                    "palyra.lib.cedar;version=\"1.2.0\"",
                    manifest.getMainAttributes().getValue("Export-Package"));
            for (String library :
                    List.of(
                            "linux/x86_64/libcedar_java_ffi.so",
                            "linux/aarch64/libcedar_java_ffi.so",
                            "macos/x86_64/libcedar_java_ffi.dylib",
                            "macos/aarch64/libcedar_java_ffi.dylib",
                            "windows/x86_64/cedar_java_ffi.dll")) {
                assertTrue(bundle.getEntry("native/" + library).getSize() > 1 << 20, library);
                assertTrue(
                        manifest.getMainAttributes()
                                .getValue("Bundle-NativeCode")
                                .contains("native/" + library),
                        library);
            }
            assertTrue(
                    Files.size(jar()) < 32 << 20, "the bundle has " + Files.size(jar()) + " bytes");
        }
    }
}

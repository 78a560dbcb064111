package palyra.sandbox.posix.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bundle is replaced while JNA and the api stay. */
class ReplacementTest {
    /** Loads this bundle's classes itself, and everything else from its parent. */
    private static final class OwnClasses extends URLClassLoader {
        OwnClasses(URL[] places, ClassLoader parent) {
            super(places, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("palyra.sandbox.posix.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }
    }

    /** Runs a command in a class loader of its own. */
    public static final class Once implements Runnable {
        @Override
        public void run() {
            try (Bench bench = new Bench(new HostProbe(true, java.util.Optional.empty()))) {
                Plans plan = bench.sh("echo hello").pass(3, new byte[9]);
                plan.landlock(bench.rules(true, List.of(443))).seccomp(Filters.refusing(63, 160));
                assertEquals("hello\n", bench.run(plan).text());
            } catch (Exception broken) {
                throw new IllegalStateException(broken);
            }
        }
    }

    @Test
    void tenReplacementsLeaveNoClassLoader() throws Exception {
        List<WeakReference<ClassLoader>> old = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            old.add(runOnce());
        }
        Bench.await(
                "class loaders go",
                () -> {
                    System.gc();
                    return old.stream().allMatch(loader -> loader.get() == null);
                });
    }

    private static WeakReference<ClassLoader> runOnce() throws Exception {
        URL main = PosixLauncher.class.getProtectionDomain().getCodeSource().getLocation();
        URL test = Once.class.getProtectionDomain().getCodeSource().getLocation();
        URL[] places = {main, test};
        try (OwnClasses loader = new OwnClasses(places, ReplacementTest.class.getClassLoader())) {
            Class<?> type = Class.forName(Once.class.getName(), true, loader);
            assertNotSame(Once.class, type);
            assertEquals(Path.of(test.toURI()), Path.of(places[1].toURI()));
            ((Runnable) type.getDeclaredConstructor().newInstance()).run();
            return new WeakReference<>(loader);
        }
    }
}

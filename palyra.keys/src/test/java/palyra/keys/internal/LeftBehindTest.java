package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Classes of a bundle that was replaced go, whichever thread used its keys first. */
class LeftBehindTest {
    private static URL[] classPath() throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        return urls.toArray(new URL[0]);
    }

    private static void use(ClassLoader loader, String type, String method) throws Exception {
        Method made = loader.loadClass(type).getDeclaredMethod(method, byte[].class);
        made.setAccessible(true);
        assertNotNull(made.invoke(null, new byte[32]));
    }

    /** On this thread, which lives on. */
    private static WeakReference<ClassLoader> usedAndDropped() throws Exception {
        try (URLClassLoader loader =
                new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            use(loader, "palyra.keys.internal.Ed25519", "publicHalf");
            return new WeakReference<>(loader);
        }
    }

    private static boolean goes(WeakReference<?> reference) throws InterruptedException {
        for (int i = 0; i < 50 && reference.get() != null; i++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return reference.get() == null;
    }

    @Test
    void classesGoThoughTheThreadLivesOn() throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            WeakReference<ClassLoader> loader =
                    thread.submit(LeftBehindTest::usedAndDropped).get(30, TimeUnit.SECONDS);
            assertTrue(goes(loader));
            assertNull(loader.get());
        }
    }

    /** The control: the library by itself leaves its defaults with the thread. */
    @Test
    void libraryByItselfStaysWithTheThread() throws Exception {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
            WeakReference<ClassLoader> loader =
                    thread.submit(
                                    () -> {
                                        try (URLClassLoader own =
                                                new URLClassLoader(
                                                        classPath(),
                                                        ClassLoader.getPlatformClassLoader())) {
                                            own.loadClass(
                                                            "org.bouncycastle.crypto.digests.SHA512Digest")
                                                    .getDeclaredConstructor()
                                                    .newInstance();
                                            return new WeakReference<ClassLoader>(own);
                                        }
                                    })
                            .get(30, TimeUnit.SECONDS);
            assertNotNull(loader.get());
            System.gc();
            assertNotNull(loader.get());
        }
    }
}

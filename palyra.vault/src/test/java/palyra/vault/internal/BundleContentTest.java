package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The bundle holds a few classes of Bouncy Castle, chosen by hand: they are enough. */
class BundleContentTest {
    private static final Pattern CHOSEN = Pattern.compile("\\$\\{bc}(/\\S+)\\.class");

    private static List<Pattern> chosen() throws IOException {
        Matcher lines = CHOSEN.matcher(Files.readString(Path.of("../cnf/argon2.bnd")));
        List<Pattern> patterns = new ArrayList<>();
        while (lines.find()) {
            String path = lines.group(1).replace("$", "\\$").replace("*", "[^/]*");
            patterns.add(Pattern.compile("org/bouncycastle" + path));
        }
        return patterns;
    }

    /** Sees the class path of the tests, but of the library only what the bundle will hold. */
    private static final class Bundle extends URLClassLoader {
        private final List<Pattern> chosen;

        Bundle(List<Pattern> chosen) {
            super(classPath(), ClassLoader.getPlatformClassLoader());
            this.chosen = chosen;
        }

        private static URL[] classPath() {
            return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Bundle::url)
                    .toArray(URL[]::new);
        }

        private static URL url(String entry) {
            try {
                return Path.of(entry).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            String path = name.replace('.', '/');
            if (path.startsWith("org/bouncycastle/")
                    && chosen.stream().noneMatch(one -> one.matcher(path).matches())) {
                throw new ClassNotFoundException(name + " is not in the bundle");
            }
            return super.findClass(name);
        }
    }

    @Test
    void aPassphraseNeedsNoOtherClasses() throws Exception {
        assertTrue(chosen().size() > 4);
        try (Bundle bundle = new Bundle(chosen())) {
            byte[] key = key(bundle);
            assertEquals(32, key.length);
            assertArrayEquals(key, key(bundle));
        }
    }

    @Test
    void withoutTheChosenClassesThereIsNone() throws Exception {
        try (Bundle bundle = new Bundle(List.of())) {
            var failed = assertThrows(ReflectiveOperationException.class, () -> key(bundle));
            assertTrue(failed.getCause() instanceof NoClassDefFoundError);
        }
    }

    private static byte[] key(Bundle bundle) throws Exception {
        Class<?> type = bundle.loadClass("palyra.vault.internal.key.KeyDerivation");
        assertNotSame(HeapTest.class.getClassLoader(), type.getClassLoader());
        var constructor =
                type.getDeclaredConstructor(byte[].class, int.class, int.class, int.class);
        constructor.setAccessible(true);
        Object stretch = constructor.newInstance(new byte[16], 64, 2, 4);
        var method = type.getDeclaredMethod("key", byte[].class);
        method.setAccessible(true);
        return (byte[]) method.invoke(stretch, (Object) new byte[20]);
    }
}

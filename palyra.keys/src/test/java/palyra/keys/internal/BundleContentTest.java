package palyra.keys.internal;

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
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bundle holds a few classes of Bouncy Castle, chosen by hand: they are enough. */
class BundleContentTest {
    private static final Pattern CHOSEN = Pattern.compile("\\$\\{bc}(/\\S+)\\.class");

    @TempDir Path state;

    private static List<Pattern> chosen() throws IOException {
        Matcher lines = CHOSEN.matcher(Files.readString(Path.of("bnd.bnd")));
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
    @SuppressWarnings({"unchecked", "rawtypes"})
    void signingVerifyingAndRotatingNeedNoOtherClasses() throws Exception {
        try (Bundle bundle = new Bundle(chosen())) {
            Class<?> type = bundle.loadClass(BootKeys.class.getName());
            assertNotSame(BootKeys.class, type);
            Object keys =
                    type.getMethod("open", Path.class, Optional.class)
                            .invoke(null, state, Optional.empty());
            Class purpose = bundle.loadClass("palyra.api.core.keys.KeyPurpose");
            Class<?> signature = bundle.loadClass("palyra.api.core.keys.KeySignature");
            Object head = Enum.valueOf(purpose, "TAPE_HEAD");
            byte[] message = {1, 2, 3};
            Object made = type.getMethod("sign", purpose, byte[].class).invoke(keys, head, message);
            type.getMethod("rotate", purpose).invoke(keys, head);
            var verify = type.getMethod("verify", purpose, byte[].class, signature);
            assertEquals(true, verify.invoke(keys, head, message, made));
            byte[] bytes = (byte[]) signature.getMethod("signature").invoke(made);
            for (int at : new int[] {0, 31, 32, 63}) { // each way to be refused
                bytes[at] ^= (byte) 0x80;
                assertEquals(false, verify.invoke(keys, head, message, made));
                bytes[at] ^= (byte) 0x80;
            }
        }
    }

    @Test
    void withoutTheChosenClassesThereIsNoSigning() throws Exception {
        assertTrue(chosen().size() > 5);
        try (Bundle bundle = new Bundle(List.of())) {
            Class<?> type = bundle.loadClass(BootKeys.class.getName());
            var open = type.getMethod("open", Path.class, Optional.class);
            var failed =
                    assertThrows(
                            ReflectiveOperationException.class,
                            () -> open.invoke(null, state, Optional.empty()));
            assertTrue(failed.getCause() instanceof NoClassDefFoundError);
        }
    }
}

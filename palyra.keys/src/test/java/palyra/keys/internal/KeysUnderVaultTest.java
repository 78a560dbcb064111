package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.BootSeal;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;

/** The key file sealed under the vault, which comes and goes. */
class KeysUnderVaultTest {
    private static final byte[] MESSAGE = {1, 2, 3};

    @TempDir Path folder;
    private Path state;
    private Path file;

    /** What the component has registered at present. */
    private Keys offered;

    @BeforeEach
    void folders() throws IOException {
        state = Files.createDirectory(folder.resolve("state"));
        file = state.resolve("keys/boot-keys.json");
    }

    /** Turns every bit around, which tells sealed from plain here. */
    private record Vault(String id, boolean wanted) implements BootSeal {
        @Override
        public byte[] close(byte[] content) {
            return turned((id + new String(content, StandardCharsets.ISO_8859_1)));
        }

        @Override
        public byte[] open(byte[] sealed) {
            String text =
                    new String(
                            turned(new String(sealed, StandardCharsets.ISO_8859_1)),
                            StandardCharsets.ISO_8859_1);
            if (!text.startsWith(id)) {
                throw new PalyraException(ErrorCode.KEYS_UNAVAILABLE, "another vault");
            }
            return text.substring(id.length()).getBytes(StandardCharsets.ISO_8859_1);
        }

        private static byte[] turned(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
            return bytes;
        }
    }

    private final CountDownLatch registered = new CountDownLatch(1);
    private final AtomicInteger refusals = new AtomicInteger();

    private static final Vault WANTED = new Vault("one", true);
    private static final Vault UNWANTED = new Vault("one", false);

    private Object called(String method, Object... arguments) {
        return switch (method) {
            case "getProperty" -> state.toString();
            case "registerService" -> {
                if (refusals.getAndDecrement() > 0) {
                    throw new NoClassDefFoundError("gone");
                }
                offered = (Keys) arguments[1];
                registered.countDown();
                yield Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {ServiceRegistration.class},
                        (proxy, unregister, none) -> {
                            offered = null;
                            return null;
                        });
            }
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private KeysComponent start(Optional<Path> credentials) {
        BundleContext context =
                (BundleContext)
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(),
                                new Class<?>[] {BundleContext.class},
                                (proxy, method, arguments) -> called(method.getName(), arguments));
        KeysComponent component =
                new KeysComponent(context, credentials.map(Path::toString).orElse(""));
        component.activate();
        return component;
    }

    private KeysComponent start() {
        return start(Optional.empty());
    }

    private String head() throws IOException {
        return new String(Files.readAllBytes(file), 0, 4, StandardCharsets.ISO_8859_1);
    }

    private static String told(KeysComponent component) {
        return component.findings().toString();
    }

    /** What a medium does not take at the start it takes later, without a start in between. */
    @Test
    void keysThatCannotBeMadeAreMadeOnceTheMediumTakesThem() throws Exception {
        Path folder = Files.createDirectories(state.resolve("keys"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", folder.toString())
                        == 0,
                "this user may not mount a file system");
        try {
            Path filler = Files.write(folder.resolve("filler"), new byte[64 << 10]);
            KeysComponent component = start();
            assertTrue(told(component).contains("no space left (0 bytes free)"), told(component));
            assertNull(offered);
            assertEquals("palyra-keys-retry", component.loops().get(0).name());
            refusals.set(1); // an Error of a try is followed by another try
            Files.delete(filler);
            assertTrue(registered.await(30, TimeUnit.SECONDS));
            component.deactivate();
            assertEquals(List.of(), component.loops());
            assertEquals("[]", told(component));
            assertTrue(Files.exists(file));
        } finally {
            assertEquals(0, run("umount", folder.toString()));
        }
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }

    /** A state whose keys lie under the vault, and what they signed. */
    private KeySignature sealed() throws IOException {
        KeysComponent first = start();
        KeySignature signature = offered.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertEquals("{", head().substring(0, 1));
        first.bindVault(WANTED);
        assertEquals("PBK2", head());
        first.deactivate();
        assertNull(offered);
        return signature;
    }

    @Test
    void keysUnderTheVaultWaitForItAndNeedItNoMoreOnceOpen() throws Exception {
        KeySignature signature = sealed();
        KeysComponent again = start();
        assertNull(offered);
        assertTrue(told(again).contains("not open yet"), told(again));
        again.bindVault(WANTED);
        assertTrue(offered.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
        assertTrue(again.findings().isEmpty());
        Keys opened = offered;
        again.unbindVault(WANTED);
        again.bindVault(WANTED);
        assertEquals(opened, offered);
        assertTrue(opened.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
    }

    @Test
    void anotherVaultDoesNotOpenThemAndTheRightOneStillDoes() throws Exception {
        KeySignature signature = sealed();
        byte[] before = Files.readAllBytes(file);
        KeysComponent again = start();
        Vault other = new Vault("two", true);
        again.bindVault(other);
        assertNull(offered);
        assertTrue(told(again).contains("another vault"), told(again));
        assertArrayEquals(before, Files.readAllBytes(file));
        again.unbindVault(other);
        again.bindVault(WANTED);
        assertTrue(offered.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
    }

    @Test
    void rotatedKeysAreSealedAndNotRotatedWhileTheVaultIsAway() throws Exception {
        sealed();
        KeysComponent again = start();
        again.bindVault(WANTED);
        offered.rotate(KeyPurpose.TAPE_HEAD);
        assertEquals("PBK2", head());
        int published = offered.published().size();
        again.unbindVault(WANTED);
        byte[] before = Files.readAllBytes(file);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> offered.rotate(KeyPurpose.TAPE_HEAD));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertEquals(published, offered.published().size());
        assertArrayEquals(before, Files.readAllBytes(file));
    }

    @Test
    void whatIsNotWantedAnyMoreIsTakenAway() throws Exception {
        KeySignature signature = sealed();
        KeysComponent again = start();
        again.bindVault(UNWANTED);
        assertEquals("{", head().substring(0, 1));
        assertTrue(offered.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
        again.deactivate();
        start();
        assertTrue(offered.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
    }

    @Test
    void theSealChangesFromACredentialToTheVaultAndBack() throws Exception {
        Path credentials = Files.createDirectory(folder.resolve("credentials"));
        Path wrap = Files.writeString(credentials.resolve("palyra-boot-wrap"), "x".repeat(32));
        Files.setPosixFilePermissions(wrap, PosixFilePermissions.fromString("r--------"));
        KeysComponent first = start(Optional.of(credentials));
        KeySignature signature = offered.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertEquals("PBK1", head());
        first.bindVault(WANTED);
        assertEquals("PBK2", head());
        first.deactivate();
        KeysComponent again = start(Optional.of(credentials));
        assertNull(offered);
        again.bindVault(UNWANTED);
        assertEquals("PBK1", head());
        assertTrue(offered.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
    }

    @Test
    void aVaultThatFailsLeavesTheFileAsItIs() throws Exception {
        KeysComponent first = start();
        String before = Files.readString(file);
        first.bindVault(
                new BootSeal() {
                    @Override
                    public boolean wanted() {
                        return true;
                    }

                    @Override
                    public byte[] close(byte[] content) {
                        throw new PalyraException(ErrorCode.KEYS_UNAVAILABLE, "it is going");
                    }

                    @Override
                    public byte[] open(byte[] sealed) {
                        throw new PalyraException(ErrorCode.KEYS_UNAVAILABLE, "it is going");
                    }
                });
        assertEquals(before, Files.readString(file));
        assertTrue(told(first).contains("it is going"), told(first));
        first.bindVault(WANTED);
        assertEquals("PBK2", head());
        assertTrue(first.findings().isEmpty());
        assertFalse(Files.readString(file, StandardCharsets.ISO_8859_1).contains("boot-keys"));
    }

    @Test
    void aDamagedFileIsToldAndNothingIsOffered() throws Exception {
        start().deactivate();
        Files.writeString(file, "{}");
        KeysComponent again = start();
        assertNull(offered);
        assertTrue(told(again).contains("damaged"), told(again));
    }
}

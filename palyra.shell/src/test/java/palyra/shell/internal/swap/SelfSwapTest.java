package palyra.shell.internal.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import palyra.shared.bundles.LifecycleLock;
import palyra.shared.loop.SupervisedLoop;
import palyra.shell.internal.fakes.FrameworkFixture;
import palyra.shell.internal.fakes.FrameworkFixture.Jar;
import palyra.testing.access.FakeAccess;
import palyra.testing.wait.Await;

/** The worker goes on when the bundle that its own classes come from is replaced under it. */
@Timeout(120)
class SelfSwapTest {
    private static final String NAME = "test.self";

    @TempDir Path folder;
    private FrameworkFixture framework;
    private Bundle bundle;

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        framework = new FrameworkFixture(folder);
        bundle = framework.start(shell("1.0.0"));
    }

    @AfterEach
    void stop() throws Exception {
        framework.close();
    }

    /** The swap's own code as a bundle, with everything else from outside. */
    private static Jar shell(String version) throws Exception {
        Jar jar =
                new Jar(NAME, version)
                        .header("Bundle-Activator", SelfSwapActivator.class.getName())
                        .header("DynamicImport-Package", "*");
        addClasses(jar, Swapper.class, "palyra/shell/internal");
        addClasses(jar, SelfSwapActivator.class, "palyra/shell/internal");
        addClasses(jar, LifecycleLock.class, "palyra/shared/bundles");
        addClasses(jar, SupervisedLoop.class, "palyra/shared/loop");
        addClasses(jar, FakeAccess.class, "palyra/testing/access");
        return jar;
    }

    /** Adds the classes of a folder, from where a class of it comes from: a folder or a jar. */
    private static void addClasses(Jar jar, Class<?> type, String folder) throws Exception {
        Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (Files.isDirectory(place)) {
            addClasses(jar, place, place.resolve(folder));
            return;
        }
        try (FileSystem zip = FileSystems.newFileSystem(place)) {
            addClasses(jar, zip.getPath("/"), zip.getPath("/", folder));
        }
    }

    private static void addClasses(Jar jar, Path root, Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
                jar.entry(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
    }

    @SuppressWarnings("unchecked") // the bundle registers it like this
    private String swap(byte[] jar) throws IOException {
        Function<InputStream, String> swap =
                (Function<InputStream, String>)
                        framework
                                .context()
                                .getService(
                                        framework.context().getServiceReference(Function.class));
        return swap.apply(new ByteArrayInputStream(jar));
    }

    private SwapRecord outcome(String operationId) {
        SwapFolder swaps = new SwapFolder(folder.resolve("state"));
        return Await.value(
                "the outcome",
                Duration.ofSeconds(30),
                () -> swaps.read(operationId).filter(each -> each.phase().over()));
    }

    @Test
    void endsTheSwapOfItsOwnBundle() throws Exception {
        SwapRecord swap = outcome(swap(shell("2.0.0").bytes()));
        assertEquals(SwapRecord.Phase.SUCCEEDED, swap.phase(), swap.message());
        assertEquals("2.0.0", bundle.getVersion().toString());
        SwapRecord again = outcome(swap(shell("3.0.0").bytes()));
        assertEquals(SwapRecord.Phase.SUCCEEDED, again.phase(), again.message());
        assertEquals("3.0.0", bundle.getVersion().toString());
    }

    @Test
    void undoesTheSwapOfItsOwnBundle() throws Exception {
        SwapRecord swap =
                outcome(swap(shell("2.0.0").header("Bundle-Activator", "no.Such").bytes()));
        assertEquals(SwapRecord.Phase.ROLLED_BACK, swap.phase(), swap.message());
        assertTrue(swap.message().contains("no.Such"), swap.message());
        assertEquals("1.0.0", bundle.getVersion().toString());
        assertEquals(Bundle.ACTIVE, bundle.getState());
    }
}

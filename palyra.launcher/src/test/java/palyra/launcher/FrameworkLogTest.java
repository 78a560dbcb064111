package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.File;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceException;
import org.osgi.framework.ServiceReference;
import org.slf4j.LoggerFactory;

/** The framework, its log service and the component runtime are the ones that ship. */
@Timeout(60)
class FrameworkLogTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    @TempDir Path folder;

    private final Lines lines = new Lines();
    private TestGateway house;

    /** A component whose constructor throws. */
    public static final class Broken implements Runnable {
        /** Fails as a component does whose configuration is nonsense. */
        public Broken() {
            throw new IllegalStateException("the answer is not 42");
        }

        @Override
        public void run() {
            // never made
        }
    }

    private static final class Lines extends AppenderBase<ILoggingEvent> {
        final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            event.getMDCPropertyMap(); // as every encoder does
            events.add(event);
        }

        List<ILoggingEvent> about(String text) {
            return events.stream()
                    .filter(one -> one.getFormattedMessage().contains(text))
                    .filter(one -> one.getThrowableProxy() != null)
                    .toList();
        }
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @BeforeEach
    void installWhatShips() throws Exception {
        lines.setContext(root().getLoggerContext());
        lines.start();
        root().addAppender(lines);
        root().setLevel(Level.WARN); // as conf/logback.xml has it
        house = new TestGateway(folder);
        copy(1, "org.apache.felix.log-");
        for (String name :
                List.of(
                        "org.apache.felix.scr-",
                        "org.apache.felix.configadmin-",
                        "org.osgi.service.component-",
                        "org.osgi.util.promise-",
                        "org.osgi.util.function-")) {
            copy(3, name);
        }
    }

    private void copy(int level, String name) throws Exception {
        Path jar =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .filter(path -> path.getFileName().toString().startsWith(name))
                        .findFirst()
                        .orElseThrow();
        Path to = Files.createDirectories(house.home().resolve("bundles/" + level));
        Files.copy(jar, to.resolve(jar.getFileName()));
    }

    @AfterEach
    void stop() throws Exception {
        root().detachAppender(lines);
        root().setLevel(Level.DEBUG);
        assertTrue(house.stop());
    }

    private void component(Class<?> type) throws Exception {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", "palyra.story");
        attributes.putValue("Bundle-Version", "1.0.0");
        attributes.putValue("Service-Component", "OSGI-INF/story.xml");
        String xml =
                "<scr:component xmlns:scr=\"http://www.osgi.org/xmlns/scr/v1.3.0\""
                        + " name=\"palyra.story.broken\" immediate=\"true\"><implementation class=\""
                        + type.getName()
                        + "\"/></scr:component>";
        String path = type.getName().replace('.', '/') + ".class";
        Path jar = Files.createDirectories(house.home().resolve("bundles/5")).resolve("story.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream bytes = type.getClassLoader().getResourceAsStream(path)) {
            out.putNextEntry(new ZipEntry("OSGI-INF/story.xml"));
            out.write(xml.getBytes(StandardCharsets.UTF_8));
            out.closeEntry();
            out.putNextEntry(new ZipEntry(path));
            bytes.transferTo(out);
            out.closeEntry();
        }
    }

    private List<ILoggingEvent> await(String text) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (lines.about(text).isEmpty() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        return lines.about(text);
    }

    /** What others meet because a component failed only repeats that it did. */
    @Test
    void aFailureIsInTheLogOnceWithItsReasonAndWithoutItsEchoes() throws Exception {
        house.start();
        BundleContext context = house.gateway().context();
        String type = "org.osgi.service.log.LogService";
        ServiceReference<?> reference = context.getAllServiceReferences(type, null)[0];
        Object log = context.getService(reference);
        Method write =
                reference
                        .getBundle()
                        .loadClass(type)
                        .getMethod("log", int.class, String.class, Throwable.class);
        for (int i = 0; i < 3; i++) {
            write.invoke(log, 1, "it failed", new IllegalStateException("port is 6"));
            write.invoke(log, 2, "Could not get service from ref that", null);
            write.invoke(log, 1, "FrameworkEvent ERROR", new ServiceException("factory"));
        }
        write.invoke(log, 1, "the end", new IllegalStateException("no more"));
        await("the end");
        List<ILoggingEvent> failed = lines.about("it failed");
        assertEquals(1, failed.size());
        assertTrue(failed.getFirst().getFormattedMessage().endsWith("it failed: port is 6"));
        assertTrue(
                lines.events.stream()
                        .map(ILoggingEvent::getFormattedMessage)
                        .noneMatch(
                                one ->
                                        one.contains("Could not get service")
                                                || one.contains("FrameworkEvent ERROR")),
                lines.events.toString());
    }

    @Test
    void aComponentThatFailsStandsInTheLogOnceWithItsBundleItsNameAndTheReason() throws Exception {
        component(Broken.class);
        house.start();
        List<ILoggingEvent> found = await(Broken.class.getName());
        assertEquals(1, found.size(), lines.events.toString());
        ILoggingEvent event = found.get(0);
        assertEquals(Level.ERROR, event.getLevel());
        assertTrue(
                event.getFormattedMessage().startsWith("bundle palyra.story:1.0.0 "),
                event.getFormattedMessage());
        Optional<String> reason =
                Stream.iterate(event.getThrowableProxy(), one -> one != null, one -> one.getCause())
                        .map(one -> one.getMessage())
                        .filter(one -> "the answer is not 42".equals(one))
                        .findFirst();
        assertTrue(reason.isPresent());
        List<String> problems = Components.read(house.gateway().context()).problems();
        assertEquals(
                List.of(
                        "palyra.story.broken failed to activate: java.lang.IllegalStateException:"
                                + " the answer is not 42"),
                problems);
    }
}

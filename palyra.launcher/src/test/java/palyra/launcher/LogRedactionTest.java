package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;

class LogRedactionTest {
    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";

    @TempDir Path folder;

    @Test
    void keepsTokensOutOfTheProductsLogFile() throws Exception {
        LoggerContext context = product();
        context.getLogger("palyra.test")
                .info(
                        "asked {} for {}",
                        "with " + TOKEN,
                        "news",
                        new IllegalStateException(
                                "refused " + TOKEN, new RuntimeException("cause " + TOKEN)));
        context.stop();
        String log = Files.readString(folder.resolve("palyra.log"));
        assertFalse(log.contains(TOKEN), log);
        assertTrue(log.contains("asked with ⟦secret:gitlab-pat:1⟧ for news"), log);
        assertTrue(log.contains("IllegalStateException: refused ⟦secret:gitlab-pat:1⟧"), log);
        assertTrue(log.contains("cause ⟦secret:gitlab-pat:1⟧"), log);
        assertEquals(log.indexOf("IllegalState"), log.lastIndexOf("IllegalState"), "told once");
    }

    @Test
    void standardErrorGetsOneLineForEachWarningWhateverItsCause() throws Exception {
        LoggerContext context = product();
        Logger logger = context.getLogger("palyra.test");
        ConsoleAppender<?> console =
                (ConsoleAppender<?>)
                        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("console");
        LoggingEvent event =
                new LoggingEvent(
                        "here",
                        logger,
                        Level.ERROR,
                        "It broke.",
                        new IllegalStateException("why", new RuntimeException("cause")),
                        null);
        LayoutWrappingEncoder<?> encoder = (LayoutWrappingEncoder<?>) console.getEncoder();
        String text = ((PatternLayout) encoder.getLayout()).doLayout(event);
        context.stop();
        assertTrue(text.endsWith("ERROR palyra.test: It broke." + System.lineSeparator()), text);
        assertEquals(1, text.lines().count(), text);
    }

    /** What logs as the product does. */
    private LoggerContext product() throws Exception {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter());
        context.putProperty("palyra.logs", folder.toString());
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(
                Path.of("..", "palyra.dist", "src", "main", "dist", "conf", "logback.xml")
                        .toUri()
                        .toURL());
        return context;
    }

    @Test
    void asksAServiceThatComesAndGoes() throws Exception {
        Framework framework =
                new FrameworkFactory()
                        .newFramework(
                                Map.of(
                                        Constants.FRAMEWORK_STORAGE,
                                        folder.resolve("cache").toString()));
        framework.init();
        BundleContext context = framework.getBundleContext();
        LogRedaction.follow(context);
        assertEquals("my hobby-horse", LogRedaction.of("my hobby-horse"));
        UnaryOperator<String> vault = text -> text.replace("hobby-horse", "⟦secret:vault:1⟧");
        ServiceRegistration<?> offered = offer(context, vault);
        assertEquals("my ⟦secret:vault:1⟧", LogRedaction.of("my hobby-horse"));
        offered.unregister();
        assertEquals("my hobby-horse", LogRedaction.of("my hobby-horse"));
        UnaryOperator<String> broken =
                text -> {
                    throw new IllegalStateException(text);
                };
        ServiceRegistration<?> bad = offer(context, broken);
        assertEquals(LogRedaction.WITHHELD, LogRedaction.of("my hobby-horse"));
        bad.unregister();
        framework.stop();
        framework.waitForStop(30_000);
    }

    private static ServiceRegistration<?> offer(
            BundleContext context, UnaryOperator<String> operator) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(LogRedaction.PROPERTY, true);
        return context.registerService(UnaryOperator.class, operator, properties);
    }
}

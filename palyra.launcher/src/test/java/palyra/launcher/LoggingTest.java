package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LoggingTest {
    @Test
    void exportsWhatTheProductWasResolvedWith() throws Exception {
        Properties run = new Properties();
        try (var in = Files.newBufferedReader(Path.of("..", "run.bndrun"))) {
            run.load(in);
        }
        assertEquals(
                run.getProperty("-runsystempackages").replace(" ", ""),
                Logging.packages().replace("\"", ""));
    }

    @Test
    void namesTheVersionsThatShip() throws Exception {
        String reactor = Files.readString(Path.of("..", "pom.xml"));
        assertShips(reactor, "slf4j", Logging.SLF4J);
    }

    private static void assertShips(String reactor, String library, String version) {
        String property = "<" + library + ".version>" + version + "</" + library + ".version>";
        assertTrue(Pattern.compile(property, Pattern.LITERAL).matcher(reactor).find(), property);
    }
}

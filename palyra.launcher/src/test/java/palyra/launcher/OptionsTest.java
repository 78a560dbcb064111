package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
    private static final Map<String, String> FOLDERS =
            Map.of("PALYRA_HOME", "/opt/palyra", "PALYRA_STATE", "/var/lib/palyra");

    private static Options parse(String... arguments) throws LaunchException {
        return Options.parse(List.of(arguments), FOLDERS);
    }

    private static String refusal(String... arguments) {
        LaunchException refused = assertThrows(LaunchException.class, () -> parse(arguments));
        assertEquals(ExitCode.USAGE, refused.exitCode());
        return refused.getMessage();
    }

    @Test
    void defaultsToTheKnownPortWithoutOverrides() throws LaunchException {
        Options options = parse();
        assertEquals(7142, options.httpPort());
        assertEquals(List.of(), options.overrides());
        assertEquals(Options.Prompting.AUTO, options.prompt());
        assertEquals(Path.of("/opt/palyra"), options.home());
        assertTrue(options.startSeed().isEmpty());
    }

    @Test
    void agentsWorkBesideTheStateFolderUnlessToldOtherwise() throws LaunchException {
        assertEquals(Path.of("/var/lib/palyra-workspaces"), parse().workspaces());
        assertEquals(Path.of("/srv/work"), withWorkspaces("/srv/./work").workspaces());
    }

    @Test
    void agentsNeverWorkWithinTheStateFolderNorAroundIt() {
        for (String folder : List.of("/var/lib/palyra", "/var/lib/palyra/work", "/var/lib", "/")) {
            LaunchException refused =
                    assertThrows(LaunchException.class, () -> withWorkspaces(folder));
            assertEquals(ExitCode.USAGE, refused.exitCode());
            assertTrue(refused.getMessage().contains("PALYRA_WORKSPACES"), refused.getMessage());
        }
    }

    private static Options withWorkspaces(String folder) throws LaunchException {
        return Options.parse(
                List.of(),
                Map.of(
                        "PALYRA_HOME", "/opt/palyra",
                        "PALYRA_STATE", "/var/lib/palyra",
                        "PALYRA_WORKSPACES", folder));
    }

    @Test
    void takesValuesAfterABlankOrAnEqualsSign() throws LaunchException {
        Options options =
                parse(
                        "--http-port=0",
                        "--set",
                        "a.b:k=v=w",
                        "--set=c~one:d=",
                        "--safe",
                        "--headless");
        assertEquals(0, options.httpPort());
        assertEquals(List.of("a.b:k=v=w", "c~one:d="), options.overrides());
        assertTrue(options.safe());
        assertEquals(Options.Prompting.NEVER, options.prompt());
    }

    @Test
    void prefersTheArgumentToTheEnvironment() throws LaunchException {
        Map<String, String> environment = new HashMap<>(FOLDERS);
        environment.put("PALYRA_HTTP_PORT", "8001");
        assertEquals(8001, Options.parse(List.of(), environment).httpPort());
        assertEquals(8002, Options.parse(List.of("--http-port", "8002"), environment).httpPort());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "http", "", "7142 "})
    void refusesWhatIsNoPortAndQuotesIt(String port) {
        assertTrue(refusal("--http-port", port).contains("found '" + port + "'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "key=value",
                "pid:key",
                "pid:=v",
                ":k=v",
                "pid:k=a\nother:x=y",
                "p d:k=v"
            })
    void refusesAMalformedOverrideAndShowsTheForm(String override) {
        assertTrue(refusal("--set", override).contains("PID:key=value"));
    }

    @Test
    void refusesUnknownWordsAndNamesTheKnownOnes() {
        String message = refusal("--hedless");
        assertTrue(message.contains("'--hedless'"));
        assertTrue(message.contains("--headless"));
    }

    @Test
    void refusesAValueThatIsMissingOrNotWanted() {
        assertTrue(refusal("--set").contains("wants a value"));
        assertTrue(refusal("--safe=yes").contains("takes no value"));
    }

    @Test
    void refusesConsoleTogetherWithHeadless() {
        assertTrue(refusal("--console", "--headless").contains("exclude each other"));
    }

    @Test
    void asksForTheFoldersItIsNotTold() {
        LaunchException refused =
                assertThrows(
                        LaunchException.class,
                        () -> Options.parse(List.of(), Map.of("PALYRA_HOME", "/opt/palyra")));
        assertTrue(refused.getMessage().startsWith("PALYRA_STATE"));
    }

    @Test
    void opensThePromptWhereThereIsATerminalOrItIsAskedFor() throws LaunchException {
        assertTrue(withTerminal("in,out").opensConsole());
        assertFalse(withTerminal("in").opensConsole(), "there is no terminal for its output");
        assertFalse(withTerminal(",out").opensConsole(), "there is no terminal for its input");
        assertFalse(withTerminal("").opensConsole());
        assertTrue(withTerminal("", "--console").opensConsole());
        assertFalse(withTerminal("in,out", "--headless").opensConsole());
        assertFalse(withTerminal("in,out", "--stop-when-ready").opensConsole());
    }

    private static Options withTerminal(String terminal, String... arguments)
            throws LaunchException {
        Map<String, String> environment = new HashMap<>(FOLDERS);
        environment.put("PALYRA_TTY", terminal);
        return Options.parse(List.of(arguments), environment);
    }
}

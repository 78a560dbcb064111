package palyra.sandbox.internal.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.sandbox.internal.process.ShellTool;

/**
 * Files with the output of commands are in clear, which docs/secrets.md justifies with this: no
 * command is lent a value of the vault. A change of that has to redact those values in the files.
 */
class CommandsGetNoSecretsTest {
    private static final String VAULT = "palyra/api/core/vault/";

    /** Returns the classes below a package of the bundle that use the vault. */
    private static List<String> usersOfTheVault(String name) throws Exception {
        Path classes =
                Path.of(
                        ShellTool.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        try (Stream<Path> files =
                Files.walk(classes.resolve("palyra/sandbox/internal").resolve(name))) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .filter(CommandsGetNoSecretsTest::usesTheVault)
                    .map(file -> file.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static boolean usesTheVault(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(VAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatPreparesAndRunsCommandsKnowsNoVault() throws Exception {
        for (String name : List.of("process", "run", "output", "guard", "command", "git")) {
            assertEquals(List.of(), usersOfTheVault(name), name);
        }
        assertTrue(
                usersOfTheVault("fetch").contains("FetchTool.class"),
                "the look finds who does use it");
    }
}

package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** Secrets at the command line of a real gateway. */
public class VaultIT {
    @ClassRule public static final SharedGateway GATEWAY = new SharedGateway();
    @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

    private static final String VALUE = "a-value-that-stands-nowhere-else";

    private static CommandClient.Result run(String... argv) throws IOException {
        return GATEWAY.client().run(argv);
    }

    private static CommandClient.Result put(String name, String value) throws IOException {
        return GATEWAY.client().runWith(value, "vault", "put", name, "--json").ok();
    }

    private static String reveal(String name) throws IOException {
        return run("vault", "reveal", name, "--yes-show-it").ok().out();
    }

    @Test
    public void aSecretIsPutListedRevealedRotatedAndDeleted() throws Exception {
        assertEquals(1, put("global/it_key", VALUE + "\n").json().path("version").asInt());
        assertEquals(2, put("global/it_key", VALUE + "\n").json().path("version").asInt());
        String listed = run("vault", "list").ok().out();
        assertTrue(listed, listed.contains("vault:global/it_key"));
        assertFalse(listed, listed.contains(VALUE));
        assertEquals(VALUE, reveal("global/it_key"));
        int before = run("vault", "status", "--json").ok().json().path("keyVersion").asInt();
        JsonNode rotated = run("vault", "rotate", "--json").ok().json();
        assertEquals(before + 1, rotated.path("keyVersion").asInt());
        assertEquals(0, rotated.path("pending").asInt());
        assertEquals(VALUE, reveal("global/it_key"));
        List<JsonNode> records = run("tape", "show", "journal", "--json").ok().lines();
        for (String type : List.of("vault_secret_put", "vault_secret_used", "vault_key_rotated")) {
            assertTrue(type, records.stream().anyMatch(r -> r.path("type").asText().equals(type)));
        }
        assertFalse(records.toString().contains(VALUE));
        run("vault", "delete", "global/it_key").ok();
        run("vault", "reveal", "global/it_key", "--yes-show-it").exits(66);
        run("tape", "verify").ok();
    }

    private static String content(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return ""; // it was a draft of another file, which is looked at too
        }
    }

    @Test
    public void noFileOfTheStateHoldsAValue() throws Exception {
        String value = "in-no-file-" + System.nanoTime();
        put("global/it_file", value);
        assertEquals(value, reveal("global/it_file"));
        try (Stream<Path> all = Files.walk(GATEWAY.folder())) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                assertFalse(file.toString(), content(file).contains(value));
            }
        }
    }

    /**
     * What is kept cannot be found in a message, so no message is taken, whatever was there before.
     */
    @Test
    public void withoutTheMasterKeyNoMessageIsTaken() throws Exception {
        Path state = FOLDER.getRoot().toPath().resolve("state");
        Path key = state.resolve("keys/vault-master.key");
        String value = "sk-Abcdef0123456789xyzQRS";
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            gateway.awaitReady().client().runWith(value, "vault", "put", "global/it_lost").ok();
            assertEquals(0, gateway.terminate());
        }
        Path aside = Files.move(key, state.resolve("aside"));
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            Wait.until(
                    "doctor to name the key",
                    Duration.ofSeconds(60),
                    () -> doctorNamesTheVault(gateway),
                    gateway::console);
            CommandClient.Result asked = gateway.client().run("ask", "my key is " + value);
            assertEquals(asked.out() + asked.err(), 69, asked.exit());
            assertFalse(gateway.client().run("tape", "show", "journal").out().contains(value));
            assertEquals(1, gateway.client().run("status").exit());
            Files.move(aside, key);
            gateway.client().run("stop").ok();
            assertEquals("it was never ready", 0, gateway.exit());
            assertFalse(gateway.console(), gateway.console().contains("Exception"));
        }
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = gateway.awaitReady().client();
            client.run("ask", "my key is " + value).ok();
            String tape = client.run("tape", "show", "last").ok().out();
            assertTrue(tape, tape.contains("⟦secret:vault:1⟧") && !tape.contains(value));
        }
    }

    private static boolean doctorNamesTheVault(GatewayProcess gateway) {
        try {
            return gateway.client().run("doctor").out().contains("vault-master.key");
        } catch (IOException e) {
            return false; // the command socket comes a moment later
        }
    }

    @Test
    public void aSwapOfTheVaultLosesNothing() throws Exception {
        put("global/it_swap", VALUE);
        Path rebuilt =
                RebuiltBundle.write(
                        Dist.bundle("palyra.vault"),
                        GATEWAY.folder().resolve("vault-rebuilt.jar"),
                        Map.of("Bundle-Version", "0.1.0.rebuilt"),
                        entry -> false);
        run("swap", "palyra.vault", rebuilt.toString()).ok();
        assertEquals(VALUE, reveal("global/it_swap"));
        put("global/it_swap", VALUE + "2");
        assertEquals(VALUE + "2", reveal("global/it_swap"));
    }
}

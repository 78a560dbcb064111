package palyra.itests.process;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;
import palyra.itests.Wait;

/** The boot keys under the vault's master key, which is a passphrase here. */
public class SealedKeysIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSPHRASE = "a passphrase that is long enough";

    @Rule public final TemporaryFolder folder = new TemporaryFolder();
    private Path state;
    private Path passphrase;

    @Before
    public void give() throws IOException {
        state = folder.getRoot().toPath().resolve("state");
        passphrase = folder.getRoot().toPath().resolve("passphrase");
        give(PASSPHRASE);
    }

    private void give(String text) throws IOException {
        Files.writeString(passphrase, text);
        Files.setPosixFilePermissions(passphrase, PosixFilePermissions.fromString("rw-------"));
    }

    private GatewayProcess start(boolean sealed) throws IOException {
        return GatewayProcess.start(
                Dist.folder(),
                state,
                "--set",
                "palyra.vault:keySource=passphrase",
                "--set",
                "palyra.vault:passphraseFrom=file:" + passphrase,
                "--set",
                "palyra.vault:sealBootKeys=" + sealed);
    }

    private Path keyFile() {
        return state.resolve("keys/boot-keys.json");
    }

    private boolean begins(String with) throws IOException {
        return Files.readString(keyFile(), StandardCharsets.ISO_8859_1).startsWith(with);
    }

    private static void works(GatewayProcess gateway) throws Exception {
        gateway.awaitReady().client().run("tape", "verify").ok();
        assertEquals(
                "kept",
                gateway.client().run("vault", "reveal", "global/a", "--yes-show-it").ok().out());
    }

    @Test
    public void oneMasterKeyGuardsBoth() throws Exception {
        try (GatewayProcess first = start(true)) {
            first.awaitReady().client().runWith("kept", "vault", "put", "global/a").ok();
            Wait.until("the keys to be sealed", PATIENCE, () -> begins("PBK2"), first::console);
            assertTrue(
                    Files.readString(state.resolve("vault/keyring"))
                            .contains("\"source\":\"passphrase\""));
            first.kill();
        }
        try (GatewayProcess again = start(true)) {
            works(again);
            again.client().run("vault", "rotate").ok();
            again.kill();
        }
        byte[] sealed = Files.readAllBytes(keyFile());
        give("some other passphrase, as long");
        try (GatewayProcess closed = start(true)) {
            CommandClient client = closed.awaitNotReady().client();
            Wait.until(
                    "the refusal",
                    PATIENCE,
                    () -> client.run("doctor").out().contains("wrong master key"),
                    closed::console);
            String said = client.run("doctor").out();
            assertTrue(said, said.contains("sealed under the vault, which is not open"));
            assertArrayEquals(sealed, Files.readAllBytes(keyFile()));
            give(PASSPHRASE);
            Wait.until(
                    "it to try again by itself",
                    PATIENCE,
                    () -> !client.run("doctor").out().contains("[keys]"),
                    closed::console);
            works(closed);
            closed.terminate();
        }
        try (GatewayProcess plain = start(false)) {
            works(plain);
            Wait.until("the seal to be gone", PATIENCE, () -> begins("{"), plain::console);
        }
    }
}

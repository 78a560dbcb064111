package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Dist;

/** {@code palyra upgrade}: to the next version and back on recorded state, and back by itself. */
public class UpgradeIT {
    private static final String NEXT = "0.9.9";

    private static UnprivilegedGateway gateway;
    private static String before;

    @BeforeClass
    public static void open() throws Exception {
        gateway = UnprivilegedGateway.install().up();
        before = version();
        gateway.run("ask", "remember this").ok();
    }

    @AfterClass
    public static void close() throws Exception {
        gateway.run("stop");
        gateway.close();
    }

    private static String version() throws Exception {
        return gateway.run("--version").ok().out().strip();
    }

    /**
     * Packs the product as another version; {@code damage} spoils what it should not start with.
     */
    private static Path archive(String name, Damage damage) throws Exception {
        Path folder = gateway.folder().resolve("made-" + name);
        Path product = Dist.copy(folder.resolve("palyra"));
        Path api = product.resolve("bundles/5").resolve(Dist.bundle("palyra.api").getFileName());
        Files.move(api, api.resolveSibling("palyra.api-" + name + ".jar"));
        damage.to(product);
        Path archive = gateway.folder().resolve("palyra-" + name + ".tar.gz");
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "--use-compress-program=gzip -1",
                                "-cf",
                                archive.toString(),
                                "-C",
                                folder.toString(),
                                "palyra")
                        .inheritIO()
                        .start();
        assertEquals(0, tar.waitFor());
        return archive;
    }

    private interface Damage {
        void to(Path product) throws IOException;
    }

    private static String sha256(Path file) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }

    /** What was recorded is there, whole, and the gateway answers. */
    private static void assertWell() throws Exception {
        gateway.run("status").ok();
        gateway.run("tape", "verify", "--all").ok();
        String runs = gateway.run("runs").ok().out();
        assertTrue(runs, runs.contains("SUCCEEDED"));
        gateway.run("ask", "and this").ok();
    }

    @Test
    public void anArchiveThatIsNotWhatItShouldBeChangesNothing() throws Exception {
        Path archive = archive("0.0.1", product -> {});
        CommandClient.Result nothing = gateway.run("upgrade", archive.toString()).exits(64);
        assertTrue(nothing.err(), nothing.err().contains("--sha256 or --key"));
        CommandClient.Result other =
                gateway.run("upgrade", archive.toString(), "--sha256", "0".repeat(64)).exits(65);
        assertTrue(other.err(), other.err().contains(sha256(archive)));
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Path pem = publicKey(keys);
        Files.write(Path.of(archive + ".sig"), new byte[64]);
        CommandClient.Result forged =
                gateway.run("upgrade", archive.toString(), "--key", pem.toString()).exits(65);
        assertTrue(forged.err(), forged.err().contains("is not one of"));
        Path text = Files.writeString(gateway.folder().resolve("text.tar.gz"), "no archive");
        gateway.run("upgrade", text.toString(), "--sha256", sha256(text)).exits(65);
        gateway.run("upgrade", gateway.folder().resolve("none").toString()).exits(64);
        assertEquals(before, version());
        assertWell();
    }

    private static Path publicKey(KeyPair keys) throws IOException {
        String body = Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded());
        return Files.writeString(
                gateway.folder().resolve("key.pem"),
                "-----BEGIN PUBLIC KEY-----\n" + body + "\n-----END PUBLIC KEY-----\n");
    }

    /** The files of one that runs stay, also when the caller names another state folder. */
    @Test
    public void aGatewayWithAnotherStateFolderIsNotExchanged() throws Exception {
        Path archive = archive("0.0.2", product -> {});
        Set<Path> before = left();
        CommandClient.Result refused =
                gateway.runWithoutGateway(
                                gateway.folder(),
                                "upgrade",
                                archive.toString(),
                                "--sha256",
                                sha256(archive))
                        .exits(75);
        String pid = Files.readString(gateway.state().resolve("lock")).lines().findFirst().get();
        assertTrue(refused.err(), refused.err().contains("process " + pid + " runs from"));
        assertTrue(refused.err(), refused.err().contains(gateway.state() + ", not"));
        assertEquals(before, left());
        assertEquals(UpgradeIT.before, version());
        assertWell();
    }

    @Test
    public void toTheNextVersionAndBackOnRecordedState() throws Exception {
        Path next = archive(NEXT, product -> {});
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(keys.getPrivate());
        signer.update(Files.readAllBytes(next));
        Files.write(Path.of(next + ".sig"), signer.sign());
        String key = publicKey(keys).toString();
        gateway.run("upgrade", next.toString(), "--key", key).ok();
        assertEquals("palyra " + NEXT, version());
        assertWell();
        Path earlier = archive(before.substring("palyra ".length()), product -> {});
        Files.writeString(
                Path.of(earlier + ".sha256"),
                sha256(earlier) + "  " + earlier.getFileName() + "\n");
        gateway.run("upgrade", earlier.toString()).ok();
        assertEquals(before, version());
        assertWell();
    }

    @Test
    public void aVersionThatDoesNotComeUpIsTakenBackWithItsState() throws Exception {
        Path broken =
                archive(
                        "0.9.8",
                        product -> {
                            Path journal =
                                    product.resolve("bundles/5")
                                            .resolve(Dist.bundle("palyra.journal").getFileName());
                            Files.write(journal, "no jar".getBytes(StandardCharsets.UTF_8));
                        });
        CommandClient.Result back =
                gateway.run("upgrade", broken.toString(), "--sha256", sha256(broken)).exits(1);
        assertTrue(back.err(), back.err().contains("is running again with the state from before"));
        Matcher log = Pattern.compile("and why in (\\S+)").matcher(back.err());
        assertTrue(back.err(), log.find());
        String why = Files.readString(Path.of(log.group(1)));
        assertTrue(why, why.contains("palyra.journal"));
        assertTrue(back.err(), back.err().contains(why.lines().toList().getLast()));
        assertEquals(before, version());
        assertWell();
        List<Path> left;
        try (var files = Files.list(gateway.own())) {
            left = files.filter(f -> f.toString().contains("state.2")).toList();
        }
        assertFalse("two upgrades left their copies: " + left, left.size() > 2);
    }

    @Test
    public void whatAKilledUpgradeLeavesIsNamedWithTheLineThatRemovesIt() throws Exception {
        Path next = archive("0.9.7", product -> {});
        Path programs = Files.createDirectory(gateway.folder().resolve("programs"));
        // The shell that upgrades is killed when the state is copied.
        Path cp = programs.resolve("cp");
        Files.writeString(cp, "#!/bin/sh\n/bin/cp \"$@\"\nkill -9 $PPID\n");
        Files.setPosixFilePermissions(cp, PosixFilePermissions.fromString("rwxr-xr-x"));
        Set<Path> before = left();
        gateway.runWithPrograms(programs, "upgrade", next.toString(), "--sha256", sha256(next))
                .exits(137);
        assertEquals(UpgradeIT.before, version());
        assertEquals("unpacked, copied and marked", before.size() + 3, left().size());

        CommandClient.Result again =
                gateway.run("upgrade", next.toString(), "--sha256", "0".repeat(64)).exits(65);
        assertTrue(again.err(), again.err().contains("an upgrade was killed before its end"));
        assertEquals("what was unpacked is gone", before.size() + 2, left().size());
        Path broken = archive("0.9.6", product -> Files.delete(product.resolve("bin/palyra")));
        gateway.run("upgrade", broken.toString(), "--sha256", sha256(broken)).exits(65);
        assertEquals("the next does not forget it", before.size() + 2, left().size());
        gateway.up();
        String console = Files.readString(gateway.folder().resolve("console"));
        Matcher line = Pattern.compile("killed before its end; .*: (rm -rf .*)").matcher(console);
        assertTrue(console, line.find());
        Process removal = new ProcessBuilder("bash", "-c", line.group(1)).inheritIO().start();
        assertEquals(0, removal.waitFor());
        assertEquals(before, left());
        assertWell();
    }

    /** What upgrades keep beside the installation and the state folder. */
    private static Set<Path> left() throws IOException {
        Set<Path> left = new TreeSet<>();
        try (Stream<Path> home = Files.list(gateway.folder());
                Stream<Path> state = Files.list(gateway.own())) {
            home.filter(file -> file.toString().matches(".*/\\.palyra-upgrade\\.(?!lock).*"))
                    .forEach(left::add);
            state.filter(file -> file.toString().matches(".*/state\\.2.*")).forEach(left::add);
        }
        return left;
    }
}

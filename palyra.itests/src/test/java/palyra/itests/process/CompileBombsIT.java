package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;
import palyra.testing.wasm.engine.CompileBombs;

/** Signed modules that cost a compiler more than there is: the gateway says so, and goes on. */
public class CompileBombsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final String BUDGET = "1000 ms of processor time";
    private static final int TRY_AGAIN = 75; // EX_TEMPFAIL, as ExitCodes has it

    private static UnprivilegedGateway gateway;
    private static CommandClient client;
    private static String key;

    @BeforeClass
    public static void start() throws Exception {
        gateway =
                UnprivilegedGateway.install()
                        .up(
                                "--set",
                                UnprivilegedGateway.LET_THE_TEST_IN,
                                "--set",
                                "palyra.skills.engine.endive:compileCpuSeconds=1");
        client = gateway.client();
        key = gateway.folder().resolve("bombs.pem").toString();
        gateway.run("skills", "keygen", key).ok();
        Wait.until(
                "tier B to be proven",
                PATIENCE,
                () -> client.run("sandbox", "run", "--tier", "b", "--", "true").exit() == 0,
                () -> "see sandbox list");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
    }

    private static Path module(String name, byte[] module) throws IOException {
        Path folder = Files.createDirectories(gateway.folder().resolve(name).resolve("modules"));
        return Files.write(folder.resolve("bomb.wasm"), module);
    }

    /** Packs and signs a module, as its maker does. */
    private static String signed(String name, byte[] module) throws Exception {
        Path folder = module(name, module).getParent().getParent();
        Files.writeString(
                folder.resolve("skill.toml"),
                """
                manifest_version = 3
                skill_id = "bombs.%s"
                name = "Bomb"
                version = "1.0.0"
                publisher = "bombs"

                [[entrypoints.tools]]
                id = "bombs.%s"
                name = "bomb"
                description = "Costs much to compile."
                module = "modules/bomb.wasm"
                input_schema = { type = "object" }
                """
                        .formatted(name, name));
        String unsigned = folder + ".unsigned";
        String artifact = folder + ".palyra-skill";
        gateway.run("skills", "build", folder.toString(), "-o", unsigned).ok();
        gateway.run("skills", "sign", unsigned, "--key", key, "-o", artifact).ok();
        return artifact;
    }

    private static void refused(CommandClient.Result result, String figure) throws Exception {
        assertTrue(result.toString(), result.exit() != 0);
        assertTrue(result.toString(), (result.out() + result.err()).contains(figure));
        assertEquals("the gateway is another", gateway.pid(), pid());
    }

    /** A host that is too busy for a judgement says so, and is asked again. */
    private static CommandClient.Result judged(String... words) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        CommandClient.Result result = client.run(words);
        while (result.exit() == TRY_AGAIN && System.nanoTime() < deadline) {
            result = client.run(words);
        }
        return result;
    }

    private static long pid() throws IOException {
        return client.run("status", "--json").ok().json().path("pid").asLong();
    }

    private void refusesToInstall(String name, byte[] module, String figure) throws Exception {
        String artifact = signed(name, module);
        refused(judged("skills", "install", artifact, "--yes"), figure);
        JsonNode all = client.run("skills", "list", "--json").json();
        assertTrue(all.toString(), !all.toString().contains(name));
    }

    @Test
    public void survivesManyFunctionsOfManyBlocksAndSaysTheFigure() throws Exception {
        byte[] module = CompileBombs.manyBlocks();
        refusesToInstall("many-blocks", module, "2475000 blocks in all functions together");
        refused(
                client.run("skills", "run", module("blocks", module).toString()),
                "2475000 blocks in all functions together");
    }

    @Test
    public void survivesManyLoopsInFewFunctionsAndSaysTheFigure() throws Exception {
        byte[] module = CompileBombs.manyLoops();
        refusesToInstall("many-loops", module, "344000 blocks in all functions together");
        refused(
                client.run("skills", "run", module("loops", module).toString()),
                "function 0 has 21500 blocks, at most 8192");
    }

    @Test
    public void refusesWhatOnlyACompilerFindsOutAndSaysTheFigure() throws Exception {
        byte[] module = CompileBombs.loops(8_192, 16);
        refusesToInstall("slow", module, BUDGET);
        refused(judged("skills", "run", module("slower", module).toString()), BUDGET);
    }

    @Test
    public void doctorSaysWhatConfinesTheCompiler() throws Exception {
        String said = client.run("doctor").out();
        assertTrue(said, said.contains("compiled in a process of their own under Tier B"));
    }
}

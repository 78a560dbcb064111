package palyra.itests.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import palyra.itests.Dist;

/**
 * The skill in {@code src/test/skills/marker}, packed and signed in as many versions as a test
 * wants. Its answers name the build of its module; the builds differ in nothing else.
 */
final class MarkerSkill {
    static final String ID = "palyra-itests.marker";

    private static final String PUBLISHER = "palyra-itests.";
    private static final String BUILT_AS = "build-1";

    private final UnprivilegedGateway gateway;
    private final Path key;

    /** Makes a key of its own. */
    MarkerSkill(UnprivilegedGateway gateway) throws Exception {
        this.gateway = gateway;
        this.key = gateway.folder().resolve("marker.pem");
        gateway.run("skills", "keygen", key.toString()).ok();
    }

    /** Returns the whole name of one of its tools. */
    static String tool(String name) {
        return PUBLISHER + name;
    }

    /**
     * Makes a version, as its maker does, without the gateway.
     *
     * @param build what its answers say, such as {@code build-2}; as long as the module's own
     * @param words what the description of the tool {@code stamp} begins with
     * @return the artifact, which every user can read
     */
    Path version(String version, String build, String words) throws Exception {
        Path folder = Files.createDirectory(gateway.folder().resolve("marker-" + version));
        Path source = Dist.root().resolve("palyra.itests/src/test/skills/marker");
        Files.writeString(
                folder.resolve("skill.toml"),
                replaced(
                        replaced(
                                Files.readString(source.resolve("skill.toml"), UTF_8),
                                "version = \"1.0.0\"",
                                "version = \"" + version + "\""),
                        "Computes for",
                        words),
                UTF_8);
        Files.createDirectory(folder.resolve("modules"));
        Path module = Path.of("modules", "marker.wasm");
        Files.write(folder.resolve(module), rebuilt(source.resolve(module), build));
        Path artifact = gateway.folder().resolve("marker-" + version + ".palyra-skill");
        String unsigned = artifact + ".unsigned";
        gateway.run("skills", "build", folder.toString(), "-o", unsigned).ok();
        gateway.run("skills", "sign", unsigned, "--key", key.toString(), "-o", artifact.toString())
                .ok();
        return artifact;
    }

    private static byte[] rebuilt(Path module, String build) throws IOException {
        if (build.length() != BUILT_AS.length()) {
            throw new IllegalArgumentException(build + " is not as long as " + BUILT_AS);
        }
        String bytes = new String(Files.readAllBytes(module), ISO_8859_1);
        return replaced(bytes, BUILT_AS, build).getBytes(ISO_8859_1);
    }

    private static String replaced(String text, String part, String other) {
        if (text.indexOf(part) < 0 || text.indexOf(part) != text.lastIndexOf(part)) {
            throw new IllegalStateException("'" + part + "' is not there exactly once");
        }
        return text.replace(part, other);
    }

    /** Returns the number that the tool {@code stamp} computes. */
    static long stamp(String text, int rounds) {
        int sum = 0x811c9dc5;
        for (int round = 0; round < rounds; round++) {
            for (byte each : text.getBytes(UTF_8)) {
                sum = (sum ^ (each & 0xff)) * 16_777_619;
            }
        }
        return Integer.toUnsignedLong(sum);
    }

    /** Calls a tool of the active version by hand; returns its answer. */
    static CommandClient.Result run(CommandClient client, String tool, String inputJson)
            throws IOException {
        return client.run(
                "skills", "run", ID, "--tool", tool(tool), "--input", inputJson, "--json");
    }

    /** Returns how many marks there are whose names begin so. */
    static long marks(CommandClient client, String prefix) throws IOException {
        String output =
                run(client, "count", "{\"text\":\"" + prefix + "\"}")
                        .ok()
                        .json()
                        .path("output")
                        .asText();
        return CommandClient.JSON.readTree(output).path("number").asLong();
    }
}

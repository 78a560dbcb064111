package palyra.skills.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import palyra.skills.internal.artifact.ArtifactBuilder;
import palyra.skills.internal.artifact.SkillKey;

/** A skill's source, changed as a test wants it, and the artifact of it. */
public final class Samples {
    public static final SkillKey KEY = SkillKey.read("11".repeat(32).getBytes());
    public static final SkillKey OTHER = SkillKey.read("22".repeat(32).getBytes());
    public static final long TIME = 1_700_000_000_000L;

    private int format = 3;
    private String version = "1.0.0";
    private String publisher = "acme";
    private String skill = "acme.weather";
    private String capabilities = "";
    private String description = "Tells the weather.";
    private String compat = "";
    private String operator = "[operator]\ndisplay_name = \"Weather\"\n";
    private final Map<String, byte[]> files = new LinkedHashMap<>();

    public Samples() {
        files.put("modules/weather.wasm", new TinyWasm().exports("palyra_call").bytes());
    }

    /** Sets manifest_version, which is 3. */
    public Samples format(int number) {
        format = number;
        return this;
    }

    public Samples version(String text) {
        version = text;
        return this;
    }

    public Samples publisher(String text) {
        publisher = text;
        return this;
    }

    public Samples skill(String text) {
        skill = text;
        return this;
    }

    public Samples capabilities(String toml) {
        capabilities = toml;
        return this;
    }

    /** What stands in the section about Palyra. */
    public Samples compat(String toml) {
        compat = "[compat]\n" + toml + "\n";
        return this;
    }

    public Samples description(String text) {
        description = text;
        return this;
    }

    public Samples operator(String toml) {
        operator = toml;
        return this;
    }

    public Samples file(String path, byte[] content) {
        files.put(path, content);
        return this;
    }

    public Samples module(TinyWasm module) {
        return file("modules/weather.wasm", module.bytes());
    }

    public String toml() {
        return "manifest_version = "
                + format
                + "\nskill_id = \""
                + skill
                + "\"\nname = \"Weather\"\nversion = \""
                + version
                + "\"\npublisher = \""
                + publisher
                + "\"\n\n[[entrypoints.tools]]\nid = \""
                + publisher
                + ".weather_get\"\nname = \"get\"\ndescription = '''"
                + description
                + "'''\nmodule = \"modules/weather.wasm\"\n"
                + "input_schema = { type = \"object\" }\n\n"
                + capabilities
                + "\n"
                + compat
                + operator;
    }

    public byte[] unsigned() {
        try {
            Path folder = Files.createTempDirectory("skill");
            Files.writeString(folder.resolve("skill.toml"), toml());
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, file.getValue());
            }
            try {
                return ArtifactBuilder.build(folder);
            } finally {
                new palyra.shared.files.DurableFiles().delete(folder);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    public byte[] signed() {
        return signed(KEY);
    }

    public byte[] signed(SkillKey key) {
        return ArtifactBuilder.sign(unsigned(), key, TIME);
    }
}

package palyra.skills.internal.artifact;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.skills.internal.offline.Templates;

/** What authors of skills start from: the examples, and the templates with their copies of SDKs. */
class ExamplesTest {
    private static final Path SKILLS = Path.of("../examples/skills");
    private static final Path TEMPLATES = Path.of("target/classes/palyra/skills/templates");

    @TempDir Path folder;

    private static Artifact packed(Path source) {
        byte[] file = ArtifactBuilder.build(source);
        return Artifact.verify(ArtifactBuilder.sign(file, SkillKey.generate(), 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"echo-http", "wordcount-c", "slugify-rust", "sdk/tests"})
    void anExampleIsBuiltSignedAndVerified(String example) {
        Artifact artifact = packed(SKILLS.resolve(example));
        assertEquals("palyra-examples", artifact.manifest().publisher());
        assertFalse(artifact.manifest().tools().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"minimal", "c", "assemblyscript", "rust"})
    void aTemplateIsBuiltSignedAndVerifiedAsItIs(String template) throws IOException {
        Path skill = folder.resolve("skill");
        Templates.write(skill, template, "acme", "acme.hello");
        Artifact artifact = packed(skill);
        assertEquals("acme.hello", artifact.manifest().id().skill());
    }

    @ParameterizedTest
    @ValueSource(strings = {"c", "assemblyscript", "rust"})
    void theIndexOfATemplateListsItsFolder(String template) throws IOException {
        Path root = TEMPLATES.resolve(template);
        try (Stream<Path> files = Files.walk(root)) {
            TreeSet<String> there =
                    files.filter(Files::isRegularFile)
                            .map(file -> root.relativize(file).toString())
                            .filter(file -> !file.equals("files.txt"))
                            .collect(Collectors.toCollection(TreeSet::new));
            List<String> listed =
                    Files.readAllLines(root.resolve("files.txt")).stream()
                            .filter(line -> !line.isBlank())
                            .toList();
            assertEquals(there, new TreeSet<>(listed));
        }
    }

    @Test
    void theTemplatesHoldTheSdks() throws IOException {
        for (String sdk :
                List.of("c/palyra_skill.h", "rust/palyra_skill.rs", "assemblyscript/palyra.ts")) {
            Path original = SKILLS.resolve("sdk").resolve(sdk);
            String name = original.getFileName().toString();
            try (Stream<Path> files = Files.walk(TEMPLATES.resolve(sdk.split("/", 2)[0]))) {
                List<Path> copies =
                        files.filter(file -> file.getFileName().toString().equals(name)).toList();
                assertEquals(1, copies.size(), sdk);
                assertArrayEquals(Files.readAllBytes(original), Files.readAllBytes(copies.get(0)));
            }
        }
    }
}

package palyra.skills.internal.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The C template's build, with a compiler that behaves as clang does where Binaryen is installed: a
 * link with an option of optimisation removes its output, because wasm-opt does not take it.
 */
class TemplateBuildTest {
    private static final String CLANG =
            """
            #!/bin/sh
            out=; compile=no; optimise=no; previous=
            for each in "$@"; do
                [ "$previous" = -o ] && out=$each
                case $each in -c) compile=yes ;; -O*) optimise=yes ;; esac
                previous=$each
            done
            [ -n "$BROKEN" ] && { rm -f "$out"; exit 1; }
            [ $compile = no ] && [ $optimise = yes ] && { rm -f "$out"; exit 1; }
            echo built > "$out"
            """;

    @TempDir Path work;
    private Path module;

    @BeforeEach
    void template() throws IOException {
        module = work.resolve("modules/skill.wasm");
        Files.createDirectories(module.getParent());
        Files.writeString(module, "prebuilt");
        try (InputStream in =
                Templates.class.getResourceAsStream("/palyra/skills/templates/c/build.sh")) {
            Files.write(work.resolve("build.sh"), in.readAllBytes());
        }
        Path clang = work.resolve("clang");
        Files.writeString(clang, CLANG);
        assertTrue(clang.toFile().setExecutable(true));
    }

    private int build(String broken) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "build.sh").directory(work.toFile());
        builder.environment().put("CLANG", work.resolve("clang").toString());
        builder.environment().put("BROKEN", broken);
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "the build takes too long");
        return process.exitValue();
    }

    @Test
    void buildsTheCTemplateWhereBinaryenIsInstalled() throws Exception {
        assertEquals(0, build(""));
        assertEquals("built\n", Files.readString(module));
    }

    @Test
    void keepsThePrebuiltModuleWhenTheBuildFails() throws Exception {
        assertNotEquals(0, build("yes"));
        assertEquals("prebuilt", Files.readString(module));
    }
}

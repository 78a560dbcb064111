package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static palyra.sandbox.internal.files.FilesFixture.succeeded;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GitIgnoreTest {
    private static final String RULES =
            """
            # a comment
            *.log
            !keep.log
            build/
            /top
            doc/*.txt
            a/**/z
            \\#odd
            file[0-9].c
            [!x]y
            trailing\\ \s
            **/deep/er
            gone/**
            /spaced name

            *~
            """;

    @TempDir Path temp;
    private FilesFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new FilesFixture(temp);
        fixture.file(".gitignore", RULES);
        fixture.file("sub/.gitignore", "!b.log\n*.md\n/only\n");
        for (String path :
                """
                a.log keep.log sub/keep.log sub/b.log sub/c.log build/x sub/build/x top sub/top
                doc/a.txt doc/sub/a.txt a/z a/b/z a/b/c/z #odd file1.c fileX.c xy ay deep/er q/deep/er
                gone/a/b README.md sub/README.md sub/only sub/x/only a~ src/build.c
                """
                        .split("\\s+")) {
            if (!path.isEmpty()) {
                fixture.file(path, "needle\n");
            }
        }
        fixture.file("trailing ", "needle\n");
        fixture.file("spaced name", "needle\n");
    }

    private TreeSet<String> found(Object... more) throws Exception {
        Object[] fields = new Object[more.length + 2];
        fields[0] = "pattern";
        fields[1] = "needle";
        System.arraycopy(more, 0, fields, 2, more.length);
        TreeSet<String> found = new TreeSet<>();
        JsonNode output = succeeded(new SearchTool(() -> fixture.workspaces), fields);
        output.path("matches").forEach(match -> found.add(match.path("path").asText()));
        return found;
    }

    @Test
    void leavesOutWhatGitLeavesOut() throws Exception {
        Process init = git("init", "-q");
        Assumptions.assumeTrue(init.waitFor() == 0, "git is here");
        Process list = git("ls-files", "-z", "--others", "--exclude-standard");
        TreeSet<String> wanted = new TreeSet<>();
        String all = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        for (String path : all.split("\0")) {
            if (Files.readString(fixture.workspace.resolve(path)).equals("needle\n")) {
                wanted.add(path);
            }
        }
        assertEquals(0, list.waitFor());
        assertEquals(wanted, found());
        assertEquals(30, found("include_ignored", true).size());
    }

    private Process git(String... command) throws IOException {
        String[] argv = new String[command.length + 1];
        argv[0] = "git";
        System.arraycopy(command, 0, argv, 1, command.length);
        ProcessBuilder builder = new ProcessBuilder(argv).directory(fixture.workspace.toFile());
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("HOME", temp.toString());
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    @Test
    void rulesOfFoldersAboveHoldBelow() throws Exception {
        assertEquals(
                new TreeSet<>(
                        java.util.Set.of("sub/b.log", "sub/keep.log", "sub/top", "sub/x/only")),
                found("path", "sub"));
    }

    @Test
    void aListTellsWhatIsIgnoredAndDoesNotEnterIt() throws Exception {
        ListDirTool tool = new ListDirTool(() -> fixture.workspaces);
        JsonNode deep = succeeded(tool, "depth", 9, "glob", "build/**");
        assertEquals(0, deep.path("entries").size(), deep.toString());
        JsonNode all = succeeded(tool, "depth", 9, "glob", "build", "include_ignored", true);
        assertEquals(2, all.path("entries").size(), all.toString());
        JsonNode told = succeeded(tool, "depth", 2, "glob", "build");
        assertEquals(true, told.at("/entries/0/ignored").asBoolean(), told.toString());
        assertEquals(false, succeeded(tool, "glob", "build").at("/entries/0").has("ignored"));
    }

    @Test
    void rulesThatAreALinkTooLongOrMadeToTakeForeverDoNoHarm() throws Exception {
        Files.delete(fixture.workspace.resolve(".gitignore"));
        Files.createSymbolicLink(
                fixture.workspace.resolve(".gitignore"), fixture.outside.resolve("secret"));
        assertEquals(true, found().contains("a.log"));
        Files.delete(fixture.workspace.resolve(".gitignore"));
        fixture.file(
                ".gitignore",
                "*a".repeat(300) + "\n" + "*".repeat(200_000) + "\n[\n[a\n!\n/\n\\\n");
        assertEquals(true, found().contains("a.log"));
    }
}

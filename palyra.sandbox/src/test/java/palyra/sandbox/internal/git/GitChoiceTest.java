package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the git of the host. */
final class GitChoiceTest {
    private static final String COMMIT =
            " commit -q --allow-empty -m x && git log -1 --format='%an <%ae> %cn <%ce>'";

    @TempDir Path folder;

    private String sh(GitChoice choice, String script) throws Exception {
        Path home = Files.createDirectories(folder.resolve("home"));
        ProcessBuilder shell = new ProcessBuilder("/bin/sh", "-ec", script);
        shell.directory(home.toFile()).redirectErrorStream(true);
        Map<String, String> environment = shell.environment();
        environment.keySet().removeIf(name -> name.startsWith("GIT_") || name.equals("EMAIL"));
        environment.remove("XDG_CONFIG_HOME");
        environment.put("HOME", home.toString());
        environment.putAll(choice.environment(folder, "agent"));
        Process process = shell.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), script + ": " + said);
        return said.strip();
    }

    @Test
    void theAgentCommitsUnlessGitIsToldOtherwise() throws Exception {
        GitChoice choice = GitChoice.DEFAULT;
        String agent = "agent <agent@agents.invalid>";
        assertEquals(agent + " " + agent, sh(choice, "git init -q .; git" + COMMIT));
        assertEquals("main", sh(choice, "git branch --show-current"));
        String zed = "Zed <z@example.org>";
        assertEquals(
                zed + " " + zed,
                sh(choice, "git -c user.name=Zed -c user.email=z@example.org" + COMMIT));
        String eve = "Eve <agent@agents.invalid>";
        assertEquals(
                eve + " " + eve, sh(choice, "git config --global user.name Eve && git" + COMMIT));
        String bob = "Bob <agent@agents.invalid>";
        assertEquals(
                bob + " " + bob + "\ntrunk",
                sh(
                        choice,
                        "git config user.name Bob && git"
                                + COMMIT
                                + " && git config --global init.defaultBranch trunk"
                                + " && git init -q new && git -C new branch --show-current"));
    }

    @Test
    void everyRepositoryIsTheUsersOwn() throws Exception {
        assertEquals("*", sh(GitChoice.DEFAULT, "git config --system --get-all safe.directory"));
    }

    @Test
    void aNameIsAsItWasChosenAlsoWhenItChanges() throws Exception {
        for (String name : List.of("O'Neill \"\\ #; é", "Other")) {
            GitChoice choice = new GitChoice("checked", name, "o@example.org");
            assertEquals(name, sh(choice, "git config user.name"));
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertFalse(
                    files.anyMatch(file -> file.toString().endsWith(".part")), "nothing is left");
        }
    }
}

package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of settings, made by a generator with a fixed seed; the oracle is the real git. */
class GitConfigTest {
    private static final String[] PARTS = {
        "[core]",
        "[Core]",
        "[a \"B\"]",
        "[a \"x\\\"]\\\\y\"]",
        "[a.B]",
        "[a \"\"]",
        "[ a]",
        "[a b]",
        "[include]",
        "\n",
        "\r\n",
        "\r",
        "\n",
        " ",
        "\t",
        "x",
        "fsmonitor",
        "path",
        "a-1",
        "=",
        " = ",
        "\"",
        "\\",
        "\\n",
        "\\\"",
        "\\\\",
        "\\\n",
        "\\\r\n",
        "\\x",
        "#",
        ";",
        "v",
        "value two",
        "!evil",
        "]",
        "[",
        "\u00ef\u00bb\u00bf",
        "\u00e9",
        "\u000b",
        "\f",
        "'",
        "1",
        "-",
        ".",
        "x=y\n",
        "\ny = z"
    };

    /** Each starts git up to three times. */
    private static final int ROUNDS = Boolean.getBoolean("palyra.test.full") ? 1_500 : 400;

    @TempDir Path folder;

    /** Returns what git reads, as {@code name NUL value}; empty when it finds a mistake. */
    private Optional<List<String>> git(String text) throws IOException, InterruptedException {
        Path file = folder.resolve("config");
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
        Process git =
                new ProcessBuilder(
                                "git",
                                "config",
                                "--no-includes",
                                "--file",
                                file + "",
                                "-z",
                                "--list")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        if (git.waitFor() != 0) {
            return Optional.empty();
        }
        List<String> read = new ArrayList<>();
        for (String entry : out.split("\0")) {
            if (!entry.isEmpty()) {
                read.add(plain(entry));
            }
        }
        return Optional.of(read);
    }

    private static List<String> names(GitConfig config) {
        return config.entries().stream()
                .map(one -> one.value() == null ? one.name() : one.name() + "\n" + one.value())
                .map(GitConfigTest::plain)
                .toList();
    }

    /** Before 2.45 git makes a space of each white space within a value. */
    private static String plain(String text) {
        return text.replace('\t', ' ').replace('\r', ' ');
    }

    @Test
    void whateverGitReadsIsReadTheSameOrNotAtAll() throws Exception {
        Random random = new Random(22);
        int same = 0;
        int stricter = 0;
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder(random.nextInt(4) == 0 ? "" : "[core]");
            for (int part = random.nextInt(14); part > 0; part--) {
                text.append(PARTS[random.nextInt(PARTS.length)]);
            }
            Optional<List<String>> read = git(text.toString());
            Optional<GitConfig> mine = GitConfig.read(text.toString());
            if (read.isPresent() && mine.isPresent()) {
                same++;
                assertEquals(read.get(), names(mine.get()), "in '" + text + "'");
                written(mine.get());
            } else if (read.isPresent()) {
                stricter++;
            }
        }
        assertTrue(same > ROUNDS / 8, same + " the same");
        assertTrue(stricter < same / 5, stricter + " that git takes are refused, " + same + " not");
    }

    /** What is cut out is gone for git, what is written is there, and the rest is as it was. */
    private void written(GitConfig config) throws Exception {
        if (config.entries().isEmpty()) {
            return;
        }
        List<GitConfig.Entry> cut = List.of(config.entries().get(config.entries().size() / 2));
        List<String> left = new ArrayList<>(names(config));
        left.remove(config.entries().size() / 2);
        assertEquals(
                Optional.of(left), git(config.without(cut)), "without one of '" + config.text());
        left.addAll(names(new GitConfig("", cut)));
        assertEquals(Optional.of(left), git(config.without(cut) + GitConfig.written(cut)));
    }
}

package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** What commands prepare so that a person's git runs it, or writes elsewhere. */
abstract class GitAttacks extends GitCommands {
    static final String COMMIT = "git commit -q --allow-empty -m x";

    Path mark;

    /**
     * An attack.
     *
     * @param outside what a person does later
     * @param commands what commands do before; M makes the mark, HOME is the person's
     */
    record Attack(String outside, List<String> commands) {
        static Attack of(String outside, String... commands) {
            return new Attack(outside, List.of(commands));
        }

        @Override
        public String toString() {
            return commands.toString();
        }
    }

    @BeforeEach
    void prepareMark() throws IOException {
        mark = folder.toRealPath().resolve("ran");
    }

    void prepareRepository() throws Exception {
        sh(
                "git init -q . && git config user.useConfigOnly false && git config user.email a@b"
                        + " && git config user.name a && echo a > a && git add a"
                        + " && git commit -qm first");
        sh("touch ../.bashrc ../.profile");
    }

    String filled(String script) {
        return script.replaceAll("\\bM\\b", "touch " + mark);
    }

    void outside(Attack attack) throws Exception {
        sh(
                "unset GIT_AUTHOR_NAME GIT_COMMITTER_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_EMAIL;"
                        + " export PATH=\"$PATH:$PWD/../bin\" GIT_EDITOR=true; ( "
                        + filled(attack.outside())
                        + " ) >/dev/null 2>&1 || true");
    }

    /** The attack works where nothing is reviewed, and does not where it is. */
    void isUndone(Attack attack) throws Exception {
        prepareRepository();
        for (String command : attack.commands()) {
            sh(filled(command));
        }
        outside(attack);
        assertTrue(Files.deleteIfExists(mark), "the attack works where nothing is reviewed");

        sh("cd ..; rm -rf from logs bin short .bashrc .profile workspace"); // in any length
        Files.createDirectory(workspace);
        prepareRepository();
        int notes = 0;
        for (String command : attack.commands()) {
            notes += command(filled(command)).size();
        }
        assertTrue(notes > 0, "it is told");
        outside(attack);
        assertFalse(Files.exists(mark));
        harmless("true");
    }

    void refused(String why) {
        PalyraException refusal =
                assertThrows(
                        PalyraException.class, () -> protection.begin(workspace, NAMES, List.of()));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refusal.code());
        assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
    }
}

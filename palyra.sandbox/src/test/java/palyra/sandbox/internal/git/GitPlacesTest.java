package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import palyra.shared.files.FileTree;

/**
 * Commands of a session that lead a person's git to what they keep in the session's home that is
 * not looked at. Each is tried without the review as well, which shows that it would run code.
 */
class GitPlacesTest extends GitCommands {
    private Path home;
    private Path mark;

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectories(folder.toRealPath().resolve(".sessions/s/home"));
        mark = folder.toRealPath().resolve("ran");
    }

    /**
     * An attack.
     *
     * @param outside what a person does later
     * @param commands what commands do before; H is the session's home
     */
    private record Attack(String outside, List<String> commands) {
        static Attack of(String outside, String... commands) {
            return new Attack(outside, List.of(commands));
        }

        @Override
        public String toString() {
            return commands.toString();
        }
    }

    private static final String STATUS = "git status";
    private static final String PUSH = "git push origin HEAD:x; git push; git push . HEAD:y";

    static Stream<Attack> attacks() {
        return Stream.of(
                // Pointers that readers could take for others.
                Attack.of(
                        STATUS,
                        "git init -q --bare ok; mkdir '.git/ ..'; ln -s H/r '.git/ ../ok';"
                                + " printf ' ../ok\\n' > .git/commondir"),
                Attack.of(
                        "cd sub; git status",
                        "mkdir sub; cd sub; git init -q --bare r; ln -s H/r ' r';"
                                + " printf 'gitdir:  r\\n' > .git"),
                Attack.of(
                        "cd sub; git status",
                        "mkdir sub; cd sub; git init -q --bare \"$(printf '\\303\\203\\302\\244')\";"
                                + " ln -s H/r \"$(printf '\\303\\244')\";"
                                + " printf 'gitdir: \\303\\244\\n' > .git"),
                // Places that are exchanged after the pointer was looked at.
                Attack.of(
                        STATUS,
                        "mkdir gitdata; rm -rf .git; git init -q --separate-git-dir=gitdata/r .",
                        "rm -rf gitdata; ln -s H gitdata"),
                Attack.of(
                        STATUS,
                        "mkdir c; cp -r .git c/r; echo ../c/r > .git/commondir",
                        "rm -rf c; ln -s H c"),
                Attack.of(PUSH, "git remote add origin up/evil.git", "ln -s H up"),
                Attack.of(
                        PUSH,
                        "git remote add origin up/evil",
                        "mkdir up; ln -s H/evil.git up/evil.git"),
                // Links to links, and to what is above.
                Attack.of(
                        PUSH,
                        "mkdir d; ln -s ../../.sessions d/one; ln -s d/one/s two;"
                                + " git remote add origin two/home/evil.git"),
                Attack.of(
                        PUSH,
                        "ln -s ../../.. .git/objects/info/up;"
                                + " git remote add origin .git/objects/info/up/../.sessions/s/home/evil.git"),
                // Names of remotes that are paths.
                Attack.of(PUSH, "ln -s H up; git config branch.main.remote up/evil.git"),
                Attack.of(PUSH, "git config branch.main.remote H/evil.git"),
                Attack.of(PUSH, "git config branch.main.pushRemote ../.sessions/s/home/evil.git"),
                Attack.of(PUSH, "git config remote.pushDefault H/evil.git"),
                Attack.of(PUSH, "git remote add origin file:///$(echo H | cut -c2-)/evil.git"),
                Attack.of(
                        PUSH,
                        "git remote add origin file:///$(echo H | sed 's/\\.sess/%2esess/')/evil.git"),
                Attack.of(
                        PUSH,
                        "git remote add origin Xions/s/home/evil.git;"
                                + " git config url.../.sess.insteadOf X"),
                Attack.of(
                        PUSH,
                        "git remote add origin https://h.example/evil.git;"
                                + " git config url.H/.pushInsteadOf https://h.example/"),
                Attack.of(
                        PUSH,
                        "mkdir -p .git/remotes; echo 'URL: H/evil.git' > .git/remotes/origin"),
                Attack.of(PUSH, "mkdir -p .git/branches; echo H/evil.git > .git/branches/origin"),
                // Repositories below the folder of another.
                Attack.of(
                        PUSH,
                        "cp -r H/evil.git .git/evil.git; git remote add origin .git/evil.git"),
                Attack.of(
                        "cd way; git status",
                        "mkdir -p .git/modules; ln -s H/r .git/modules/way; mkdir way;"
                                + " echo 'gitdir: ../.git/modules/way' > way/.git"));
    }

    private void prepareRepository() throws Exception {
        sh(
                "git init -q . && git config push.default current && git config user.useConfigOnly false"
                        + " && echo a > a && git add a && git commit -qm first");
        sh("git branch -q -M main; cp -r .git " + home.resolve("r"));
        sh("git config -f " + home + "/r/config core.fsmonitor 'touch " + mark + "; false'");
        String hook = home + "/evil.git/hooks/pre-receive";
        sh("git init -q --bare " + home + "/evil.git; mkdir -p " + home + "/evil.git/hooks");
        sh("printf '#!/bin/sh\\ntouch " + mark + "\\n' > " + hook + "; chmod +x " + hook);
    }

    private String filled(String script) {
        return script.replaceAll("\\bH\\b", home.toString());
    }

    private void outside(Attack attack) throws Exception {
        sh("{ " + attack.outside() + "; } >/dev/null 2>&1 || true");
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void nothingLeadsGitOutsideToWhatASessionKeeps(Attack attack) throws Exception {
        prepareRepository();
        for (String command : attack.commands()) {
            sh(filled(command));
        }
        outside(attack);
        assertTrue(Files.deleteIfExists(mark), "the attack works where nothing is reviewed");

        FileTree.remove(workspace);
        FileTree.remove(home);
        Files.createDirectory(workspace);
        Files.createDirectory(home);
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

    @Test
    void noWayThroughAProcessIsTaken() throws Exception {
        prepareRepository();
        Process held = new ProcessBuilder("sleep", "1000").directory(home.toFile()).start();
        try {
            String way = "/proc/" + held.pid() + "/cwd";
            undone(1, "remote.origin.url", "git remote add origin " + way + "/evil.git");
            undone(1, "branch.main.remote", "git config branch.main.remote " + way + "/evil.git");
            undone(1, "The link way", "ln -s " + way + " way");
            undone(1, "The link way", "ln -s /proc/self/cwd/../.. way");
            outside(Attack.of(PUSH));
            assertFalse(Files.exists(mark));
        } finally {
            held.destroyForcibly().waitFor();
        }
    }

    @Test
    void linksThatLeadNowhereIntoASessionStay() throws Exception {
        repository();
        harmless(
                "ln -s a one; ln -s ../elsewhere two; ln -s /etc three; ln -s four four;"
                        + " ln -s /dev/stdout five; mkdir -p .sessions; ln -s .sessions/x six;"
                        + " ln -s \"$(printf '/x\\377')\" seven; ln -s /home/sandbox/x eight");
        for (String name : "one two three four five six seven eight".split(" ")) {
            assertTrue(Files.exists(workspace.resolve(name), LinkOption.NOFOLLOW_LINKS), name);
        }
    }

    /** A person's own files may lead where they like, as long as they lead to the same place. */
    @Test
    void whatLeadsElsewhereThanBeforeIsSetAside() throws Exception {
        repository();
        sh("git clone -q . ../mine; git init -q ../other; mkdir w");
        sh("echo gitdir: ../../mine/.git > w/.git; git -C w config alias.own '!own'");
        harmless("touch w/x");
        assertEquals("!own", sh("git -C w config alias.own"));
        undone(1, "w/.git", "echo gitdir: ../../other/.git > w/.git");
        assertEquals("!own", sh("git -C w config alias.own"));
        sh("mkdir t; git config core.worktree ../t; git config core.pager mine");
        harmless("true");
        undone(1, "core.worktree", "rmdir t; ln -s ../other t");
        assertEquals("mine", sh("git config core.pager; git config core.worktree || true"));
    }

    @Test
    void everydayUseOfOtherPlacesStays() throws Exception {
        repository();
        sh("git init -q --bare ../up.git");
        for (String script :
                List.of(
                        "git remote add origin ../up.git && git push -q -u origin HEAD",
                        "git config branch.x.remote origin && git config branch.x.pushRemote .",
                        "git clone -q -s . shared && git -C shared log -1",
                        "git worktree add -q tree && git worktree move tree moved",
                        "mkdir data && git init -q --separate-git-dir=data/repo sep && git -C sep status",
                        "mv sep set && git -C set status && git -C set init -q")) {
            harmless(script);
        }
    }
}

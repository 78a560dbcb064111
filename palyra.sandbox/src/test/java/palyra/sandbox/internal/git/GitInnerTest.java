package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What commands put among git's own files so that a person's git runs it or writes elsewhere. Each
 * attack is made without the review as well, which shows that it works.
 */
class GitInnerTest extends GitAttacks {
    static Stream<Attack> attacks() {
        String identity = "git config user.name 'x; M; #'";
        return Stream.of(
                // A folder that is no repository by itself is one by what leads to it.
                Attack.of(
                        "git status",
                        "cp -r .git common; echo ../common > .git/commondir",
                        "rm -f common/HEAD; git config -f common/config core.fsmonitor 'M; false'"),
                Attack.of(
                        "git status",
                        "cp -r .git common; rm common/HEAD;"
                                + " git config -f common/config core.fsmonitor 'M; false';"
                                + " echo ../common > .git/commondir"),
                // What git appends to leads to what a shell runs.
                Attack.of(
                        COMMIT + "; sh ../.bashrc",
                        identity + "; rm .git/logs/HEAD; ln -s ../../../.bashrc .git/logs/HEAD"),
                Attack.of(
                        COMMIT + "; sh ../.bashrc",
                        identity + "; rm .git/logs/HEAD; ln -s \"$HOME/.bashrc\" .git/logs/HEAD"),
                Attack.of(
                        COMMIT + "; sh note",
                        "rm .git/logs/HEAD; touch note; ln note .git/logs/HEAD; " + identity),
                Attack.of(
                        COMMIT + "; sh ../logs/refs/heads/main",
                        "git checkout -q -B main; mkdir -p ../logs; cp -r .git/logs/refs ../logs;"
                                + " rm -r .git/logs; ln -s ../../logs .git/logs;"
                                + " : > ../logs/refs/heads/main",
                        identity),
                // What looks like a repository among git's own files hides nothing.
                Attack.of(
                        COMMIT + "; sh ../.bashrc",
                        madeUp(identity, "fix/x") + "ln -s \"$HOME/.bashrc\" $L/fix/x"),
                Attack.of(
                        COMMIT + "; sh note",
                        madeUp(identity, "objects/x") + "touch note; ln note $L/objects/x"),
                Attack.of(
                        COMMIT + "; sh note",
                        madeUp(identity, "hooks/x") + "touch note; ln note $L/hooks/x"),
                Attack.of(
                        COMMIT + "; sh ../.bashrc",
                        madeUp(identity, "sequencer/todo")
                                + "ln -s \"$HOME/.bashrc\" $L/sequencer/todo"),
                // What git writes is lost or filled where it leads.
                Attack.of(
                        "git fetch -q ../from; test -s ../.profile && M",
                        "git init -q ../from; cd ../from; git commit -q --allow-empty -m f;"
                                + " cd ../workspace; ln -sf ../../.profile .git/FETCH_HEAD"));
    }

    /** Makes the folder of the logs of branches look like a repository, and a branch. */
    private static String madeUp(String identity, String branch) {
        return identity
                + "; git checkout -q -b "
                + branch
                + "; L=.git/logs/refs/heads; mkdir -p $L/objects $L/refs; rm $L/"
                + branch
                + "; ";
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void nothingAmongGitsFilesLeadsWhereItRuns(Attack attack) throws Exception {
        isUndone(attack);
    }

    /** The path is too long for the system, and short for one who has the folder elsewhere. */
    @Test
    void noPathIsTooLongToBeLookedAt() throws Exception {
        String branch = longPath(4_097 - (workspace + "/.git/logs/refs/heads/").length());
        String above = branch.substring(0, branch.lastIndexOf('/'));
        isUndone(
                Attack.of(
                        "mv ../workspace ../short; cd ../short; "
                                + COMMIT
                                + "; mv ../short ../workspace; sh ../.bashrc;"
                                + " rm -rf ../workspace/.git/logs",
                        "git config user.name 'x; M; #'; cd .git; echo ref: refs/heads/"
                                + branch
                                + " > HEAD; cd logs/refs/heads; mkdir -p "
                                + above
                                + "; ln -s \"$HOME/.bashrc\" "
                                + branch));
        String chain = "mkdir -p " + above + "; cd -P " + above + "; ";
        List<String> notes =
                command(
                        "mkdir -p .git/logs; cd .git/logs; "
                                + chain
                                + chain
                                + "ln -s x l; mkdir d; mkfifo d/p; cd -P d; "
                                + chain);
        String all = notes.toString();
        assertEquals(3, notes.size(), all);
        assertTrue(all.contains("The link") && all.contains("The special file"), all);
        assertTrue(all.contains("path that is too long"), all);
        assertEquals(1, command("true").size(), "that alone is told again");
        sh("rm -rf .git"); // what removes the folder of the test takes no such paths
    }

    private static String longPath(int length) {
        StringBuilder path = new StringBuilder();
        while (length - path.length() > 250) {
            path.append("d".repeat(200)).append('/');
        }
        return path.append("e".repeat(length - path.length())).toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[options][options]\n\tstrategy = evil\n",
                "\357\273\277[options]strategy = evil\n",
                "[Options]\n\tSTRATEGY = evil\n",
                "[options]\n\tstrat\\\negy = evil\n",
                "[options]\n\tstrategy = ev\\\nil\n",
                "[options]\n\tunknown = true\n",
                "[options]\n\tgpg-sign = -evil\n",
                "[options \"x\"]\n\tedit = true\n",
                "no options\n",
            })
    void optionsThatGitDoesNotWriteAreTakenOut(String text) throws Exception {
        repository();
        undone(1, "opts", "mkdir .git/sequencer; printf '" + text + "' > .git/sequencer/opts");
        assertFalse(Files.exists(workspace.resolve(".git/sequencer/opts")));
    }

    @Test
    void optionsOfMailsLeadNoPatchOutside() throws Exception {
        repository();
        undone(
                1,
                "apply-opt",
                "mkdir .git/rebase-apply; echo \" '--unsafe-paths'\" > .git/rebase-apply/apply-opt");
        undone(1, "apply-opt", "echo \" '--directory=../..'\" > .git/rebase-apply/apply-opt");
        harmless("echo \" '-p1' '--whitespace=fix'\" > .git/rebase-apply/apply-opt");
        undone(1, "author-script", "echo 'touch x' > .git/rebase-apply/author-script");
        harmless(
                "printf \"GIT_AUTHOR_NAME='A '\\\\\\''B'\\nGIT_AUTHOR_EMAIL='a@b'\\n\" > .git/rebase-apply/author-script");
    }

    @Test
    void picksAndRevertsThatAreNotFinishedGoOn() throws Exception {
        repository();
        harmless(
                "git checkout -q -b s; for i in 1 2 3; do echo $i > a; git commit -qam $i; done;"
                        + " git checkout -q -; echo z > a; git commit -qam z");
        harmless("git cherry-pick -x -X theirs --strategy=ort ..s >/dev/null || true");
        harmless("git cherry-pick --abort || true; git revert --no-edit HEAD HEAD~1 || true");
        harmless("git revert --abort || true; git rebase -q -X ours s || true");
        harmless(
                "git rebase --abort || true; git format-patch -q -1 s -o p; git am -3 p/* || true");
        harmless("git am --abort || true; git bisect start HEAD HEAD~1; git bisect reset");
    }

    @Test
    void whatAPersonHadAmongGitsFilesStays() throws Exception {
        repository();
        sh("cd .git; mv description d; ln -s d description; mv info i; ln -s i info; ln HEAD h");
        harmless("git commit -q --allow-empty -m x");
        assertTrue(Files.isSymbolicLink(workspace.resolve(".git/description")));
        assertTrue(Files.isSymbolicLink(workspace.resolve(".git/info")));
        undone(1, "description", "cd .git; ln -sf ../../.bashrc description");
        undone(1, "info", "cd .git; rm info; mv i j; mkdir i; ln -s j info");
    }

    @Test
    void specialFilesAndOtherNamesGoAndObjectsAreShared() throws Exception {
        repository();
        undone(1, "pipe", "mkfifo .git/pipe");
        undone(1, "hooks/idle", "mkfifo .git/hooks/idle");
        undone(1, "hooks/runs", "mkfifo -m 700 .git/hooks/runs");
        undone(1, "hooks/more", "touch idle; ln idle .git/hooks/more");
        sh("echo more >> idle");
        assertEquals("", Files.readString(workspace.resolve(".git/hooks/more")));
        undone(1, "FETCH_HEAD", "touch other; ln other .git/FETCH_HEAD");
        sh("echo more >> other");
        assertEquals("", Files.readString(workspace.resolve(".git/FETCH_HEAD")));
        harmless("git clone -q -l . copy && git clone -q --bare . bare.git");
        harmless("cd bare.git && git worktree add -q tree && ln -s a tree/link");
        assertTrue(
                Files.exists(workspace.resolve("bare.git/tree/link"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aSubModuleNeitherLeadsThroughALinkNorToNothing() throws Exception {
        repository();
        harmless(
                "git clone -q --bare . up.git && git -c protocol.file.allow=always submodule --quiet"
                        + " add ./up.git sub && git commit -qm sub");
        String module = " -f .git/modules/sub/config core.worktree ";
        undone(
                1,
                "core.worktree",
                "ln -s ../away dangling; git config" + module + "../../../dangling");
        undone(
                1,
                "core.worktree",
                "rm dangling; mkdir way; ln -s ../.. way/up;"
                        + " git config"
                        + module
                        + "../../../way/up/x");
        harmless(
                "rm -r way; git submodule --quiet deinit -f sub; git rm -q sub; git commit -qm gone");
        harmless("git -c protocol.file.allow=always submodule --quiet add --force ./up.git sub");
    }

    @Test
    void valuesOfSeveralLinesAreNoNames() throws Exception {
        repository();
        undone(1, "user.name", "git config user.name \"$(printf 'a\\nb')\"");
        harmless("git config branch.main.description \"$(printf 'a\\nb')\"");
    }

    @Test
    void settingsOfMercurialAreSetAsideUnlessTheyWereThere() throws Exception {
        undone(1, "hgrc", "mkdir .hg; printf '[hooks]\\nx = touch x\\n' > .hg/hgrc");
        assertFalse(Files.exists(workspace.resolve(".hg/hgrc")));
        sh("echo '[ui]' > .hg/hgrc");
        harmless("true");
        undone(1, "hgrc", "echo '[hooks]' >> .hg/hgrc");
        assertEquals("[ui]", sh("cat .hg/hgrc"));
        undone(1, "sharedpath", "mkdir -p d/.hg; echo /x > d/.hg/sharedpath");
    }

    /** More than one look finds: all go, and few sentences tell of them. */
    @Test
    void anyNumberOfLinksGoesAndIsToldInBounds() throws Exception {
        repository();
        int many = GitScan.MOST_FOUND + 500;
        List<String> notes =
                command(
                        "mkdir l; cd l; seq "
                                + many
                                + " | sed 's,^,/proc/1/cwd/,' | xargs ln -st .");
        assertTrue(notes.size() < 20, notes.toString());
        assertTrue(notes.toString().contains(many - 10 + " more links"), notes.toString());
        assertEquals("0", sh("ls l | wc -l"));
    }

    private static String links(String folder, int many) {
        return "for i in $(seq " + many + "); do ln -s /nowhere " + folder + "/$i; done; ";
    }

    /** No number of them hides one that git writes through. */
    @Test
    void anyNumberOfLinksAmongGitsFilesGoesAndThoseOfThePersonStay() throws Exception {
        int most = 20;
        protection =
                new GitProtection(
                        records,
                        Runnable::run,
                        new GitProtection.Bounds(most, Duration.ofSeconds(20), Duration.ZERO));
        repository();
        sh("mkdir .git/info/own; " + links(".git/info/own", 2 * most));
        List<String> notes =
                command(
                        "mkdir .git/logs/l; "
                                + links(".git", most)
                                + links(".git/logs/l", most)
                                + "ln -sf ../../../../../.bashrc .git/logs/refs/heads/main");
        assertEquals(11, notes.size(), notes.toString());
        assertTrue(notes.toString().contains(2 * most + 1 - 10 + " more"), notes.toString());
        assertEquals(2 * most + "", sh("find .git -type l | wc -l"));
        harmless("true");
    }

    /** The workspace stays closed as long as some may be left. */
    @Test
    void whatOneReviewDoesNotRemoveClosesTheWorkspaceAndIsRemovedLater() throws Exception {
        protection = findsNothing();
        String leave = "ln -s ../../.bashrc .git/FETCH_HEAD";
        sh("git init -q .");
        List<String> notes = command(leave);
        assertTrue(notes.toString().contains("are left among git's own files"), notes.toString());
        refused("could not remove: they were at other places");
        protection.look(unheld::add);
        refused("could not remove: they were at other places");
        protection = findsNothing();
        refused("could not remove: they were at other places");
        protection = findsNothing();
        protection.recover();
        refused("could not remove: they were at other places");
        assertTrue(Files.isSymbolicLink(workspace.resolve(".git/FETCH_HEAD")));
        protection = new GitProtection(records);
        protection.recover();
        assertFalse(Files.isSymbolicLink(workspace.resolve(".git/FETCH_HEAD")));
        assertTrue(command("true").toString().contains("FETCH_HEAD"));
        harmless("true");
    }

    /** Each of its looks finds none of what is there, and may have more to find. */
    private GitProtection findsNothing() {
        return new GitProtection(
                records,
                Runnable::run,
                new GitProtection.Bounds(0, Duration.ofSeconds(20), Duration.ofDays(1)));
    }

    /** What is not looked at could have links: the workspace is closed until all is. */
    @Test
    void moreFilesThanOneLookPassesCloseTheWorkspaceUntilTheyAreGone() throws Exception {
        int most = 300;
        protection =
                new GitProtection(
                        records,
                        Runnable::run,
                        new GitProtection.Bounds(20, Duration.ofSeconds(20), Duration.ZERO, most));
        repository();
        GitProtection.Call other = protection.begin(workspace, NAMES, List.of());
        List<String> notes =
                command("mkdir .git/logs/l; cd .git/logs/l; seq " + most + " | xargs touch");
        assertTrue(notes.toString().contains("Not all of git's own files"), notes.toString());
        refused("git's own folders in it have more than " + most + " files");

        sh("rm -r .git/logs/l");
        protection.look(unheld::add); // while the other command runs
        harmless("true");
        assertEquals(List.of(), other.end());

        sh("mkdir .git/logs/l; cd .git/logs/l; seq " + most + " | xargs touch");
        refused("git's own folders in it have more than " + most + " files");
        sh("rm -r .git/logs/l");
        harmless("true");
    }

    @Test
    void filesOfOtherProgramsAtTheTopAreSetAsideUnlessTheyWereThere() throws Exception {
        repository();
        undone(1, "lazygit.yml", "echo customCommands: > .git/lazygit.yml");
        assertTrue(Files.exists(workspace.resolve(".git/lazygit.yml.quarantined")));
        undone(1, "lazygit.yml", "touch own; ln own .git/lazygit.yml");
        sh("echo mine > .git/own.yml");
        harmless("git commit -q --allow-empty -m x; git gc -q; git tag -a t -m t; mkdir .git/lfs");
        assertEquals("mine", sh("cat .git/own.yml"));
        undone(1, "own.yml", "echo theirs > .git/own.yml");
        harmless("mkdir d && cd d && mkdir objects refs && touch HEAD lazygit.yml");
        harmless(
                "git worktree add -q ../workspace/tree && cd tree && git commit -q --allow-empty -m y");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A review that takes long does not hold a command beyond its patience. */
    @Test
    void aCommandWaitsForAReviewOnlySoLong() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        CompletableFuture<?>[] look = {null};
        protection =
                new GitProtection(
                        records,
                        task -> look[0] = CompletableFuture.runAsync(task),
                        new GitProtection.Bounds(20, Duration.ofMillis(50), Duration.ZERO));
        sh("echo one > .mcp.json");
        GitProtection.Call call = protection.begin(workspace, NAMES, List.of());
        sh("echo two > new; mv new .mcp.json");
        protection.look(
                any -> {
                    begun.countDown();
                    await(goesOn);
                });
        await(begun);
        refused("is closed to commands");
        goesOn.countDown();
        look[0].get(30, TimeUnit.SECONDS);
        assertEquals(List.of(), call.end());
    }
}

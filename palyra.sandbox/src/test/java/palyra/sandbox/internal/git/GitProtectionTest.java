package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands with the real git, and what is left of them in repositories. */
class GitProtectionTest extends GitCommands {
    private static final String STOPPED =
            "git checkout -q -b side && echo b > a && git commit -qam b && git checkout -q main"
                    + " && echo c > a && git commit -qam c && git checkout -q side"
                    + " && { git rebase -q EXEC main >/dev/null 2>&1 || true; }";

    /** What an unfinished rebase goes on with is run by the git of a person, too. */
    @Test
    void linesWithExecOfAnUnfinishedRebaseAreTakenOut() throws Exception {
        repository();
        undone(1, "rebase-merge/git-rebase-todo", STOPPED.replace("EXEC", "--exec 'touch x'"));
        Path todo = workspace.resolve(".git/rebase-merge/git-rebase-todo");
        assertFalse(Files.readString(todo).contains("exec"), Files.readString(todo));
        undone(1, "exec", "printf '\\t x touch x\\n#exec\\n' >> " + todo);
        assertTrue(Files.readString(todo).contains("#exec"), "the rest stays");
        undone(1, "exec", "printf 'x\\n' >> " + todo + "; ln " + todo + " other");
        sh("echo 'pick HEAD~9 nothing' >> other");
        assertFalse(Files.readString(todo).contains("nothing"), "no other name changes it");
        harmless("echo c > a; git add a; GIT_EDITOR=true git rebase --continue");
    }

    @Test
    void aRebaseThatWasUnfinishedBeforeKeepsItsLinesAndALinkToAListGoes() throws Exception {
        repository();
        sh(STOPPED.replace("EXEC", "--exec 'echo mine'"));
        harmless("true");
        Path todo = workspace.resolve(".git/rebase-merge/git-rebase-todo");
        assertTrue(Files.readString(todo).contains("exec echo mine"));
        undone(1, "exec", "echo 'exec echo yours' >> " + todo);
        assertTrue(Files.readString(todo).contains("exec echo mine"));
        assertFalse(Files.readString(todo).contains("yours"));
        undone(
                1,
                "rebase-merge",
                "mv .git/rebase-merge evil && echo 'x y' >> evil/git-rebase-todo"
                        + " && ln -s ../evil .git/rebase-merge");
        assertFalse(Files.exists(workspace.resolve(".git/rebase-merge")));
    }

    /** A folder that its own user cannot list hides nothing: git run by another one would look. */
    @Test
    void whatIsClosedIsOpenedAndLookedAt() throws Exception {
        repository();
        harmless("mkdir n && cd n && git init -q");
        undone(1, "core.fsmonitor", "git -C n config core.fsmonitor 'touch x; false'; chmod 311 n");
        assertEquals(Set.of(), missing("n"));
        undone(
                1,
                "core.fsmonitor",
                "git config core.fsmonitor 'touch x'; chmod 0 .git/config .git");
        assertEquals(Set.of(), missing(".git"));
        undone(
                1,
                "post-checkout",
                "echo touch x > .git/hooks/post-checkout; chmod 755 .git/hooks/post-checkout;"
                        + " chmod 311 .git/hooks");
        assertEquals(Set.of(), missing(".git/hooks"));
    }

    private Set<PosixFilePermission> missing(String folder) throws Exception {
        Set<PosixFilePermission> owner =
                EnumSet.of(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE);
        owner.removeAll(Files.getPosixFilePermissions(workspace.resolve(folder)));
        return owner;
    }

    @Test
    void everydayWorkOfGitStaysAsItIs() throws Exception {
        repository();
        assertEquals("agent agent@agents.invalid", sh("git log -1 --format='%an %ae'"));
        for (String script :
                List.of(
                        "git config user.name x && git config pull.rebase true",
                        "git remote add origin https://example.com/a.git",
                        "git remote add ssh git@example.com:a/b.git",
                        "git remote set-url origin ssh://git@example.com/a.git",
                        "git branch -m trunk",
                        "git checkout -q -b topic && echo b > b && git add b && git commit -qm b",
                        "git checkout -q trunk && git merge -q topic",
                        "git checkout -q -b other HEAD~1 && echo c > c && git add c"
                                + " && git commit -qm c && git rebase -q trunk",
                        "git checkout -q --track -b follows trunk",
                        "git clone -q . ../copy-$$ && mv ../copy-$$ copy",
                        "git clone -q --bare . bare.git",
                        "git worktree add -q tree topic && cd tree && echo d > d && git add d"
                                + " && git commit -qm d && cd .. && git worktree remove tree",
                        "git worktree add -q kept topic",
                        "git -c protocol.file.allow=always submodule --quiet add ./bare.git sub"
                                + " && git commit -qm sub",
                        "git submodule --quiet update --init && git submodule status",
                        "git config core.fsmonitor false",
                        "git stash list && git gc -q && git sparse-checkout list || true",
                        "git tag v1 && git config tag.sort version:refname",
                        "rm -rf copy && git init -q copy")) {
            harmless(script);
        }
        assertEquals("x", sh("git config user.name"));
        assertEquals("trunk", sh("git config branch.follows.merge").replace("refs/heads/", ""));
    }

    /** Folders too deep to be looked at must not hide what is made beside them. */
    @Test
    void newRepositoryBesideADeepChainOfFoldersIsReviewed() throws Exception {
        String deep = "d/".repeat(GitScan.DEEPEST + 5);
        List<String> notes = command("mkdir -p " + deep);
        assertTrue(notes.toString().contains("Not every folder"), notes.toString());
        notes = command("git init -q g && git -C g config core.fsmonitor /bin/evil");
        assertTrue(notes.toString().contains("core.fsmonitor"), notes.toString());
        notes = command("rm -rf d && git init -q h && git -C h config core.fsmonitor /bin/evil");
        assertEquals(1, notes.size(), notes.toString());
        assertEquals("", sh("cat g/.git/config h/.git/config | grep evil || true"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alias.st=status -sb",
                "alias.co=checkout",
                "alias.lg=log --oneline --graph --all -20",
                "alias.last=log -1 HEAD~1",
                "commit.gpgsign=false",
                "user.signingkey=ABCDEF",
                "url.https://mirror.example/.insteadOf=https://github.com/",
            })
    void aSettingThatRunsNothingStays(String setting) throws Exception {
        repository();
        int equals = setting.indexOf('=');
        String name = setting.substring(0, equals);
        harmless("git config '" + name + "' '" + setting.substring(equals + 1) + "'");
        assertEquals(setting.substring(equals + 1), sh("git config --get '" + name + "'"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "core.fsmonitor=/bin/evil",
                "core.hooksPath=evil",
                "core.pager=evil",
                "core.editor=evil",
                "core.sshCommand=evil",
                "core.gitProxy=evil",
                "core.askPass=evil",
                "core.alternateRefsCommand=evil",
                "core.worktree=../..",
                "sequence.editor=evil",
                "diff.external=evil",
                "diff.x.command=evil",
                "diff.x.textconv=evil",
                "merge.x.driver=evil",
                "merge.tool=evil",
                "mergetool.x.cmd=evil",
                "difftool.x.cmd=evil",
                "filter.x.clean=evil",
                "filter.x.smudge=evil",
                "filter.x.process=evil",
                "alias.st=!evil",
                "alias.co=rebase -x evil",
                "alias.l=log --ext-diff",
                "alias.c=-c core.pager=evil log",
                "alias.b=branch --edit-description",
                "user.signingkey=-evil",
                "credential.helper=evil",
                "credential.https://x.helper=evil",
                "gpg.program=evil",
                "gpg.ssh.program=evil",
                "gpg.ssh.defaultKeyCommand=evil",
                "include.path=evil",
                "includeIf.gitdir:/.path=evil",
                "url.ext::evil.insteadOf=https://x",
                "protocol.ext.allow=always",
                "uploadpack.packObjectsHook=evil",
                "remote.x.uploadpack=evil",
                "remote.x.receivepack=evil",
                "remote.x.vcs=evil",
                "remote.x.url=ext::evil",
                "remote.x.url=-evil",
                "remote.x.url=ssh://-oProxyCommand=evil/x",
                "remote.x.pushurl=fd::7",
                "submodule.x.update=!evil",
                "submodule.x.url=ext::evil",
                "browser.x.cmd=evil",
                "man.x.cmd=evil",
                "trailer.x.command=evil",
                "gc.recentObjectsHook=evil",
                "receive.procReceiveRefs=evil",
                "pager.log=evil",
                "interactive.diffFilter=evil",
                "sendemail.smtpServer=evil",
                "http.proxy=http://evil",
                "lfs.customtransfer.x.path=evil",
                "instaweb.httpd=evil",
                "extensions.evil=x",
                "unknown.key=x",
            })
    void aSettingThatCouldRunCodeIsRemovedAndTheRestStays(String setting) throws Exception {
        repository();
        int equals = setting.indexOf('=');
        String name = setting.substring(0, equals);
        String value = setting.substring(equals + 1);
        String configured =
                "git config user.name kept && git config --file .git/config '"
                        + name
                        + "' -- '"
                        + value
                        + "'";
        undone(1, name, configured.replace(" -- ", " "));
        assertEquals("kept", sh("git config --file .git/config user.name"));
        assertEquals("", sh("git config --file .git/config --get-all '" + name + "' || true"));
    }

    @Test
    void whatThePersonHadConfiguredStaysHoweverTheCommandWritesTheFile() throws Exception {
        repository();
        sh("git config alias.mine '!mine' && git config core.pager less");
        harmless("git config user.name x");
        assertEquals("!mine", sh("git config alias.mine"));
        undone(2, "alias.mine", "git config alias.mine '!evil'");
        assertEquals("!mine", sh("git config alias.mine"));
        undone(1, "core.pager", "git config --unset core.pager");
        assertEquals("less", sh("git config core.pager"));
        undone(1, "config", "printf '[alias]\\n x = \"!evil\\n' > .git/config");
        assertEquals("!mine", sh("git config alias.mine"));
    }

    /** Each way of writing is read as git reads it: git itself says what is in force at the end. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[core]fsmonitor=/evil",
                "[CORE] FsMonitor = /evil",
                "[core]\\n\\tfsmonitor = \\\\\\n/evil",
                "[core]\\nfsmonitor=\\\"/evil\\\"#x",
                "[core]\\r\\n  fsmonitor=/evil\\r\\n",
                "[user]name=x[core]\\n[core]fsmonitor=/evil",
                "[core]filemode=true\\\\\\n\\nfsmonitor=/evil",
                "[core]#]\\nfsmonitor=/evil",
                "[user \\\"a]\\\\n[core]\\\"]x=1\\n[core]fsmonitor = /evil;x",
                "[core]fsmonitor",
                "\\357\\273\\277[core]fsmonitor=/evil",
                "[include]\\npath=../evil",
                "[include] # x\\n path = ../evil",
                "[includeIf \\\"gitdir:**\\\"] path=../evil",
                "[alias \\\"x\\\"] command = !evil",
                "[alias.x] command = !evil",
            })
    void noWayOfWritingHidesASetting(String text) throws Exception {
        repository();
        sh("printf '[core]\\nfsmonitor=/evil\\n' > evil");
        List<String> notes = command("printf '" + text.replace("'", "'\\''") + "' >> .git/config");
        assertFalse(notes.isEmpty());
        assertEquals("", sh("git config --get core.fsmonitor || true"));
        assertEquals("", sh("git config --get-regexp '^(alias|include)' || true"));
        assertEquals(List.of(), command("true"));
    }

    @Test
    void hooksOfACommandAreRemovedAndThoseOfThePersonPutBack() throws Exception {
        repository();
        Path mine = workspace.resolve(".git/hooks/pre-push");
        Files.createDirectories(mine.getParent());
        Files.writeString(mine, "#!/bin/sh\nexit 0\n");
        Files.setPosixFilePermissions(mine, PosixFilePermissions.fromString("rwxr-xr-x"));
        undone(
                1,
                "pre-commit",
                "printf evil > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit");
        assertFalse(Files.exists(workspace.resolve(".git/hooks/pre-commit")));
        undone(1, "pre-push", "printf evil > .git/hooks/pre-push");
        undone(1, "pre-push", "rm .git/hooks/pre-push");
        undone(1, "pre-push", "chmod -x .git/hooks/pre-push");
        undone(1, "pre-push", "ln -f a .git/hooks/pre-push; chmod +x a");
        assertEquals("#!/bin/sh\nexit 0\n", Files.readString(mine));
        assertTrue(Files.isExecutable(mine));
        undone(1, "post-merge", "ln -s /bin/true .git/hooks/post-merge");
        harmless(
                "printf text > .git/hooks/README; touch .git/hooks/x.sample; chmod +x .git/hooks/x.sample");
        undone(1, "README", "chmod +x .git/hooks/README");
        undone(2, "hooks", "mv .git/hooks evil && ln -s ../evil .git/hooks");
        assertTrue(Files.isExecutable(mine) || !Files.exists(mine));
    }

    @Test
    void filesThatSendGitElsewhereAreUndone() throws Exception {
        repository();
        Path elsewhere = Files.createDirectory(folder.toRealPath().resolve("elsewhere"));
        undone(1, "commondir", "echo " + elsewhere + " > .git/commondir");
        undone(1, "sub/.git", "mkdir sub && echo gitdir: " + elsewhere + " > sub/.git");
        undone(1, "two/.git", "mkdir two && ln -s " + elsewhere + " two/.git");
        undone(1, "three/.git", "mkdir three && echo gitdir: ../a > three/.git");
        undone(1, "config", "mv .git/config real && ln -s ../real .git/config");
        assertTrue(
                sh("git status --short").contains("a")
                        || sh("git log --oneline").contains("first"));
        undone(
                1,
                "config.worktree",
                "git config extensions.worktreeConfig true; printf '[core]fsmonitor=/evil' > .git/config.worktree");
        undone(
                1,
                "submodule.x.update",
                "printf '[submodule \"x\"]\\npath=x\\nurl=./y\\nupdate=!evil\\n' > .gitmodules");
        assertTrue(Files.readString(workspace.resolve(".gitmodules")).contains("url=./y"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git init -q evil && git -C evil config core.fsmonitor /evil",
                "git init -q --bare evil && git -C evil config core.fsmonitor /evil",
                "mkdir -p a1/b/c/d/e/f/g && git init -q a1/b/c/d/e/f/g && git -C a1/b/c/d/e/f/g config core.fsmonitor /evil",
                "mkdir -p node_modules && git init -q node_modules/x && git -C node_modules/x config core.fsmonitor /evil",
                "git init -q h && printf evil > h/.git/hooks/pre-commit && chmod +x h/.git/hooks/pre-commit",
                "mkdir x && cp -r .git x/.GIT && git --git-dir x/.GIT config core.fsmonitor /evil",
                "rm -rf .git && git init -q . && git config core.fsmonitor /evil",
                "git config core.fsmonitor /evil && chmod 500 .git",
                "git init -q e && git -C e config core.fsmonitor /evil && echo gitdir: e/.git > .git2 && mkdir w && echo gitdir: ../e/.git > w/.git",
            })
    void repositoriesThatACommandMakesAreHeldTheSame(String script) throws Exception {
        repository();
        undone(1, script.contains("hooks") ? "pre-commit" : "core.fsmonitor", script);
        try (Stream<Path> all = Files.walk(workspace)) {
            for (Path config : all.filter(file -> file.endsWith("config")).toList()) {
                assertFalse(Files.readString(config).contains("evil"), config.toString());
            }
        }
    }

    @Test
    void aCommandBesideAnotherDoesNotMakeItsWorkTheStateToGoBackTo() throws Exception {
        repository();
        GitProtection.Call first = protection.begin(workspace, NAMES, List.of());
        sh("git config core.fsmonitor /evil");
        GitProtection.Call second = protection.begin(workspace, NAMES, List.of());
        assertEquals(1, first.end().size());
        assertEquals(List.of(), first.end(), "only once");
        sh("git config core.pager evil");
        assertEquals(1, second.end().size());
        assertEquals("", sh("git config --get-regexp 'fsmonitor|pager' || true"));
        try (Stream<Path> left = Files.list(records)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void whatAGatewayThatDiedDidNotUndoIsUndoneAtItsNextStartOrCommand() throws Exception {
        repository();
        GitProtection.Call lost = protection.begin(workspace, NAMES, List.of());
        sh("git config core.fsmonitor /evil");
        new GitProtection(records).recover();
        assertEquals("", sh("git config --get core.fsmonitor || true"));
        GitProtection.Call again = new GitProtection(records).begin(workspace, NAMES, List.of());
        sh("git config core.pager evil");
        List<String> notes = new ArrayList<>();
        GitProtection.Call next = new GitProtection(records).begin(workspace, NAMES, List.of());
        notes.addAll(next.end());
        assertEquals(2, notes.size(), "both are told: " + notes);
        assertEquals("", sh("git config --get core.pager || true"));
        assertTrue(lost.end().isEmpty() && again.end().isEmpty());
    }

    @Test
    void aRecordHoldsWhatItWasMadeOf() throws Exception {
        repository();
        sh(
                "git config alias.mine '!mine'; printf x > .git/hooks/pre-push; chmod +x .git/hooks/pre-push");
        GitSnapshot seen = GitScan.of(workspace, NAMES);
        GitSnapshot read = GitSnapshot.read(seen.json("/w"), "/w");
        assertEquals(seen.folders(), read.folders());
        assertEquals(seen.files().keySet(), read.files().keySet());
        for (String path : seen.files().keySet()) {
            assertTrue(seen.file(path).isLike(read.file(path)), path);
        }
        assertArrayEquals(
                "x".getBytes(StandardCharsets.UTF_8), read.file(".git/hooks/pre-push").content());
    }

    @Test
    void anInterruptionUndoesNothingLess() throws Exception {
        repository();
        Thread.currentThread().interrupt();
        GitProtection.Call call = protection.begin(workspace, NAMES, List.of());
        assertTrue(Thread.interrupted(), "it stays set");
        sh("git config core.fsmonitor /evil");
        Thread.currentThread().interrupt();
        List<String> notes = call.end();
        assertTrue(Thread.interrupted(), "it stays set");
        assertEquals(1, notes.size(), notes.toString());
        assertEquals("", sh("git config --get core.fsmonitor || true"));
    }

    /** A folder that cannot be read hides none that can. */
    @Test
    void whatCannotBeReadKeepsNothingElseFromBeingCompared() throws Exception {
        repository();
        harmless("mkdir closed && chmod 000 closed && mkdir \"$(printf 'a\\377')\" 'x%41'");
        undone(1, "core.fsmonitor", "git init -q new && git -C new config core.fsmonitor /evil");
        undone(
                2,
                "core.fsmonitor",
                "for at in \"$(printf 'a\\377')\" 'x%41'; do git init -q \"$at\"/r"
                        + " && git -C \"$at\"/r config core.fsmonitor /evil; done");
        undone(1, "core.pager", "git -C \"$(printf 'a\\377')\"/r config core.pager evil");
        sh("chmod 700 closed");
    }

    /** The folder of the settings is exchanged for a link while they are put back. */
    @Test
    void nothingIsWrittenThroughALink() throws Exception {
        repository();
        GitSnapshot before = GitScan.of(workspace, NAMES);
        sh("git config core.fsmonitor /evil");
        Path other = Files.createDirectory(folder.toRealPath().resolve("other"));
        Files.writeString(other.resolve("config"), "[core]\n\tfsmonitor = theirs\n");
        sh("mv .git kept && ln -s " + other + " .git");
        GitReview.undo(workspace, before, List.of());
        assertEquals("[core]\n\tfsmonitor = theirs\n", Files.readString(other.resolve("config")));
    }

    private void setAside(String name, String script) throws Exception {
        List<String> notes = command(script);
        assertEquals(1, notes.size(), notes.toString());
        assertTrue(notes.get(0).contains(name + ".quarantined"), notes.get(0));
    }

    @Test
    void whatIsMadeAtAProtectedNameIsSetAsideWithItsContent() throws Exception {
        setAside(".mcp.json", "echo one > .mcp.json");
        assertEquals("one", sh("cat .mcp.json.quarantined && ! ls .mcp.json 2> /dev/null"));
        setAside(".mcp.json", "echo two > .mcp.json");
        assertEquals("one\ntwo", sh("cat .mcp.json.quarantined .mcp.json.quarantined-2"));
        setAside(".vscode", "mkdir .vscode && echo x > .vscode/tasks.json && chmod 500 .vscode .");
        assertEquals("x", sh("chmod u+w . && cat .vscode.quarantined/tasks.json"));
        setAside(".vscode", "ln -s /nowhere .vscode");
        setAside(".config/fish", "mkdir -p .config/fish");
        harmless("mkdir -p sub && echo x > sub/.mcp.json && rm -r .config");
        setAside(".config", "mkdir -p away/fish && ln -s away .config");
        assertEquals("away", sh("readlink .config.quarantined"));
    }

    /** The checkout is whole but for what is set aside, and no mount is in its way. */
    @Test
    void repositoriesThatTrackProtectedNamesAreClonedIntoTheTop() throws Exception {
        String from = "../from";
        sh("git init -q " + from + " && mkdir " + from + "/.vscode && echo a > " + from + "/a");
        sh("cd " + from + " && echo x > .vscode/s && git add -A && git commit -qm a");
        setAside(".vscode", "git clone -q " + from + " .");
        assertEquals("D .vscode/s\n?? .vscode.quarantined/", sh("git status --short"));
        setAside(".vscode", "git checkout -q -- .vscode");
        harmless("git clean -qfdx");
    }

    @Test
    void whatWasThereAndWhatAPersonAllowedIsNotSetAside() throws Exception {
        sh("echo own > .mcp.json");
        harmless("echo more >> .mcp.json");
        GitProtection.Call running = protection.begin(workspace, NAMES, List.of());
        GitProtection.Call allowed = protection.begin(workspace, List.of(".mcp.json"), List.of());
        sh("mkdir .vscode .config && mkdir .config/fish");
        assertEquals(List.of(), allowed.end(), "it may make them");
        assertEquals(List.of(), running.end());
        assertEquals(".vscode", sh("ls -d .vscode*"));
    }

    @Test
    void whatAPersonAllowedStaysAndOthersDoNotGainByIt() throws Exception {
        repository();
        List<String> hooks = List.of(".git/hooks");
        String hook = "printf 'echo %s' > .git/hooks/pre-push; chmod +x .git/hooks/pre-push";
        GitProtection.Call other = protection.begin(workspace, NAMES, List.of());
        GitProtection.Call allowed = protection.begin(workspace, NAMES, hooks);
        sh(hook.replace("%s", "mine") + "; git config core.fsmonitor /evil");
        assertEquals(1, allowed.end().size(), "settings were not allowed");
        assertEquals(List.of(), other.end());
        assertEquals("echo mine", sh("cat .git/hooks/pre-push"));
        other = protection.begin(workspace, NAMES, List.of());
        allowed = protection.begin(workspace, NAMES, hooks);
        sh("rm .git/hooks/pre-push");
        assertEquals(List.of(), allowed.end());
        sh(hook.replace("%s", "evil"));
        assertEquals(1, other.end().size(), "made after it was removed");
        assertEquals("", sh("ls .git/hooks | grep -x pre-push || true"));
    }

    /** A look that took long is not repeated at once. */
    private void lookUntil(String said, String script) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        do {
            protection.look(unheld::add);
        } while (!sh(script).equals(said) && System.nanoTime() < end);
        assertEquals(said, sh(script));
    }

    @Test
    void whatProcessesDoThatWereLeftRunningIsSetAsideAndToldToTheNextCommand() throws Exception {
        boolean[] left = {false};
        GitProtection.Call holder = protection.hold(workspace, () -> left[0]);
        harmless("git init -q .");
        sh("echo own > .mcp.json"); // by a person, as no process is left
        protection.look(unheld::add);
        harmless("true");
        GitProtection.Call command = protection.begin(workspace, NAMES, List.of());
        left[0] = true;
        assertEquals(List.of(), command.end());
        sh("mkdir .vscode && git config core.fsmonitor /evil");
        lookUntil("", "git config --get core.fsmonitor || true");
        assertEquals(".vscode.quarantined", sh("ls -d .vscode*"));
        left[0] = false;
        sh("git config core.pager evil");
        lookUntil("", "git config --get core.pager || true");
        sh("git config core.pager mine"); // by a person again
        protection.look(unheld::add);
        List<String> told = command("true");
        assertEquals(3, told.size(), told.toString());
        assertEquals(List.of(), command("true"), "told once");
        assertEquals("mine", sh("git config --get core.pager"));
        assertEquals(List.of(), holder.end());
    }

    @Test
    void whatTheNextStartUndidIsToldToTheNextCommand() throws Exception {
        GitProtection.Call lost = protection.begin(workspace, NAMES, List.of());
        sh("mkdir .vscode");
        new GitProtection(records).recover();
        protection = new GitProtection(records); // killed again
        protection.recover();
        assertEquals(".vscode.quarantined", sh("ls -d .vscode*"));
        List<String> told = command("true");
        assertEquals(1, told.size(), told.toString());
        assertTrue(told.get(0).startsWith("Before this command began: "), told.get(0));
        assertTrue(lost.end().isEmpty());
    }

    /** A sandbox that ends with what it left running is looked at for the last time. */
    @Test
    void whatWasLeftAtTheEndOfASessionIsSetAside() throws Exception {
        GitProtection.Call holder = protection.hold(workspace, () -> true);
        harmless("true");
        sh("echo x > .mcp.json");
        assertEquals(List.of(), holder.end());
        assertEquals(".mcp.json.quarantined", sh("ls -d .mcp.json*"));
        assertEquals(1, command("true").size());
    }

    @Test
    void linesWithExecAreFoundWhateverBytesTheyHaveAndStrategiesAreGitsOwn() throws Exception {
        repository();
        undone(1, "rebase-merge/git-rebase-todo", STOPPED.replace("EXEC", "--exec 'touch x'"));
        String todo = ".git/rebase-merge/git-rebase-todo";
        undone(1, "exec", "printf 'exec touch a #\\r\\nx touch b #\\205\\n' >> " + todo);
        assertEquals("", sh("grep -a touch " + todo + " || true"));
        harmless("echo ort > .git/rebase-merge/strategy");
        undone(1, "strategy", "echo x/y > .git/rebase-merge/strategy");
        undone(
                1,
                "opts",
                "mkdir .git/sequencer; printf '[options]\\n\\tstrategy = x/y\\n' > .git/sequencer/opts");
        harmless(
                "printf '[options]\\n\\tstrategy = ort\\n\\tedit = true\\n' > .git/sequencer/opts");
        assertEquals("", sh("ls .git/rebase-merge/strategy 2>/dev/null || true"));
    }

    @Test
    void noNumberOfNamesKeepsOneFromBeingSetAside() throws Exception {
        harmless(
                "touch .vscode.quarantined; for i in $(seq 2 30); do touch .vscode.quarantined-$i; done");
        setAside(".vscode", "mkdir .vscode");
        assertEquals("", sh("ls -d .vscode 2>/dev/null || true"));
    }

    /** What a person allowed to one command is not allowed to others. */
    @Test
    void aNameThatAPersonAllowedToBeRemovedIsHeldAgain() throws Exception {
        boolean[] left = {true};
        sh("mkdir .vscode");
        protection.hold(workspace, () -> left[0]);
        harmless("true");
        GitProtection.Call allowed =
                protection.begin(workspace, List.of(".mcp.json"), List.of(".vscode"));
        sh("rmdir .vscode");
        protection.look(unheld::add);
        assertEquals(List.of(), unheld, "it may");
        assertEquals(List.of(), allowed.end());
        protection.look(unheld::add);
        assertEquals(List.of(workspace), unheld, "what was left running may write it now");
        setAside(".vscode", "mkdir .vscode");
    }

    /** Another program that renames something over a mount takes it away. */
    @Test
    void commandsEndWhenAProtectedPathIsReplacedFromOutside() throws Exception {
        sh("echo one > .mcp.json; mkdir .vscode");
        GitProtection.Call call = protection.begin(workspace, NAMES, List.of());
        sh("echo x > .vscode/own; echo two >> .mcp.json");
        protection.look(unheld::add);
        assertEquals(List.of(), unheld);
        sh("echo two > new; mv new .mcp.json");
        protection.look(unheld::add);
        protection.look(unheld::add);
        assertEquals(List.of(workspace), unheld);
        assertEquals(List.of(), call.end());
        protection.look(unheld::add);
        assertEquals(1, unheld.size());
    }

    @Test
    void hooksAreFoundAmongAnyNumberOfOtherFilesAndOwnOnesAreNotLost() throws Exception {
        repository();
        String hook = ".git/hooks/pre-commit";
        sh("printf '#!/bin/sh\n' > " + hook + "; chmod 0655 " + hook);
        harmless("cd .git/hooks; for i in $(seq 30); do head -c 300000 /dev/zero > z$i; done");
        undone(
                1,
                "pre-commit",
                "cp -p " + hook + " t; printf '#!/bin/cp\n' > " + hook + "; touch -r t " + hook);
        assertEquals("#!/bin/sh", sh("cat " + hook));
        undone(1, "post-commit", "cd .git/hooks; echo x > post-commit; chmod 0645 post-commit");
        undone(1, "/z1", "chmod +x .git/hooks/z1");
        assertEquals("300000", sh("stat -c %s .git/hooks/z1.quarantined"));
        List<String> notes =
                command("cd .git/hooks; seq 10100 | xargs touch; cp -p pre-commit pre-push");
        assertTrue(
                notes.stream().anyMatch(note -> note.contains("hooks.quarantined")),
                notes.toString());
        assertEquals("#!/bin/sh", sh("cat .git/hooks.quarantined/pre-commit"));
        assertEquals("", sh("ls .git/hooks 2>/dev/null || true"));
    }

    @Test
    void noLinkLeadsGitToWhatIsNotLookedAt() throws Exception {
        repository();
        Path session = Files.createDirectories(folder.toRealPath().resolve(".sessions/s/tmp/sub"));
        sh("git init -q --bare " + session.getParent().resolve("evil.git"));
        undone(
                2,
                ".git",
                "mkdir p && git init -q --bare p/evil.git && ln -s "
                        + session
                        + " p/link"
                        + " && echo 'gitdir: link/../evil.git' > p/.git");
        undone(1, "remote.origin.url", "git remote add origin " + session + "/../evil.git");
        undone(1, "link way", "ln -s " + session + " way && git remote add o way/../evil.git");
        harmless("git remote add up ../other && git remote add far https://git.example/a.git");
    }
}

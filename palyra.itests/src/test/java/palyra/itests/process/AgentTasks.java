package palyra.itests.process;

import static org.junit.Assert.assertTrue;
import static palyra.itests.process.AgentTask.task;

import java.util.List;

/** The tasks: what coding agents do all day, with the habits of real models. */
final class AgentTasks {
    private static final String SETUP =
            "git init -q . && echo one > a.txt && git add -A && git commit -qm one";

    private AgentTasks() {}

    /** Returns those that work in any sandbox. */
    static List<AgentTask> anywhere() {
        return List.of(
                task("pipes-and-variables").says("X=/tmp/o; echo \"$X\" | tr a-z A-Z", "/TMP/O"),
                task("url-in-a-script")
                        .says("echo https://example.com/api", "https://example.com/api"),
                task("path-in-the-environment")
                        .says("PATH=/usr/bin:/bin; command -v env", "/usr/bin/env"),
                task("here-document")
                        .works("cat > f.txt <<'END'\nline $HOME `x`\nEND")
                        .leaves("f.txt", "line $HOME `x`\n"),
                task("exit-code-is-an-answer").shell("exit 3").tells("\"exit_code\":3"),
                task("both-streams").works("echo out; echo err >&2").tells("out", "err"),
                task("unicode").says("printf 'é😀\\n'", "é😀"),
                task("rename-across-folders")
                        .works("mkdir -p a b && echo x > a/f && mv a/f b/g && ls b")
                        .leaves("b/g", "x\n"),
                task("python-script")
                        .works("printf 'import json\\nprint(json.dumps({\"a\": 1}))\\n' > s.py")
                        .says("python3 s.py", "{\"a\": 1}"),
                task("python-tests")
                        .works(
                                "printf 'import unittest\\nclass T(unittest.TestCase):\\n  def"
                                        + " test(self):\\n    self.assertEqual(2, 1+1)\\n' > test_a.py")
                        .works("python3 -m unittest 2>&1")
                        .tells("OK"),
                task("c-program")
                        .works(
                                "printf '#include <stdio.h>\\nint main(){puts(\"built\");}\\n' >"
                                        + " m.c && gcc -o m m.c")
                        .says("./m", "built"),
                task("make-runs-only-what-changed")
                        .works("printf 'o: a\\n\\tcp a o\\n' > Makefile && echo 1 > a && make")
                        .works("make 2>&1")
                        .tells("up to date"),
                task("two-hundred-files")
                        .works(
                                "for i in $(seq 1 200); do mkdir -p d$((i%20)); echo \"value $i\" >"
                                        + " d$((i%20))/f$i.txt; done")
                        .says("find . -name 'f*.txt' | wc -l", "200")
                        .says("grep -rl 'value 137' . | head -1", "./d17/f137.txt"),
                task("perl-and-awk")
                        .says("printf '1\\n2\\n3\\n' | awk '{s+=$1} END {print s}'", "6")
                        .says("perl -e 'print 6*7'", "42"),
                task("a-missing-program-is-said")
                        .shell("no-such-program --x")
                        .tells("\"exit_code\":127"),
                task("long-output-has-its-beginning-and-end")
                        .works("seq 1 200000")
                        .tells("1\\n2\\n3", "199999\\n200000", "stdout_file"),
                task("progress-bars-collapse")
                        .works("for i in 1 2 3 4 5; do printf '\\rat %s' $i; done; echo; echo end")
                        .tells("at 5", "end")
                        .doesNotTell("at 3"),
                task("output-of-a-timeout")
                        .call(
                                "palyra.process.shell",
                                "{'command':'echo begun; sleep 60','timeout_ms':1500}")
                        .tells("begun", "timeout_ms"),
                task("time-above-the-limit-is-said")
                        .call("palyra.process.shell", "{'command':'true','timeout_ms':86400000}")
                        .tells("the limit is"),
                task("fields-of-other-tools-are-ignored")
                        .call(
                                "palyra.process.shell",
                                "{'command':'echo ok','description':'says ok','shell':'bash'}")
                        .tells("ok", "description"),
                task("write-then-edit-then-read")
                        .call(
                                "palyra.fs.write_file",
                                "{'path':'src/a.txt','content':'one\\ntwo\\nthree\\n'}")
                        .call("palyra.fs.edit_file", "{'path':'src/a.txt','old':'two','new':'2'}")
                        .tells("-two", "+2")
                        .call("palyra.fs.read_file", "{'path':'src/a.txt','from':2,'lines':1}")
                        .tells("2")
                        .leaves("src/a.txt", "one\n2\nthree\n"),
                task("an-edit-that-fits-twice-changes-nothing")
                        .call("palyra.fs.write_file", "{'path':'a.txt','content':'x\\nx\\n'}")
                        .call("palyra.fs.edit_file", "{'path':'a.txt','old':'x','new':'y'}")
                        .tells("2")
                        .leaves("a.txt", "x\nx\n"),
                task("names-as-other-tools-have-them")
                        .call("palyra.fs.write_file", "{'file_path':'a.txt','content':'one\\n'}")
                        .call(
                                "palyra.fs.edit_file",
                                "{'file_path':'a.txt','old_string':'one','new_string':'two'}")
                        .leaves("a.txt", "two\n"),
                task("patch-of-the-envelope-form")
                        .call("palyra.fs.write_file", "{'path':'a.txt','content':'one\\ntwo\\n'}")
                        .call(
                                "palyra.fs.apply_patch",
                                "{'patch':'*** Begin Patch\\n*** Update File: a.txt\\n@@\\n one\\n-two\\n"
                                        + "+zwei\\n*** End Patch\\n'}")
                        .leaves("a.txt", "one\nzwei\n"),
                task("a-patch-that-does-not-fit-changes-nothing")
                        .call("palyra.fs.write_file", "{'path':'a.txt','content':'one\\n'}")
                        .call(
                                "palyra.fs.apply_patch",
                                "{'patch':'--- a/a.txt\\n+++ b/a.txt\\n@@\\n-absent\\n+x\\n'}")
                        .doesNotTell("\"changed\"")
                        .leaves("a.txt", "one\n"),
                task("background-with-status")
                        .call(
                                "palyra.process.shell",
                                "{'command':'for i in 1 2 3; do echo tick $i; sleep 0.2; done','background':true}")
                        .tells("process_id")
                        .call("palyra.process.status", "{}")
                        .tells("process_id"),
                task("the-host-is-out-of-reach")
                        .shell("cat /etc/shadow; ls /root; curl -s -m 2 http://example.com")
                        .doesNotTell("root:"));
    }

    /** Returns those with git. */
    static List<AgentTask> git() {
        return List.of(
                task("git-commits-only-what-is-there")
                        .works(SETUP)
                        .says("git status --porcelain", "")
                        .says("git ls-files", "a.txt")
                        .says("git log --format='%s by %ae' | grep -c '@agents.invalid'", "1"),
                task("git-identity-is-a-default")
                        .works(
                                "git init -q . && git -c user.name=Zed commit -q --allow-empty -m z"
                                        + " && git config user.name Bob && git commit -q"
                                        + " --allow-empty -m b && git config --global"
                                        + " init.defaultBranch trunk && git init -q new")
                        .says("git log --format='%an %cn'", "Bob Bob\nZed Zed")
                        .says("git log --format=%ce | grep -c '@agents.invalid'", "2")
                        .says("git -C new branch --show-current", "trunk")
                        .says("git config --system safe.directory", "*"),
                task("git-remote-and-branch")
                        .works(SETUP)
                        .works(
                                "git remote add origin https://example.com/r.git && git branch -m"
                                        + " trunk && git config user.name Me")
                        .says("git remote; git branch --show-current", "origin\ntrunk"),
                task("git-clone-and-track")
                        .works("mkdir up && cd up && " + SETUP + " && git branch other")
                        .works(
                                "git clone -q up down && cd down && git checkout -q --track origin/other")
                        .says("git -C down branch --show-current", "other"),
                task("git-rebase-and-merge")
                        .works(
                                SETUP
                                        + " && git checkout -qb topic && echo t > t && git add t && git commit -qm t")
                        .works("git checkout -q - && echo b > b && git add b && git commit -qm b")
                        .works(
                                "git rebase -q HEAD topic && git checkout -q - && git merge -q topic")
                        .says("ls *", "a.txt\nb\nt"),
                task("git-submodule")
                        .works("mkdir lib && cd lib && " + SETUP)
                        .works(
                                "git init -q app && cd app && git -c protocol.file.allow=always submodule"
                                        + " --quiet add ../lib lib && git commit -qm sub")
                        .says("git -C app submodule status | awk '{print $2}'", "lib"),
                task("git-worktree-and-stash")
                        .works(SETUP + " && git worktree add -q ../$(basename $PWD)/wt -b wt")
                        .works(
                                "echo dirty >> a.txt && git stash -q && git stash pop -q && git diff --stat")
                        .tells("a.txt"),
                task("git-grep-with-a-slash")
                        .works("git init -q . && echo 'GET /api/v1' > r && git add r")
                        .says("git grep -c /api/v1", "r:1"),
                task("git-settings-that-run-code-are-undone")
                        .works(SETUP)
                        .shell("git config core.fsmonitor ./evil && git config alias.st '!evil'")
                        .tells("core.fsmonitor", "alias.st")
                        .check(
                                done ->
                                        assertTrue(
                                                !java.nio.file.Files.readString(
                                                                done.workspace()
                                                                        .resolve(".git/config"))
                                                        .contains("evil"))),
                task("git-hooks-are-undone")
                        .works(SETUP)
                        .shell(
                                "mkdir -p .git/hooks; printf '#!/bin/sh\\ntouch ran\\n' >"
                                        + " .git/hooks/post-commit; chmod +x .git/hooks/post-commit")
                        .leavesNo(".git/hooks/post-commit"));
    }

    /** Returns those that need the sandbox of a session. */
    static List<AgentTask> sessions() {
        return List.of(
                task("a-server-answers-the-next-call")
                        .works(
                                "mkdir www && echo served > www/x && cd www && python3 -m http.server 8765"
                                        + " --bind 127.0.0.1 >/dev/null 2>&1 & for i in $(seq 50); do curl -s"
                                        + " 127.0.0.1:8765 >/dev/null && break; sleep 0.1; done")
                        .says("curl -s http://127.0.0.1:8765/x", "served")
                        .leavesRunning(),
                task("home-and-temporary-files-stay")
                        .works("echo cached > ~/c; echo kept > /tmp/k")
                        .says("cat ~/c /tmp/k", "cached\nkept"),
                task("processes-are-seen-across-calls")
                        .works("sleep 4711 >/dev/null 2>&1 &")
                        .says("pgrep -fc '^sleep 4711'", "1")
                        .works("pkill -f '^sleep 4711'; ! pgrep -f '^sleep 4711'"),
                task("what-a-call-leaves-running-is-told")
                        .shell("sleep 4712 >/dev/null 2>&1 & sleep 4712 >/dev/null 2>&1 &")
                        .tells("2 processes are still running in the session."),
                task("a-single-call-without-a-network-is-told-what-to-do")
                        .call(
                                "palyra.process.run",
                                "{'command':'curl','args':['-sS','http://registry.example/x']}")
                        .tells("This command had no network. Name the hosts"),
                task("a-host-that-is-not-allowed-is-named")
                        .shell("curl -sS -m 20 https://registry.example/x; echo said $?")
                        .tells("blocked_hosts", "registry.example:443 is blocked", "allowedHosts"),
                task("npm-is-refused-at-once")
                        .call(
                                "palyra.process.shell",
                                "{'command':'command -v npm >/dev/null && npm view tiny 2>&1; curl -s"
                                        + " http://registry.npmjs.org','timeout_ms':30000}")
                        .tells("blocked_hosts", "registry.npmjs.org"),
                task("a-single-call-has-a-sandbox-of-its-own")
                        .works("echo kept > /tmp/k")
                        .call(
                                "palyra.process.shell",
                                "{'command':'cat /tmp/k || echo none','session':false}")
                        .tells("\"stdout\":\"none\\n\""),
                task("git-sees-nothing-that-was-not-made")
                        .works(SETUP)
                        .says("git status --porcelain", "")
                        .works("git clean -fdq && cp -r . /tmp/copy && tar cf /tmp/t.tar .")
                        .says("git -C /tmp/copy status --porcelain", ""),
                task("a-repository-that-tracks-settings-of-editors-is-cloned-into-the-top")
                        .works(
                                "git init -q /tmp/from && cd /tmp/from && mkdir .vscode"
                                        + " && echo '{}' | tee .vscode/s.json .mcp.json > a.txt"
                                        + " && git add -A && git commit -qm own")
                        .works("git clone -q /tmp/from .")
                        .says("git status --short", "")
                        .works("git checkout -qb other && git rm -qr .vscode && git commit -qm no")
                        .works("git checkout -q - && git clean -qfdx && git status --short")
                        .says("cat .vscode/s.json", "{}")
                        .works("rm -r .vscode .mcp.json")
                        .leaves("a.txt", "{}\n"),
                task("what-background-processes-write-later-is-set-aside")
                        .works("git init -q .")
                        .works(
                                "(sleep 1; cd .git/hooks; echo x > pre-commit; chmod +x pre-commit)"
                                        + " >/dev/null 2>&1 &")
                        .works("sleep 3")
                        .tells("pre-commit.quarantined"),
                task("git-adds-settings-of-editors-where-they-are-files-of-their-own")
                        .works(
                                "git init -q p && mkdir p/.vscode && echo '{}' > p/.vscode/s.json"
                                        + " && echo '{}' > p/.mcp.json && git -C p add -A"
                                        + " && git -C p commit -qm own")
                        .says("git -C p ls-files | xargs echo", ".mcp.json .vscode/s.json"));
    }
}

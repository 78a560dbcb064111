package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static palyra.sandbox.internal.guard.GuardFixture.unchanged;

import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EscapesTest {
    @TempDir Path temp;
    private GuardFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new GuardFixture(temp);
    }

    private void marked(boolean expected, String[][] calls) throws Exception {
        for (String[] call : calls) {
            String[] arguments = Arrays.copyOfRange(call, 1, call.length);
            ResolvedCommand command = unchanged(fixture.examine(call[0], arguments), arguments);
            assertEquals(
                    expected,
                    command.facts().flags().contains("!runs-programs"),
                    String.join(" ", call));
            assertEquals(false, command.interpreter(), call[0] + " is not refused");
        }
    }

    @Test
    void a04_marksOptionsThatStartPrograms() throws Exception {
        marked(
                true,
                new String[][] {
                    {"find", ".", "-exec", "sh", "-c", "x", ";"},
                    {"find", ".", "-execdir", "x", "+"},
                    {"awk", "BEGIN{system(\"x\")}"},
                    {"gawk", "{print | \"sh\"}"},
                    {"awk", "-f", "prog.awk"},
                    {"mawk", "--file=prog.awk"},
                    {"sed", "1e x"},
                    {"sed", "s/a/b/e"},
                    {"sed", "s,a,b,ge", "f"},
                    {"sed", "-n", "-e", "p", "-e", "/x/e ls", "f"},
                    {"sed", "--expression=e"},
                    {"sed", "-nf", "script"},
                    {"sed", "--file=script", "f"},
                    {"sed", "s/a"},
                    {"tar", "-cf", "x.tar", ".", "--checkpoint-action=exec=x"},
                    {"tar", "--checkpoint-act=exec=x"},
                    {"tar", "--to-command=x", "-xf", "a"},
                    {"tar", "-cIf", "x", "a"},
                    {"tar", "cIf", "x", "a"},
                    {"git", "-c", "core.pager=x", "log"},
                    {"git", "-c", "alias.z=!x", "z"},
                    {"git", "--config-env=a=B", "log"},
                    {"git", "--exec-path=x", "log"},
                    {"git", "config", "core.pager", "x"},
                    {"git", "rebase", "-x", "make"},
                    {"git", "clone", "-u", "x", "f"},
                    {"git", "clone", "ext::sh -c x", "f"},
                    {"git", "submodule", "foreach", "x"},
                    {"git", "bisect", "run", "x"},
                    {"ssh", "-oProxyCommand=x", "h"},
                    {"ssh", "-o", "proxycommand x", "h"},
                    {"rsync", "-e", "x", "a", "b"},
                    {"rsync", "-ave", "x", "a", "b"},
                    {"rsync", "--rsh=x", "a", "b"},
                    {"sort", "--compress-program=x", "f"},
                    {"sort", "--compress-prog", "x", "f"},
                    {"zip", "-TT", "x", "a.zip", "f"},
                    {"man", "-P", "x", "ls"},
                    {"man", "--pager=x", "ls"},
                    {"make"},
                    {"make", "-n"},
                    {"vim", "f"},
                    {"vi", "f"},
                    {"less", "f"},
                    {"npm", "run", "build"},
                    {"cargo", "build"},
                    {"sqlite3", "db"},
                    {"nc", "-e", "x", "h", "1"},
                    {"split", "--filter=x", "f"},
                    {"wget", "--use-askpass=x", "http://h"},
                    {"curl", "-K", "cfg"},
                    {"rg", "--pre", "x", "p"},
                });
    }

    @Test
    void leavesEverydayUseUnmarked() throws Exception {
        marked(
                false,
                new String[][] {
                    {"find", ".", "-name", "-x", "-type", "f"},
                    {"awk", "{print $1}", "f"},
                    {"awk", "-F,", "$1==\"a\" || $2 > 3 {print}", "f"},
                    {"sed", "s/a/b/"},
                    {"sed", "-n", "s/e/e/gp;1,5p;/e/d;$!N", "f"},
                    {"sed", "-i", "s|e/|e|g", "f"},
                    {"sed", "-E", "/^e/{s/[/e]/x/;p}", "f"},
                    {"sed", "/x/a e this is text", "f"},
                    {"sed", "y/abc/efe/", "f"},
                    {"tar", "-xzf", "x.tgz"},
                    {"tar", "xzf", "x.tgz"},
                    {"git", "status"},
                    {"git", "add", "config"},
                    {"git", "push", "-u", "origin", "main"},
                    {"git", "commit", "-am", "make it"},
                    {"rsync", "-av", "a", "b"},
                    {"sort", "-u", "f"},
                    {"zip", "-r", "a.zip", "src"},
                    {"curl", "-fsSL", "https://example.com"},
                    {"ls", "-la"},
                    {"grep", "-e", "x", "f"},
                });
    }
}

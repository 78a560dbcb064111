package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.guard.GuardFixture.accepted;
import static palyra.sandbox.internal.guard.GuardFixture.concern;
import static palyra.sandbox.internal.guard.GuardFixture.unchanged;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathArgumentsTest {
    @TempDir Path temp;
    private GuardFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new GuardFixture(temp);
    }

    private void outside(String command, String... arguments) throws Exception {
        String reason =
                concern("sandbox.path_outside", fixture.examine(command, arguments)).reason();
        assertTrue(
                List.of(arguments).stream().anyMatch(a -> reason.contains("'" + a + "'")),
                "names the argument: " + reason);
    }

    @Test
    void a08_refusesAPathOutsideInWhateverForm() throws Exception {
        for (String argument :
                List.of(
                        "/etc/passwd",
                        "--opt=/etc/passwd",
                        "-o/etc/passwd",
                        "-o=/etc/passwd",
                        "if=/etc/passwd",
                        "@/etc/passwd",
                        "data=@/etc/passwd",
                        "file:///etc/passwd",
                        "file:/etc/passwd",
                        "FILE:///etc/passwd",
                        "file://localhost/etc/passwd",
                        "file:///%65tc/passwd",
                        "file:%2fetc%2fpasswd",
                        "--url=file:///etc/passwd",
                        "{http://a.example,file:///etc/passwd}",
                        "unix:///run/docker.sock",
                        "unix:/run/docker.sock",
                        "jar:file:/etc/x.jar!/a",
                        "xx:/etc/passwd",
                        "sqlite:////etc/x",
                        "unknown://etc/passwd",
                        "-xf/etc/passwd",
                        "--path=/usr/lib:/etc",
                        "a,/etc/passwd",
                        "source=/etc,target=/x",
                        "/usr/../etc/passwd",
                        "//etc/passwd",
                        "/./etc/passwd",
                        "/proc/self/root",
                        "/dev/sda",
                        "/tmp/x",
                        "~",
                        "~/x",
                        "~root/.ssh/id",
                        "--key=~/.ssh/id",
                        "/",
                        "--root=/",
                        "/usrlocal/x")) {
            outside("tool", argument);
            outside("tool", "--", argument);
        }
    }

    @Test
    void theFirstOperandOfASearchIsAPathWhenItHasNoPatternOrListsFiles() throws Exception {
        String[][] calls = {
            {"rg", "--files", "/etc"},
            {"rg", "/etc", "--files"},
            {"rg", "-e", "x", "/etc"},
            {"rg", "--type-list", "/etc"},
            {"ag", "-g", "x", "/etc"},
            {"ack", "-f", "/etc"},
            {"ack", "--match", "x", "/etc"},
            {"grep", "-f", "patterns", "/etc"}
        };
        for (String[] call : calls) {
            outside(call[0], java.util.Arrays.copyOfRange(call, 1, call.length));
        }
        accepted(fixture.examine("rg", "/etc/passwd", "src"));
        accepted(fixture.examine("rg", "-l", "/etc", "src"));
    }

    @Test
    void a09_refusesToClimbAboveTheWorkspaceInWhateverForm() throws Exception {
        for (String argument :
                List.of(
                        "..",
                        "../x",
                        "./../x",
                        "src/../../x",
                        "--opt=../x",
                        "-o../x",
                        "-I../x",
                        "if=../x",
                        "@../x",
                        "file:../x",
                        "file:%2e%2e/x",
                        "ab:/../../etc/passwd",
                        "ab:../../x",
                        "http://../../../x",
                        "git@host:a/../../../x",
                        "-xvf../x",
                        "x/../../ws/f",
                        "..:x",
                        "a:..:b",
                        "../ws")) {
            outside("tool", argument);
        }
    }

    @Test
    void a10_leavesEverydayArgumentsAlone() throws Exception {
        String[][] calls = {
            {"git", "status"},
            {"git", "log", "a..b", "HEAD~2", "HEAD^", "main...dev", "--format=%H /x"},
            {"git", "commit", "-m", "/etc is not touched, ../../../x neither"},
            {"git", "clone", "git@example.com:a/b.git"},
            {"git", "clone", "git@example.com:/srv/git/b.git"},
            {"git", "clone", "https://example.com/a/../b.git"},
            {"git", "show", "HEAD:src/f"},
            {"npm", "run", "build"},
            {"npm", "install", "@scope/pkg@~1.2.3", "left-pad@^1.0.0"},
            {"grep", "foo", "f"},
            {"grep", "-rn", "/etc/passwd", "."},
            {"grep", "-e", "/etc/passwd", "f"},
            {"grep", "^/usr/(bin|sbin)/.*$", "f"},
            {"echo", "/"},
            {"echo", "/etc/passwd", "../.."},
            {"sed", "s/a/b/"},
            {"sed", "-n", "/foo/,/bar/p", "f"},
            {"sed", "s|/etc/a|../../../../b|", "f"},
            {"awk", "/etc/ {print $1 \"/\" $2}", "f"},
            {"date", "+%H:%M"},
            {"date", "+/%Y/%m"},
            {"tr", "/", "_"},
            {"cut", "-d", "/", "-f1", "f"},
            {"cut", "-d/", "-f1", "f"},
            {"sleep", "2"},
            {"find", ".", "-name", "*.java", "-path", "/x/*"},
            {"curl", "https://example.com/a/b?x=/etc/passwd&y=../..", "-H", "X: /etc/passwd"},
            {"curl", "http://[::1]:8080/x"},
            {"tool", "C:\\Windows\\..\\..\\x", "C:/Windows", "\\\\server\\share", "..\\..\\x"},
            {"tool", "*.txt", "a?b", "[a-z]/*.c", "{a,b}/c", "a b/c", "", " ", "-", "--"},
            {"tool", "k=v", "a:b", "12:30", "1,2,3", "x=y=z", "…/x", "．．/x", "∕etc∕passwd"},
            {"tool", "-Isrc/../src", "-Isrc/sub", "-O2", "-j4", "-n", "--max=3", "-5", "+x"},
            {"tool", "f~", "a/f~", "~1.2.3", "a~b", "~~", "...", "..a/b", "a../b", "src/.."},
            {"tool", "/usr/share/dict/words", "/bin/ls", "/opt/readable/x", "--i=/usr/lib:/lib"},
            {"tool", "/dev/null", "/dev/urandom", "--out=/dev/stdout", "/dev/fd/3"},
            {
                "tool",
                "{\"a\":\"/etc/x\",\"b\":[1,2]}",
                "<a href=\"/x\">",
                "// comment".substring(3)
            },
            {"tool", fixture.workspace + "/f", "--o=" + fixture.workspace + "/src/deep"},
            {
                "tool",
                fixture.workspace + ":" + fixture.workspace + "/src",
                "-I" + fixture.workspace
            },
            {"rsync", "host:/srv/x", "."},
            {"scp", "host:/srv/x", "f"},
        };
        for (String[] call : calls) {
            String[] arguments = java.util.Arrays.copyOfRange(call, 1, call.length);
            unchanged(fixture.examine(call[0], arguments), arguments);
        }
    }

    @Test
    void mayClimbWithinTheWorkspaceFromAFolderDeeper() throws Exception {
        for (String argument : List.of("../x", "-I../include", "../../f", "--o=../..")) {
            unchanged(fixture.examineIn("src/deep", "tool", argument), argument);
        }
        concern("sandbox.path_outside", fixture.examineIn("src/deep", "tool", "../../../x"));
        concern("sandbox.path_outside", fixture.examineIn("src/deep", "tool", "-I../../../x"));
    }

    @Test
    void refusesALinkThatLeadsOut() throws Exception {
        Path outside = fixture.root.resolve("outside");
        Path workspace = fixture.workspace;
        Files.createSymbolicLink(workspace.resolve("abs"), outside);
        Files.createSymbolicLink(workspace.resolve("rel"), Path.of("../outside"));
        Files.createSymbolicLink(workspace.resolve("src/up"), Path.of("../../outside/secret"));
        Files.createSymbolicLink(workspace.resolve("chain"), Path.of("abs"));
        Files.createSymbolicLink(workspace.resolve("loop"), Path.of("loop"));
        Files.createSymbolicLink(workspace.resolve("inside"), Path.of("src/deep"));
        Files.createSymbolicLink(workspace.resolve("usr"), Path.of("/usr"));
        for (String argument :
                List.of(
                        "abs",
                        "abs/secret",
                        "rel/secret",
                        "src/up",
                        "chain/secret",
                        "if=abs/secret",
                        "--f=rel",
                        "-frel/secret",
                        "@src/up",
                        "x:abs",
                        "abs:ro",
                        "loop",
                        workspace + "/abs/secret",
                        "inside/../../../outside/secret")) {
            outside("tool", argument);
        }
        unchanged(fixture.examine("tool", "inside/x", "usr/bin"), "inside/x", "usr/bin");
        // The link leads to src/deep, so that one step up is src, and two are the workspace.
        unchanged(fixture.examine("tool", "inside/../.."), "inside/../..");
    }

    @Test
    void aFolderWhoseNameBeginsLikeTheWorkspaceIsAnother() throws Exception {
        String workspace = fixture.workspace.toString();
        for (String beside : List.of("ws2", "ws,backup", "ws:old", "ws=x")) {
            Files.createDirectories(fixture.root.resolve(beside));
            outside("tool", fixture.root.resolve(beside) + "/x");
        }
        accepted(fixture.examine("tool", workspace + ":ro"));
    }

    @Test
    void patternsOfGrepAreTextButItsFilesAreNot() throws Exception {
        outside("grep", "foo", "/etc/passwd");
        outside("grep", "-f", "x", "/etc/passwd");
        outside("grep", "-rf", "/etc/passwd", ".");
        outside("grep", "--file=/etc/passwd", "f");
        outside("grep", "--regexp=x", "/etc/passwd");
        outside("sed", "-e", "p", "/etc/passwd");
        outside("awk", "-f", "/etc/x");
        outside("awk", "{print}", "/etc/passwd");
    }

    @Test
    void tooManyPossiblePathsAreRefusedAndNotPassed() throws Exception {
        concern(
                "sandbox.argument_unclear",
                fixture.examine("tool", ":/usr/x".repeat(9_000), ":/usr/y".repeat(15_000)));
    }
}

package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static palyra.sandbox.internal.guard.GuardFixture.accepted;
import static palyra.sandbox.internal.guard.GuardFixture.refused;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.CallFacts;
import palyra.shared.hash.Digests;
import palyra.shared.tool.FactsDigest;

class CommandFactsTest {
    @TempDir Path temp;
    private GuardFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new GuardFixture(temp);
    }

    private CallFacts facts(String command, String... arguments) throws Exception {
        return accepted(fixture.examine(command, arguments)).facts();
    }

    /** Of a command that is left to its sandbox in part. */
    private CallFacts seen(String command, String... arguments) throws Exception {
        return GuardFixture.found(fixture.examine(command, arguments)).facts();
    }

    private Set<String> inWorkspace(String... paths) {
        Set<String> all = new TreeSet<>();
        for (String path : paths) {
            all.add(fixture.workspace.resolve(path).normalize().toString());
        }
        return all;
    }

    @Test
    void sayWhatRunsAndWhere() throws Exception {
        CallFacts facts = accepted(fixture.examineIn("src", "ls", "-la", "f")).facts();
        assertEquals(fixture.bin.resolve("ls").toString(), facts.executable());
        assertEquals(Digests.sha256Hex("\u007fELF ls"), facts.executableSha256());
        assertEquals(fixture.workspace.resolve("src").toString(), facts.workingFolder());
        assertEquals(2, facts.argumentCount());
        assertEquals(Set.of(), facts.methods());
        assertEquals(Set.of(), facts.secrets());
    }

    @Test
    void nameTheSubcommand() throws Exception {
        String[][] calls = {
            {"status", "git", "status"},
            {"push", "git", "-C", "src", "--no-pager", "push", "origin"},
            {"install", "npm", "--prefix", "src", "install", "x"},
            {"build", "cargo", "+nightly", "build"},
            {"get", "kubectl", "-n", "prod", "get", "pods"},
            {"ps", "docker", "--context", "x", "ps"},
            {"verify", "mvn", "-q", "-pl", "a", "verify"},
            {"", "git", "--version"},
            {"", "ls", "status"},
        };
        for (String[] call : calls) {
            String[] arguments = java.util.Arrays.copyOfRange(call, 2, call.length);
            assertEquals(call[0], facts(call[1], arguments).subcommand(), List.of(call).toString());
        }
    }

    @Test
    void nameOptionsWithoutTheirValues() throws Exception {
        assertEquals(
                Set.of("--all", "--depth", "-la", "-I", "-n", "-5", "-O2"),
                facts(
                                "tool",
                                "--all",
                                "--depth=3",
                                "-la",
                                "-I../ws".replace("../ws", "./x"),
                                "-n=1",
                                "-5",
                                "-O2",
                                "-",
                                "--",
                                "-not",
                                "--an-option")
                        .flags());
    }

    @Test
    void nameHostsAndPorts() throws Exception {
        Object[][] calls = {
            {Set.of("example.com"), Set.of(443), "curl", "https://user:pw@Example.COM./x?y=a:1"},
            {Set.of("b.example"), Set.of(80), "curl", "http://a.example:p@ss@b.example/"},
            {
                Set.of("a.example", "b.example"),
                Set.of(80),
                "curl",
                "http://a.example,http://b.example"
            },
            {Set.of("localhost"), Set.of(8080), "curl", "-o", "f.txt", "localhost:8080/x"},
            {Set.of("169.254.169.254"), Set.of(80), "curl", "http://169.254.169.254/latest"},
            {Set.of("2130706433"), Set.of(80), "curl", "http://2130706433"},
            {Set.of("::1"), Set.of(80), "curl", "http://[::1]/"},
            {Set.of("::ffff:127.0.0.1"), Set.of(81), "curl", "http://[::FFFF:127.0.0.1]:81/"},
            {Set.of("127.0.0.1"), Set.of(80), "curl", "http://%31%32%37.0.0.1/"},
            {
                Set.of("a.example", "b.example"),
                Set.of(80, 443),
                "curl",
                "http://a.example",
                "--next",
                "https://b.example"
            },
            {Set.of("proxy.example"), Set.of(3128), "tool", "--proxy=http://proxy.example:3128"},
            {Set.of("example.com"), Set.of(22), "git", "clone", "git@example.com:a/b"},
            {Set.of("example.com"), Set.of(2222), "git", "clone", "ssh://git@example.com:2222/a"},
            {Set.of("example.com"), Set.of(443), "git", "clone", "git+https://example.com/a"},
            {Set.of("db.example"), Set.of(5432), "tool", "--db=db.example:5432"},
            {Set.of("10.0.0.1"), Set.of(9000), "tool", "10.0.0.1:9000"},
            {Set.of("host"), Set.of(22), "scp", "host:/x", "f"},
            {Set.of("h.example"), Set.of(1234), "nc", "h.example", "1234"},
            {Set.of("example.com"), Set.of(), "ping", "-c", "1", "example.com"},
            {Set.of(), Set.of(), "tool", "12:30", "a:b", "f.txt", "v1.2.3", "x@y"},
            {Set.of(), Set.of(), "echo", "http://example.com"},
        };
        for (Object[] call : calls) {
            String[] line = java.util.Arrays.copyOfRange(call, 2, call.length, String[].class);
            CallFacts facts = facts(line[0], java.util.Arrays.copyOfRange(line, 1, line.length));
            assertEquals(call[0], facts.hosts(), List.of(line).toString());
            assertEquals(call[1], facts.ports(), List.of(line).toString());
        }
    }

    @Test
    void takeTheHostsThatAreAskedFor() throws Exception {
        fixture.program("tool");
        CommandRequest request =
                new CommandRequest(
                        "tool",
                        List.of(),
                        "",
                        Set.of("A.example:8443", "b.example", "[::1]:80", "::2"));
        CallFacts facts = accepted(fixture.guard().examine(request, fixture.workspace)).facts();
        assertEquals(Set.of("a.example", "b.example", "::1", "::2"), facts.hosts());
        assertEquals(Set.of(8443, 80), facts.ports());
        for (String bad : List.of("", "a b", "http://x", "x/y", "u@h", "x:0x50", "x:99999", "[x")) {
            refused(
                    "sandbox.host_invalid",
                    fixture.guard()
                            .examine(
                                    new CommandRequest("tool", List.of(), "", Set.of(bad)),
                                    fixture.workspace));
        }
    }

    @Test
    void tellReadingFromWriting() throws Exception {
        CallFacts cat = facts("cat", "f", "src/g");
        assertEquals(inWorkspace("f", "src/g"), cat.readPaths());
        assertEquals(Set.of(), cat.writePaths());
        CallFacts cp = facts("cp", "-r", "f", "src/g", "src/deep");
        assertEquals(inWorkspace("f", "src/g"), cp.readPaths());
        assertEquals(inWorkspace("src/deep"), cp.writePaths());
        assertEquals(inWorkspace("f", "g"), facts("mv", "f", "g").writePaths());
        assertEquals(inWorkspace("f"), facts("chmod", "-R", "u+x", "f").writePaths());
        assertEquals(inWorkspace("f"), facts("rm", "-rf", "f").writePaths());
        assertEquals(inWorkspace("f"), facts("sed", "-i", "s/a/b/", "f").writePaths());
        assertEquals(Set.of(), facts("sed", "s/a/b/", "f").writePaths());
        assertEquals(inWorkspace("f"), facts("grep", "-r", "a/b", "f").readPaths());
        assertEquals(inWorkspace("out"), facts("sort", "-o", "out", "f").writePaths());
        CallFacts dd = facts("dd", "if=src/a", "of=src/b");
        assertEquals(
                inWorkspace("src/b"),
                dd.writePaths().stream()
                        .filter(p -> p.endsWith("b"))
                        .collect(java.util.stream.Collectors.toSet()));
        assertEquals(Set.of(), facts("git", "status").readPaths());
        assertEquals(inWorkspace("src/x"), facts("unknown", "src/x", "word").writePaths());
    }

    @Test
    void takeNoLineOfShellForAPath() throws Exception {
        CallFacts line =
                seen("bash", "-c", "cd src && make > /tmp/out 2>/dev/null; cat '/etc/hosts'");
        assertEquals(Set.of("/tmp/out", "/etc/hosts"), line.readPaths());
        assertEquals(Set.of("/tmp/out", "/etc/hosts"), line.writePaths());
        assertEquals(Set.of(), seen("bash", "-c", "make src/deep").readPaths());
        assertEquals(inWorkspace("src/g"), seen("bash", "-c", "src/g").readPaths());
        Set<String> alias = facts("git", "config", "alias.x", "!ls a/b; rm c/d").writePaths();
        assertEquals(Set.of(), alias);
        assertEquals(Set.of(), facts("git", "config", "core.editor", "ed -x a/b").readPaths());
    }

    /** A blank alone makes no line: files are called so. */
    @Test
    void nameFilesWithBlanks() throws Exception {
        assertEquals(inWorkspace("src/a b/c"), facts("cat", "src/a b/c").readPaths());
        assertEquals(inWorkspace("src/a b/c"), facts("unknown", "src/a b/c").readPaths());
        assertEquals(inWorkspace("new one/c"), facts("rm", "new one/c").writePaths());
        Path odd = fixture.workspace.resolve("src/a b");
        Files.createDirectories(odd.getParent());
        Files.createFile(odd);
        assertEquals(inWorkspace("src/a b"), seen("bash", "-e", "src/a b").readPaths());
    }

    @Test
    void nameTheFileBehindALink() throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("link"), Path.of("src/../f"));
        assertEquals(inWorkspace("f"), facts("cat", "link").readPaths());
    }

    @Test
    void areTheSameForTheSameRequestUntilALinkChanges() throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("link"), Path.of("f"));
        String first = FactsDigest.of(facts("cat", "link", "--x=1", "http://b.example", "src/a"));
        assertEquals(
                first, FactsDigest.of(facts("cat", "link", "--x=1", "http://b.example", "src/a")));
        Files.writeString(fixture.workspace.resolve("new"), "other files do not count");
        assertEquals(
                first, FactsDigest.of(facts("cat", "link", "--x=1", "http://b.example", "src/a")));
        Files.delete(fixture.workspace.resolve("link"));
        Files.createSymbolicLink(fixture.workspace.resolve("link"), Path.of("src"));
        String other = FactsDigest.of(facts("cat", "link", "--x=1", "http://b.example", "src/a"));
        org.junit.jupiter.api.Assertions.assertNotEquals(first, other);
    }
}
